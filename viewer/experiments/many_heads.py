"""MANY_HEADS: many heads on two relations, and how many of them are needed, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import many_heads as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.head_maps import first_seed, head_maps, head_name
from viewer.experiments.told import piece_texts, told_experiment
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        "heads_1": translate("Experiments", "1 head"),
        "heads_2": translate("Experiments", "2 heads"),
        "heads_4": translate("Experiments", "4 heads"),
        "heads_8": translate("Experiments", "8 heads"),
    }[name]


def _control(name: str) -> str:
    return {
        "shown": translate("Experiments", "Maps of"),
        "curve": translate("Experiments", "Curve"),
    }[name]


def _option(control: str, option: str) -> str:
    if control == "shown":
        return _arm(option)
    return {
        "off": translate("Experiments", "heads switched off"),
        "loss": translate("Experiments", "loss in training"),
    }[option]


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"


def _finding(found: Finding) -> str:
    about = dict(found.about)
    kind, _, arm = found.name.partition("_")
    value = float(found.value or 0)
    if kind == "accuracy":
        text = translate(
            "Experiments",
            "{model}: {value} % of sentences right (spread {spread} %); better than 1 head in {better} of "
            "{seeds} runs.",
        )
        if arm == "heads_1":
            text = translate("Experiments", "{model}: {value} % of sentences right (spread {spread} %).")
        return text.format(
            model=_arm(arm),
            value=_percent(value),
            spread=_percent(about["spread"]),
            better=about["better"],
            seeds=about["seeds"],
        )
    if kind == "split":
        text = translate(
            "Experiments",
            "{model}: in {split} of {seeds} runs one cross head reads the word's own place and another "
            "the mirror image.",
        )
        return text.format(model=_arm(arm), split=int(value), seeds=about["seeds"])
    text = {
        "mixed": translate(
            "Experiments",
            "1 head: it gives the own place {own} of its weight and the mirror image {other}.",
        )
        if found.holds or max(about.get("own", 0), about.get("other", 0)) < experiment.ROLE
        else translate(
            "Experiments",
            "1 head: it does not mix both places but gives one of them up: the own place gets {own} of its "
            "weight, the mirror image {other}.",
        ),
        "spare": translate(
            "Experiments",
            "8 heads, least important first: {value} % of all {heads} can be off before quality breaks.",
        ),
        "chance": translate(
            "Experiments",
            "8 heads, in random order: {value} % of all {heads} can be off before quality breaks.",
        ),
    }[found.name]
    return text.format(
        value=_percent(value),
        heads=about.get("heads"),
        own=f"{about.get('own', 0):.2f}",
        other=f"{about.get('other', 0):.2f}",
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    curves = _loss(data) if data["curve"] == "loss" else _off(data)
    maps = _maps(data)
    return (*(((maps,),) if maps is not None else ()), (curves, _table(data)))


def _off(data: Mapping[str, Any]) -> Part:
    lines = []
    for at, arm in enumerate(experiment.ARMS):
        shares = 100 * np.asarray(data["off"][arm.name])
        if len(shares):
            lines.append(Line(_arm(arm.name), _off_shares(shares), list(shares), at, dots=True))
    chance = 100 * np.asarray(data["chance"][data["shown"]])
    if len(chance):
        name = translate("Experiments", "{model}, random order").format(model=_arm(data["shown"]))
        lines.append(Line(name, _off_shares(chance), list(chance), len(experiment.ARMS)))
    return Curves(
        translate("Experiments", "Heads switched off, least important first"),
        Axis(0, 100, translate("Experiments", "heads off (%)")),
        Axis(0, 100, translate("Experiments", "words right (%)")),
        tuple(lines),
        share=1.2,
    )


def _off_shares(curve: np.ndarray) -> list[float]:
    """Of a curve by the number of heads off: the share of all, in %."""
    return [100 * count / (len(curve) - 1) for count in range(len(curve))]


def _loss(data: Mapping[str, Any]) -> Part:
    lines = [
        Line(_arm(name), steps, losses, at) for at, (name, (steps, losses)) in enumerate(data["loss"].items())
    ]
    low, high = span(*(line.ys for line in lines), zero=True)
    last = max((line.xs[-1] for line in lines if len(line.xs)), default=1)
    return Curves(
        translate("Experiments", "Loss of pairs trained on"),
        Axis(0, float(last), translate("Experiments", "step")),
        Axis(low, max(high, 1.0), translate("Experiments", "loss (nats a token)")),
        tuple(lines),
        marks=(Mark(0.0, upright=False),),
        share=1.2,
    )


def _table(data: Mapping[str, Any]) -> Part:
    def percent(value: float | None) -> str:
        return "–" if value is None else _percent(value)

    def mean(shares: np.ndarray) -> float | None:
        return float(shares.mean()) if len(shares) else None

    header = (
        "",
        translate("Experiments", "sentences"),
        translate("Experiments", "words"),
        translate("Experiments", "spare"),
        translate("Experiments", "at random"),
    )
    lines = tuple(
        (
            _arm(arm.name),
            percent(data["accuracy"][arm.name]),
            percent(data["words"][arm.name]),
            percent(mean(data["spare"][arm.name])),
            percent(mean(data["spare_by_chance"][arm.name])),
        )
        for arm in experiment.ARMS
    )
    heading = translate("Experiments", "In %: right, and heads to spare")
    return TextTable(heading, header, lines, dense=True)


def _maps(data: Mapping[str, Any]) -> Part | None:
    maps = data["maps"]
    if not maps.size:
        return None
    heading = translate(
        "Experiments", "Cross-attention of {model}: rows predict, columns are read; own place / mirror image"
    )

    def name(head: int) -> str:
        text = translate("Experiments", "{head}: {own} / {other}")
        own, other = f"{data['own'][head]:.2f}", f"{data['other'][head]:.2f}"
        return text.format(head=head_name(head), own=own, other=other)

    return head_maps(
        heading.format(model=_arm(data["shown"])),
        maps,
        piece_texts(data["predicts"]),
        piece_texts(data["read"]),
        name,
    )


def _formula(values: Values) -> str:
    return r"y_j=(x_j,\,x_{n+1-j})\qquad\mathrm{MultiHead}=\mathrm{Concat}(h_1,\ldots,h_H)\,W_O"


MANY_HEADS = told_experiment(
    "many_heads",
    title=lambda: translate("Experiments", "Many heads"),
    why=lambda: translate(
        "Experiments",
        "A head makes one weighted average; to look at two places at once and keep them apart takes two "
        "heads.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Each word of the output joins a word of the source with its mirror image: a c f b becomes ab cf fc "
        "ba. One head has to mix both places and gets fewer right; with two or more, one reads the word's "
        "own place and another the mirror image. Once trained, a fifth of the heads and more can be switched "
        "off before quality breaks (below 90 % of the words that all heads get right), most if the least "
        "important go first.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Vaswani et al. (2017), Attention Is All You Need, section 3.2.2; Michel et al. (2019), Are Sixteen "
        "Heads Really Better than One?, arXiv 1905.10650",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=lambda numbers, values: (
        first_seed(),
        translate("Experiments", "random order: mean of {count}").format(count=experiment.ORDERS),
    ),
)
