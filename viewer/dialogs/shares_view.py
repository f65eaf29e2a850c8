"""`SharesView`: what temperature and filters make of one step's probabilities: two bars a word."""

from __future__ import annotations

import math
from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QProgressBar, QWidget

from viewer.document.sampling_preview import Bounds, StepShares
from viewer.pages.widgets.buttons import Label, label
from viewer.pages.widgets.wording import percent

_FULL = 1000
_LONGEST_WORD = 18


class SharesView(QWidget):
    """A row a word: the model's own probability, and what it is drawn with; words left out are struck out.

    Attributes:
        words, before, after: the labels of the rows, from the most probable word down.
    """

    def __init__(self, shares: StepShares, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: list[Label] = []
        self.before: list[Label] = []
        self.after: list[Label] = []
        self._bars: list[QProgressBar] = []
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(1)
        grid.setColumnStretch(2, 1)
        grid.setColumnStretch(4, 1)
        grid.addWidget(label("small", self.tr("Word")), 0, 0)
        grid.addWidget(label("small", self.tr("Model")), 0, 1, 1, 2)
        grid.addWidget(label("small", self.tr("When sampled")), 0, 3, 1, 2)
        for row, (word, logprob) in enumerate(zip(shares.words, shares.logprobs, strict=True), 1):
            share = math.exp(min(0.0, logprob))
            cut = word if len(word) <= _LONGEST_WORD else word[: _LONGEST_WORD - 1] + "…"
            self.words.append(label("", cut))
            self.before.append(label("", percent(share)))
            self.after.append(label())
            first, second = _bar(share), _bar(0.0)
            self._bars.append(second)
            for column, widget in enumerate((self.words[-1], self.before[-1], first, self.after[-1], second)):
                grid.addWidget(widget, row, column, Qt.AlignmentFlag.AlignVCenter)
            for number in (self.before[-1], self.after[-1]):
                number.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_drawn(self, drawn: Sequence[Bounds]) -> None:
        """Take what each word is drawn with."""
        for bounds, word, number, bar in zip(drawn, self.words, self.after, self._bars, strict=True):
            out = bounds.high <= 0
            font = word.font()
            font.setStrikeOut(out)
            word.setFont(font)
            number.setText(self.tr("left out") if out else between(bounds))
            bar.setValue(round(_FULL * bounds.low))
            number.setEnabled(not out)
            word.setEnabled(not out)


def between(bounds: Bounds) -> str:
    """A share, or the two that it lies between where more is not known."""
    low, high = percent(bounds.low), percent(bounds.high)
    return low if low == high else f"{low} – {high}"


def _bar(share: float) -> QProgressBar:
    bar = QProgressBar()
    bar.setTextVisible(False)
    bar.setRange(0, _FULL)
    bar.setValue(round(_FULL * share))
    bar.setMinimumWidth(60)
    return bar
