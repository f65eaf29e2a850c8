"""Two ways of computing a translation side by side: probabilities step by step, and a head's maps."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace.trace import Floats
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.matrix import Mask
from viewer.figures.canvas.plot import Axis
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part

translate = QCoreApplication.translate

_MOST_BARS = 24  # steps; of a longer translation a curve says more


def shown(pieces: Sequence[str], *, starts: bool = False) -> list[str]:
    """Pieces of a sentence as a person reads them."""
    return [token.marked for token in token_texts(tuple(pieces), starts=starts)]


def row_names(read: Sequence[str], out: Sequence[str]) -> list[str]:
    """What the decoder reads at each step, and what it predicts there."""
    return [f"{one} → {other}" for one, other in zip(shown(read, starts=True), shown(out), strict=True)]


def share_text(value: float) -> str:
    """A probability or a weight in percent."""
    percent = 100 * value
    return f"{percent:.1f}" if percent >= 0.1 else f"{percent:.2g}".replace("-", "−")


def unbroken(sentence: str) -> str:
    """A sentence in which no line ends before a percent sign."""
    return sentence.replace(" %", "\u00a0%")


def probabilities(
    heading: str, tokens: Sequence[str], ways: Sequence[tuple[str, Floats]], strong: Sequence[int] = ()
) -> Part:
    """The probability of every token of a translation, each way's from its natural log probabilities [T]."""
    values = [(name, np.exp(logprobs.astype(np.float64))) for name, logprobs in ways]
    if len(tokens) <= _MOST_BARS:
        series = tuple(BarSeries(name, found.tolist(), index) for index, (name, found) in enumerate(values))
        return Bars(heading, tokens, series, 1.0, tuple(strong))
    steps = np.arange(1, len(tokens) + 1)
    lines = tuple(
        Line(name, steps.tolist(), found.tolist(), index) for index, (name, found) in enumerate(values)
    )
    x = Axis(1, len(tokens), translate("Lessons", "step"))
    return Curves(heading, x, Axis(0.0, 1.0, translate("Lessons", "probability")), lines)


def head_maps(
    headings: tuple[str, str],
    maps: tuple[Floats, Floats],
    forbidden: tuple[Mask | None, Mask | None],
    rows: Sequence[str],
    columns: Sequence[str],
    picks: tuple[str, str] = ("", ""),
) -> tuple[Part, ...]:
    """A head's weights [Q, K] the one way and the other, on one scale from 0 to 1."""
    return tuple(
        Grid(
            heading,
            weights,
            rows,
            columns,
            masked=hidden,
            picks=picks,
            column_title=translate("Lessons", "attends to →"),
        )
        for heading, weights, hidden in zip(headings, maps, forbidden, strict=True)
    )
