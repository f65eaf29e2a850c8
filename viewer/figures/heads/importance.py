"""Importance of heads to a translation: the scale it is drawn on, and sentences that say it."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace.exploration import Importance
from model.trace.trace import AttentionKind
from viewer.document.alterations.words import head_text
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.heads.spec import Worth

# Above this many times, a power of e is easier to read.
_MOST_TIMES = 9999.5


@dataclass(frozen=True)
class HeadWorth:
    """One head and how much switching it off adds to the translation's log probability."""

    kind: AttentionKind
    layer: int
    head: int
    change: float


def importance_levels(importance: Importance | None) -> tuple[float, float]:
    """The scale of all kinds' heads, symmetrical about 0: (-m, m), m the largest change of any head."""
    values = [] if importance is None else [np.abs(v).max() for v in importance.change.values() if v.size]
    most = float(max(values, default=0.0))
    return (-most, most) if most > 0 else (-1.0, 1.0)


def most_important(importance: Importance) -> HeadWorth | None:
    """The head without which the translation is least probable; None if none makes it less probable."""
    found: HeadWorth | None = None
    for kind, values in importance.change.items():
        if not values.size:
            continue
        layer, head = np.unravel_index(int(values.argmin()), values.shape)
        change = float(values[layer, head])
        if change < (0.0 if found is None else found.change):
            found = HeadWorth(kind, int(layer), int(head), change)
    return found


def worth_sentence(worth: HeadWorth) -> str:
    """How the translation fares without the head, as factor and as difference of log probabilities."""
    place, change = head_text(worth.kind, worth.layer, worth.head), worth.change
    values = {"place": place, "times": times_text(change), "change": signed(change)}
    translate = QCoreApplication.translate
    if abs(change) < 0.005:
        text = translate("Importance", "Without {place} the translation is just as probable: {change}")
    elif change < 0:
        text = translate(
            "Importance", "Without {place} the translation becomes {times} times less probable: {change}"
        )
    else:
        text = translate(
            "Importance", "Without {place} the translation becomes {times} times more probable: {change}"
        )
    return text.format(**values)


def importance_note() -> str:
    """Says what the signs of the numbers mean."""
    return QCoreApplication.translate("Figure", "below 0: without the head the translation is less probable")


def importance_worth(kind: AttentionKind, values: Matrix) -> Worth:
    """What a page of heads is coloured by once that is measured."""

    def sentence(layer: int, head: int) -> str:
        return worth_sentence(HeadWorth(kind, layer, head, float(values[layer, head])))

    return Worth(values, importance_note(), sentence)


def summary_sentence(importance: Importance) -> str:
    """The most important head, or that there is none."""
    worth = most_important(importance)
    if worth is None:
        return QCoreApplication.translate(
            "Importance", "Switching off any single head makes this translation no less probable"
        )
    return worth_sentence(worth)


def signed(change: float, decimals: int = 2) -> str:
    """A difference of log probabilities with its sign: "−3.21", "+0.04", "0.00"."""
    text = f"{abs(change):.{decimals}f}"
    if float(text) == 0:
        return text
    return ("−" if change < 0 else "+") + text


def times_text(change: float) -> str:
    """How many times more or less probable a change of log probability makes: "24.8", "e^80"."""
    if abs(change) > math.log(_MOST_TIMES):
        return f"e^{abs(change):.1f}"
    times = math.exp(abs(change))
    return f"{times:.0f}" if times >= 99.95 else f"{times:.3g}"
