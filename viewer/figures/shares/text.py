"""Shares text: formula, caveat and source of the numbers of source and prefix."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

SOURCE = "Ferrando & Costa-jussà 2021, arXiv 2109.05853"


def formula() -> str:
    """How a share is worked out."""
    return QCoreApplication.translate("Shares", "‖c‖ / (‖c‖ + ‖x‖)")


def caveat() -> str:
    """What the letters mean, and what a share does not say."""
    return QCoreApplication.translate(
        "Shares",
        "c is what cross-attention adds in that layer, x the residual stream that it is added to, counted as "
        "the prefix's. x also holds what lower layers brought from the source; the angle between both is "
        "left out.",
    )


def notes() -> tuple[str, ...]:
    """Formula, caveat and source, a sentence each."""
    translate = QCoreApplication.translate
    return (
        translate("Shares", "Share of the source: {formula}.").format(formula=formula()),
        caveat(),
        translate("Shares", "The question is from {source}; the measure is Headscope's own.").format(
            source=SOURCE
        ),
    )


def percents(source: float) -> tuple[str, str]:
    """Both shares as a person reads them; they add up to 100 %."""
    number = round(100 * source)
    text = QCoreApplication.translate("Wording", "{number} %")
    return text.format(number=number), text.format(number=100 - number)
