"""FormulaView: a formula, set, as wide as its column at most."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.figures.sheet.formula import formula_of, is_set, set_formula
from viewer.giving_way import make_way
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.quiet_scroll import width_beside_bar
from viewer.pages.widgets.reader import Reader

_TYPE = 17.0
_PAD = 8


class FormulaView(Guarded, QWidget):
    """Shows one formula, smaller where it would not fit; its LaTeX is what is read out.

    One that was never set is set in a thread, once the window rests: all of it is Python, and what is built
    and painted meanwhile would take three times as long.
    """

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._latex = ""
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._unset = BeforePaint(self, self._have_set)
        self._setter = Reader(self, urgency=1)
        self._setter.done.connect(self._show_set)
        appearance.changed.connect(self._measure)

    def show_formula(self, latex: str) -> None:
        """Show another formula, LaTeX without dollar signs."""
        if latex != self._latex:
            self._latex = latex
            self.setAccessibleDescription(latex)
            self._measure()

    def sizeHint(self) -> QSize:
        """Its own size."""
        return QSize(200, self.minimumHeight())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it on a quiet ground."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(self._appearance.color("soft"))
        painter.setBrush(self._appearance.color("soft"))
        painter.drawRoundedRect(self.rect().adjusted(0, 0, -1, -1), 6, 6)
        if self._latex and is_set(self._latex) and self.width() > 4 * _PAD:
            formula = formula_of(self._latex, _TYPE * self._appearance.scale, float(self.width() - 2 * _PAD))
            left = (self.width() - formula.width) / 2
            top = (self.height() - formula.height) / 2
            formula.draw(painter, QPointF(left, top), self._appearance.palette.accent)
        painter.end()

    def showEvent(self, event: QShowEvent) -> None:
        """Have it set once there is a frame without it."""
        super().showEvent(event)
        if self._unset.waiting:
            self._unset.ask()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the size that fits."""
        super().resizeEvent(event)
        self._measure()

    def _measure(self) -> None:
        self.setVisible(bool(self._latex))
        if self._latex and not is_set(self._latex):
            self._unset.ask()
        elif self._latex and self.isVisible() and self.width() > 4 * _PAD:
            wide = float(max(2 * _PAD, width_beside_bar(self) - 2 * _PAD))
            formula = formula_of(self._latex, _TYPE * self._appearance.scale, wide)
            self.setMinimumHeight(round(formula.height) + 2 * _PAD)
            self.updateGeometry()
        self.update()

    def _have_set(self) -> None:
        make_way()
        self._setter.read(self._latex, partial(_set, self._latex))

    def _show_set(self) -> None:
        if is_set(self._latex):  # else it cannot be set, and stays away
            self._measure()


def _set(latex: str) -> Iterator[None]:
    set_formula(latex)
    yield
