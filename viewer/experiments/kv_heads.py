"""KV_HEADS: shared keys and values, and tied tables, said and drawn."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.experiments import kv_heads as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.head_maps import first_seed, head_maps, head_name
from viewer.experiments.told import piece_texts, told_experiment
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        "plain": translate("Experiments", "Plain"),
        "grouped": translate("Experiments", "Grouped (2)"),
        "multi": translate("Experiments", "Multi-query (1)"),
        "tied_output": translate("Experiments", "Tied: output"),
        "tied_all": translate("Experiments", "Tied: all"),
    }[name]


def _control(name: str) -> str:
    return {"shown": translate("Experiments", "Maps of")}[name]


def _option(control: str, option: str) -> str:
    return _arm(option)


def _finding(found: Finding) -> str:
    about = dict(found.about)
    kind, _, arm = found.name.partition("_")
    value = float(found.value or 0)
    if kind == "between":
        text = translate(
            "Experiments", "Of 100 sentences two heads of keys and values get {value} more right than one."
        )
        return text.format(value=f"{100 * value:.0f}".replace("-", "−"))
    if kind == "cache":
        text = translate(
            "Experiments",
            "{model}: the cache keeps {own} numbers a token instead of {plain}, {value} times fewer; counted "
            "in memory: the same.",
        )
        if not about["counted"]:
            text = translate(
                "Experiments",
                "{model}: the cache should keep {own} numbers a token instead of {plain}, but memory holds "
                "others.",
            )
        return text.format(model=_arm(arm), own=about["own"], plain=about["plain"], value=f"{value:g}")
    if kind == "quality":
        text = translate(
            "Experiments",
            "{model}: {value} % of sentences right (spread {spread} %) with {parameters} parameters "
            "({percent} %); loss {loss}.",
        )
        return text.format(
            model=_arm(arm),
            value=f"{100 * value:.0f}",
            spread=f"{100 * about['spread']:.0f}",
            parameters=f"{about['parameters']:,}",
            percent=f"{about['percent']:.0f}",
            loss=f"{about['loss']:.3f}",
        )
    text = {
        "plain": translate(
            "Experiments", "{model}: the maps of two heads differ by {value} (0 the same, 1 disjoint)."
        ),
        "grouped": translate("Experiments", "{model}: those of two heads that share keys differ by {value}."),
        "multi": translate("Experiments", "{model}: those of two heads that share keys differ by {value}."),
    }[arm]
    return text.format(model=_arm(arm), value=f"{value:.2f}")


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    maps = _maps(data)
    return ((_bars(data), _table(data)), *(((maps,),) if maps is not None else ()))


def _number(value: float | None) -> float:
    return math.nan if value is None else float(value)


def _bars(data: Any) -> Part:
    """Each of a model's numbers as a share of the plain model's."""
    names = [_arm(arm.name) for arm in experiment.ARMS]

    def shares(which: str) -> list[float]:
        whole = _number(data[which]["plain"])
        return [_number(data[which][arm.name]) / whole if whole else math.nan for arm in experiment.ARMS]

    series = (
        BarSeries(translate("Experiments", "parameters"), shares("parameters"), 0),
        BarSeries(translate("Experiments", "cache of a token"), shares("cache"), 1),
        BarSeries(translate("Experiments", "sentences right"), shares("accuracy"), 2),
    )
    return Bars(translate("Experiments", "As a share of the plain model"), names, series)


def _table(data: Any) -> Part:
    header = (
        "",
        translate("Experiments", "parameters"),
        translate("Experiments", "cache"),
        translate("Experiments", "right (%)"),
        translate("Experiments", "loss"),
    )

    def text(value: float | None, form: str, factor: float = 1) -> str:
        return "–" if value is None else format(factor * value, form)

    lines = tuple(
        (
            _arm(arm.name),
            text(data["parameters"][arm.name], ",.0f"),
            text(data["allocated"][arm.name], ",.0f"),
            text(data["accuracy"][arm.name], ".0f", 100),
            text(data["loss"][arm.name], ".3f"),
        )
        for arm in experiment.ARMS
    )
    return TextTable(translate("Experiments", "Numbers kept, and quality"), header, lines, dense=True)


def _maps(data: Any) -> Part | None:
    maps = data["maps"]
    if not maps.size:
        return None
    heads, groups = len(maps), data["groups"]

    def name(head: int) -> str:
        text = translate("Experiments", "{head} · K, V {group}")
        return text.format(head=head_name(head), group=head * groups // heads + 1)

    heading = translate(
        "Experiments", "Cross-attention of one sentence, {model}: which head reads which keys and values"
    )
    predicts, reads = (piece_texts(data[which]) for which in ("written", "read"))
    return head_maps(heading.format(model=_arm(data["shown"])), maps, predicts, reads, name)


def _formula(values: Values) -> str:
    groups = experiment.SHARED[str(values["shown"])]
    return (
        r"h_i=\mathrm{softmax}\!\left(\frac{Q_iK_{g(i)}^{\top}}{\sqrt{d_k}}\right)V_{g(i)},\quad "
        rf"g(i)=\left\lceil i\cdot{groups}/{experiment.HEADS}\right\rceil"
    )


KV_HEADS = told_experiment(
    "kv_heads",
    title=lambda: translate("Experiments", "Shared keys, tied tables"),
    why=lambda: translate(
        "Experiments",
        "While a Transformer writes, it keeps keys and values of every token; heads that share them keep "
        "less.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Eight heads, English to French. Two heads of keys and values make the cache 4 times smaller, one "
        "makes it 8 times smaller; heads that share them still look in different ways, as their queries "
        "differ. Tied tables leave the cache as it is and save parameters. In the papers' large models "
        "quality hardly suffers, with two less than with one; here, with heads 8 numbers wide, at most 5 % "
        "of the sentences would be little.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Shazeer (2019), arXiv 1911.02150; Ainslie et al. (2023), GQA, arXiv 2305.13245; Press and Wolf "
        "(2017), Using the Output Embedding to Improve Language Models, arXiv 1608.05859",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=lambda numbers, values: (first_seed(),),
)
