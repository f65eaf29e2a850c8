"""Pieces as chips that can be put into another order: by dragging, by keys, all at once."""

from __future__ import annotations

import random
from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.document.text.token_text import token_texts
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.worded import Worded

_GAP = 8.0


class PieceOrder(Worded, CellHost, QWidget):
    """Chips in as many lines as they need.

    Attributes:
        order: which piece stands in each place, as in `model.alterations.reorder.Reorder`.

    Signals:
        reordered: the user put the pieces into another order.
    """

    reordered = Signal()

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._texts: tuple[str, ...] = ()
        self.order: tuple[int, ...] = ()
        self._places: list[QRectF] = []
        self._current = 0
        self._held = False
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self._arrange)
        self._arrange()

    def show_pieces(self, pieces: Sequence[str], order: Sequence[int]) -> None:
        """Show raw pieces of a sentence in an order."""
        self._texts = tuple(token.marked for token in token_texts(pieces))
        self.order = tuple(order)
        self._current, self._held = 0, False
        self._arrange()

    def reverse(self) -> None:
        """Turn the order around."""
        self._take(self.order[::-1])

    def shuffle(self) -> None:
        """Draw another order."""
        drawn = list(self.order)
        while len(drawn) > 1 and tuple(drawn) == self.order:
            random.shuffle(drawn)
        self._take(tuple(drawn))

    def move_piece(self, place: int, to: int) -> None:
        """Take the piece out of a place and put it in another one."""
        if place != to and 0 <= place < len(self.order) and 0 <= to < len(self.order):
            order = list(self.order)
            order.insert(to, order.pop(place))
            self._current = to
            self._take(tuple(order))

    def chip_center(self, place: int) -> QPointF:
        """Where the chip in a place is drawn."""
        return self._places[place].center()

    def sizeHint(self) -> QSize:
        """As high as the lines."""
        return QSize(self._appearance.px(200), self.height())

    def _take(self, order: tuple[int, ...]) -> None:
        if order != self.order:
            self.order = order
            self._arrange()
            self.reordered.emit()

    def _arrange(self) -> None:
        font = self.font()
        font.setPixelSize(self._appearance.px(17))
        metrics = QFontMetricsF(font)
        height, inside = metrics.height() * 1.5, metrics.height() * 0.5
        x = y = 2.0
        self._places = []
        for piece in self.order:
            width = max(metrics.horizontalAdvance(self._texts[piece]) + 2 * inside, height)
            if x > 2.0 and x + width > self.width() - 2:
                x, y = 2.0, y + height + _GAP
            self._places.append(QRectF(x, y, width, height))
            x += width + _GAP
        self.setFixedHeight(round(y + height + 2))
        self.setAccessibleDescription(" ".join(self._texts[piece] for piece in self.order))
        self.update()
        self.follow_cells()

    def cells(self) -> Cells | None:
        """A piece a column, as they stand; keys move the one that is chosen."""
        order = self.order

        def at(point: QPointF) -> tuple[int, int] | None:
            place = self._at(point)
            return None if place is None else (0, place)

        return Cells(
            1 if order else 0,
            len(order),
            lambda row, place: self._texts[order[place]],
            current=(0, self._current) if self._current < len(order) else None,
            rect=lambda row, place: QRectF(self._places[place]),
            at=at,
            choose=lambda row, place: self._go(place),
        )

    def _go(self, place: int) -> None:
        """The keys are at another piece."""
        self._current = place
        self.update()
        self.follow_cells()

    def _at(self, point: QPointF) -> int | None:
        return next((i for i, place in enumerate(self._places) if place.contains(point)), None)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the lines elsewhere."""
        if event.size().width() != event.oldSize().width():
            self._arrange()

    def retranslate(self) -> None:
        """Take the language in force: special pieces have names."""
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of a chip."""
        place = self._at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and place is not None:
            self._current, self._held = place, True
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            self.update()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the chip past a neighbour once the pointer is beyond its middle: wide ones come to rest."""
        place = self._at(event.position())
        if not self._held or place is None or place == self._current:
            return
        middle = self._places[place].center().x()
        own_line = self._places[place].top() == self._places[self._current].top()
        beyond = event.position().x() > middle if place > self._current else event.position().x() < middle
        if beyond or not own_line:
            self.move_piece(self._current, place)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._held = False
        self.unsetCursor()
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows choose a chip, with Shift they move it."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
        if step is None or plain or not self.order:
            super().keyPressEvent(event)
        elif event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self.move_piece(self._current, self._current + step)
        else:
            self._go(min(max(0, self._current + step), len(self.order) - 1))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the chips; the current one has an accent frame while the keys belong to it."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        look, live = self._appearance, self.isEnabled()
        for place, (piece, rect) in enumerate(zip(self.order, self._places)):
            current = place == self._current and (self.hasFocus() or self._held)
            painter.setPen(
                QPen(look.color("accent" if current else "border_strong"), 2.0 if current else 1.0)
            )
            painter.setBrush(look.color("soft" if live else "window"))
            painter.drawRoundedRect(rect.adjusted(1, 1, -1, -1), look.px(6), look.px(6))
            painter.setPen(look.color("text" if live else "disabled"))
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, self._texts[piece])
        painter.end()
