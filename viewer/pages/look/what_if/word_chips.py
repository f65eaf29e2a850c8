"""Word chips that wrap into lines, each with a sign for what became of it."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, Literal

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import (
    QFont,
    QFontMetricsF,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from viewer.document.text.lists import phrases
from viewer.guarded import Guarded
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import show_tip
from viewer.text_widths import TextWidths

State = Literal["same", "changed", "removed", "inserted", "blocked"]
_SIGNS = {"same": "", "changed": "≠ ", "removed": "− ", "inserted": "+ ", "blocked": ""}
_GROUNDS = {"same": "hover", "changed": "warn", "removed": "hover", "inserted": "soft", "blocked": "hover"}
_STRUCK = ("removed", "blocked")
_LEAST = 20.0  # pixels of a chip, however narrow the row


@dataclass(slots=True)  # not frozen: there may be thousands, and that makes each four times as slow
class WordChip:
    """One token; `removed` and `blocked` ones are struck through."""

    text: str
    state: State = "same"
    tip: str = ""
    dim: bool = False

    @property
    def shown(self) -> str:
        """The text after its sign."""
        return _SIGNS[self.state] + self.text


class WordChips(Guarded, CellHost, QWidget):
    """Chips in as many lines as they need.

    Signals:
        chosen: index of the chip that was clicked, or taken by the space bar.
    """

    chosen = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.chips: tuple[WordChip, ...] = ()
        self._starts: list[float] = [0.0]  # of each chip, and the end, as if they stood in one line
        self._lines: list[int] = []  # the first chip of each
        self._high = self._apart = self._inside = 0.0
        self._cursor = 0
        self._clickable = False
        self._type = self.font()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.setMouseTracking(True)
        self._widths = TextWidths(self._type)
        self._wide: list[float] | None = None  # of each chip
        appearance.changed.connect(self._arrange)

    def set_clickable(self, on: bool) -> None:
        """Whether chips can be chosen by click, and by arrow keys and the space bar."""
        self._clickable = on
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if on else Qt.FocusPolicy.NoFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor if on else Qt.CursorShape.ArrowCursor)

    def show_chips(self, chips: tuple[WordChip, ...]) -> None:
        """Replace the chips."""
        if chips != self.chips:
            self.chips = chips
            self._cursor = min(self._cursor, max(0, len(chips) - 1))
            self._wide = None
            self._arrange()
            self.setAccessibleDescription(" ".join(chip.shown for chip in chips))

    def cells(self) -> Cells | None:
        """A chip a column, with what its sign means."""
        chips = self.chips

        def at(point: QPointF) -> tuple[int, int] | None:
            index = self._at(point)
            return None if index < 0 else (0, index)

        def choose(row: int, index: int) -> None:
            if self._clickable:
                self.chosen.emit(index)

        return Cells(
            1 if chips else 0,
            len(chips),
            lambda row, index: phrases(filter(None, (chips[index].shown, chips[index].tip))),
            current=(0, self._cursor) if chips and self._clickable else None,
            rect=lambda row, index: self.chip_rect(index),
            at=at,
            choose=choose,
        )

    def chip_rect(self, index: int) -> QRectF:
        """Where a chip is."""
        line = bisect_right(self._lines, index) - 1
        left, right = self._starts[index], self._starts[index + 1]
        start = self._starts[self._lines[line]]
        return QRectF(left - start, line * self._pitch, right - left - self._apart, self._high)

    def _arrange(self) -> None:
        # Not the widget's own font: the style sheet has the last word on that, at a time of its choosing.
        kind = QFont(self.font())
        kind.setPixelSize(self._appearance.px(13))
        if kind != self._type:
            self._type, self._widths, self._wide = kind, TextWidths(kind), None
        self._high, self._apart = QFontMetricsF(kind).height() + 4, self._appearance.px(4)
        self._inside = 2 * self._appearance.px(5)
        self._set_lines(max(_LEAST, float(self.width())))
        self.setFixedHeight(round(len(self._lines) * self._pitch - self._apart + 1) if self.chips else 0)
        self.update()
        self.follow_cells()

    def _set_lines(self, most: float) -> None:
        """Where lines begin. A search for each line: a panel that opens has several widths in turn."""
        widest, own = most - self._inside, self._inside + self._apart
        measured = self._measured()
        if max(measured, default=0.0) > widest:
            measured = [min(wide, widest) for wide in measured]
        self._starts = starts = list(accumulate([wide + own for wide in measured], initial=0.0))
        self._lines, first = [], 0
        while first < len(measured):
            self._lines.append(first)
            first = max(first + 1, bisect_right(starts, starts[first] + most + self._apart) - 1)

    @property
    def _pitch(self) -> float:
        """From one line to the next."""
        return self._high + self._apart

    def _measured(self) -> list[float]:
        """How wide each chip's word is."""
        if self._wide is None:
            self._wide = [self._widths.of(chip.shown) for chip in self.chips]
        return self._wide

    def _among(self, top: float, bottom: float) -> range:
        """The chips of the lines that reach into a stretch."""
        if not self.chips:
            return range(0)
        ends = [*self._lines, len(self.chips)]
        first = math.floor((top - self._high) / self._pitch) + 1
        last = math.ceil(bottom / self._pitch)
        first, last = (min(max(0, line), len(self._lines)) for line in (first, last))
        return range(ends[first], ends[last])

    def _at(self, point: QPointF) -> int:
        among = self._among(point.y(), point.y() + 1)
        return next((index for index in among if self.chip_rect(index).contains(point)), -1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._type)
        seen = QRectF(event.rect())
        for index in self._among(seen.top(), seen.bottom()):
            place = self.chip_rect(index)
            if place.intersects(seen):
                self._draw(painter, index, self.chips[index], place)
        painter.end()

    def _draw(self, painter: QPainter, index: int, chip: WordChip, place: QRectF) -> None:
        look, struck = self._appearance, chip.state in _STRUCK
        inside = place.adjusted(0.5, 0.5, -0.5, -0.5)
        at_cursor = self.hasFocus() and index == self._cursor
        edge = {"changed": "warn_border", "inserted": "accent", "removed": "problem", "blocked": "problem"}
        name = "accent" if at_cursor else edge.get(chip.state, "border" if self._clickable else "hover")
        painter.setPen(QPen(look.color(name), 2.0 if at_cursor else 1.0))
        painter.setBrush(look.color(_GROUNDS[chip.state]))
        painter.drawRoundedRect(inside, look.px(5), look.px(5))
        quiet = chip.dim or struck or not self.isEnabled()
        painter.setPen(look.color("muted" if quiet else "warn_text" if chip.state == "changed" else "text"))
        room = place.width() - 2 * look.px(5) + look.px(2)  # measured letter by letter
        text = painter.fontMetrics().elidedText(chip.shown, Qt.TextElideMode.ElideRight, math.ceil(room))
        painter.drawText(place, Qt.AlignmentFlag.AlignCenter, text)
        if struck:
            painter.setPen(QPen(look.color("problem"), 1.5))
            y = place.center().y() + 0.5
            painter.drawLine(QPointF(place.left() + 3, y), QPointF(place.right() - 3, y))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Other lines at another width."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a chip."""
        index = self._at(event.position())
        if self._clickable and index >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self._cursor = index
            self.update()
            self.chosen.emit(index)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go to a neighbour, the space bar chooses."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if not self._clickable or not self.chips or not plain:
            super().keyPressEvent(event)
        elif step is not None:
            self._cursor = min(max(0, self._cursor + step), len(self.chips) - 1)
            self.update()
            self.follow_cells()
        elif event.key() == Qt.Key.Key_Space:
            self.chosen.emit(self._cursor)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> Any:
        """Tooltips of single chips."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            index = self._at(QPointF(event.pos()))
            if index >= 0 and self.chips[index].tip:
                show_tip(event.globalPos(), self.chips[index].tip, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)
