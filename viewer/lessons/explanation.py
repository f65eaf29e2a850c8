"""EXPLANATION: attention weights are swapped for others, said and drawn."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import explanation as lesson
from model.lessons.explanation import ADVERSARIAL, DRAWS, FIRST_DRAWN, OWN, UNIFORM
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import text_after, token_texts
from viewer.figures.canvas.numerals import signed, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.part import Part
from viewer.lessons.told import Told

translate = QCoreApplication.translate

_TOP = 8


def _control(name: str) -> str:
    return {
        "swap": translate("Lessons", "The row becomes"),
        "step": translate("Lessons", "Word of the output"),
        "layer": translate("Lessons", "Decoder layer"),
        "head": translate("Lessons", "Head"),
        "epsilon": translate("Lessons", "log p may change by (nats)"),
        "draw": translate("Lessons", "Permutation"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "uniform": translate("Lessons", "uniform"),
        "permuted": translate("Lessons", "permuted"),
        "adversarial": translate("Lessons", "adversarial: far away, same log p"),
        "all": translate("Lessons", "all heads of the layer"),
    }.get(option, option)


def _finding(found: Finding) -> str:
    return _SAID[found.name](found)


def _swapped(found: Finding) -> str:
    text = translate(
        "Lessons",
        "The row is {tvd} (TVD) and {jsd} (JSD, at most 0.693) from the model's own; log p of the word "
        "changes by {value}, the distribution of words by {moved} (TVD).",
    )
    about = {name: tiny(value) for name, value in found.about.items()}
    return text.format(value=signed(float(found.value or 0)), **about)


def _top(found: Finding) -> str:
    if found.value:
        return translate("Lessons", "The most probable word stays.")
    return translate("Lessons", "Another word becomes the most probable.")


def _furthest(found: Finding) -> str:
    text = translate(
        "Lessons",
        "Of {searched} rows tried, this is the furthest that changes log p by at most {epsilon}; "
        "there may be a further one.",
    )
    return text.format(searched=found.about["searched"], epsilon=tiny(found.about["epsilon"]))


def _searching(found: Finding) -> str:
    return translate("Lessons", "The adversarial row is being searched for.")


def _permuted(found: Finding) -> str:
    text = translate(
        "Lessons",
        "Of {draws} permutations, {stay} leave the word on top; half of them change log p by {value} "
        "or less, one by {most}.",
    )
    return text.format(
        value=tiny(float(found.value or 0)),
        draws=found.about["draws"],
        stay=found.about["stay"],
        most=tiny(found.about["most"]),
    )


def _kendall(found: Finding) -> str:
    text = translate(
        "Lessons",
        "Rank correlation (Kendall's τ) of weight and length {weights_norms}, of weight and gradient "
        "{weights_gradients}, of length and gradient {norms_gradients}.",
    )
    shown = {
        name: f"{value:.2f}".replace("-", "−") if math.isfinite(value) else "–"
        for name, value in found.about.items()
    }
    return text.format(**shown)


_SAID = {
    "swapped": _swapped,
    "top": _top,
    "furthest": _furthest,
    "searching": _searching,
    "permuted": _permuted,
    "kendall": _kendall,
}


def _formula(values: Values) -> str:
    if values["swap"] == "uniform":
        return r"\tilde\alpha_j=\frac{1}{S}"
    if values["swap"] == "permuted":
        return r"\tilde\alpha_j=\alpha_{\pi(j)}"
    return (
        r"\tilde\alpha=\arg\max_{\alpha'}\mathrm{JSD}(\alpha',\alpha)\quad\mathrm{s.t.}\quad"
        rf"|\Delta\log p|\leq {float(values['epsilon']):.2g}"
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    keys = [token.marked for token in token_texts(data["keys"])]
    word = text_after(data["prefix"], data["token"]).marked
    own, new = translate("Lessons", "the model's own"), translate("Lessons", "swapped")
    rows = Bars(
        translate("Lessons", "The row of “{word}”").format(word=word),
        keys,
        (BarSeries(own, data["own"]), BarSeries(new, data["swapped"], 1)),
        1.0,
    )
    best = np.argsort(-np.fmax(data["before"], data["after"]), kind="stable")[:_TOP]
    words = Bars(
        translate("Lessons", "Next word"),
        [text_after(data["prefix"], data["tokens"][n]).marked for n in best],
        (BarSeries(own, data["before"][best]), BarSeries(new, data["after"][best], 1)),
        1.0,
    )
    named = (
        ("weights", translate("Lessons", "weight α")),
        ("norms", translate("Lessons", "length of α v W_O")),
        ("gradients", translate("Lessons", "|gradient × α|")),
    )
    measures = Bars(
        translate("Lessons", "Three measures of “{word}”, as shares").format(word=word),
        keys,
        tuple(BarSeries(name, data["measures"][key], index) for index, (key, name) in enumerate(named)),
    )
    return ((rows, words), (measures, _far_and_moved(data)))


def _far_and_moved(data: Mapping[str, Any]) -> Part:
    far, moved = data["jsd"], np.abs(data["change"])
    drawn = slice(FIRST_DRAWN, FIRST_DRAWN + DRAWS)
    lines = [
        Line(translate("Lessons", "permuted"), far[drawn], moved[drawn], 0, dots=True, line=False),
        Line(translate("Lessons", "uniform"), far[[UNIFORM]], moved[[UNIFORM]], 1, dots=True, line=False),
    ]
    if len(far) > ADVERSARIAL:
        name = translate("Lessons", "adversarial")
        lines.append(Line(name, far[[ADVERSARIAL]], moved[[ADVERSARIAL]], 2, dots=True, line=False))
    return Curves(
        translate("Lessons", "How far each row is, and how much log p changes"),
        Axis(
            0.0,
            math.log(2),
            translate("Lessons", "Jensen–Shannon divergence from the model's own row (nats)"),
        ),
        Axis(*span(moved, [data["epsilon"]], zero=True), translate("Lessons", "|Δ log p|")),
        tuple(lines),
        (Mark(data["epsilon"], "ε", upright=False),),
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    data = numbers.data
    badges = [translate("Lessons", "measures: each divided by its sum")]
    if data["heads"] > 1:
        badges.append(
            translate("Lessons", "rows, TVD and JSD: means over {count} heads").format(count=data["heads"])
        )
    if data["shown"] != OWN:
        badges.append(translate("Lessons", "altered: the row is swapped"))
    return tuple(badges)


EXPLANATION = Told(
    lesson.EXPLANATION,
    title=lambda: translate("Lessons", "Is attention explanation?"),
    why=lambda: translate(
        "Lessons",
        "If the weights explained a word, other weights should give another word. Swap a row of "
        "cross-attention and see what happens to the output.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Often a row far from the model's own leaves the word as it is: other heads, layers and the residual "
        "stream go on without it. Swap all heads of the layer, and it may change. Neither says that weights "
        "mean nothing: an adversarial row is chosen, not learned.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Jain and Wallace (2019), arXiv 1902.10186; Wiegreffe and Pinter (2019), arXiv 1908.04626; Serrano "
        "and Smith (2019), arXiv 1906.03731; Kobayashi et al. (2020), arXiv 2004.10102",
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
