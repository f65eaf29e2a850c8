"""Measure: by what the shares of source and prefix are measured: names, formulas, caveats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.questions.causes.contributions import ContributionsOf
from model.questions.causes.methods import method_named
from model.questions.questions import Question, SharesOf
from viewer.document.text.method_text import method_words

SOURCE = "Ferrando & Costa-jussà 2021, arXiv 2109.05853"


@dataclass(frozen=True)
class Measure:
    """A way to say how much of a step comes from the source.

    Attributes:
        name: as a command calls it; numbers: as data do.
        question: what a model is asked for.
        formula: in short. notes: formula, caveat and source, a sentence each.
    """

    name: str
    numbers: str
    question: Question
    formula: Callable[[], str]
    notes: Callable[[], tuple[str, ...]]


def _cross_formula() -> str:
    return QCoreApplication.translate("Shares", "‖c‖ / (‖c‖ + ‖x‖)")


def _cross_notes() -> tuple[str, ...]:
    translate = QCoreApplication.translate
    return (
        translate("Shares", "Share of the source: {formula}.").format(formula=_cross_formula()),
        translate(
            "Shares",
            "c is what cross-attention adds in that layer, x the residual stream that it is added to, "
            "counted as the prefix's. x also holds what lower layers brought from the source; the angle "
            "between both is left out.",
        ),
        translate("Shares", "The question is from {source}; the measure is Headscope's own.").format(
            source=SOURCE
        ),
    )


def _contributions_formula() -> str:
    return QCoreApplication.translate("Shares", "sum of the source words' contributions (ALTI+)")


def _contributions_notes() -> tuple[str, ...]:
    said = QCoreApplication.translate(
        "Shares",
        "Share of the source: the sum of its words' contributions to what leaves the decoder, followed "
        "through all layers of both stacks; the rest is the prefix's.",
    )
    return (said, *method_words(method_named("alti")).sentences)


CONTRIBUTIONS = Measure(
    "contributions", "contributions", ContributionsOf(), _contributions_formula, _contributions_notes
)
CROSS = Measure("cross", "source_share", SharesOf(), _cross_formula, _cross_notes)
MEASURES = {measure.name: measure for measure in (CONTRIBUTIONS, CROSS)}
"""By name; the first is the usual one."""
