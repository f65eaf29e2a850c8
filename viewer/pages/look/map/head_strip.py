"""The heads of a layer in their colours; a click draws one alone, with Ctrl or Shift it joins or leaves."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.document.text.lists import names as listed
from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.theme import theme
from viewer.figures.flow.paint import head_color
from viewer.guarded import Guarded
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import show_tip

_WIDE, _NARROW, _HIGH, _GAP = 27, 9, 24, 3
_NUMBERED = 15  # a narrower box has no number


class HeadStrip(Guarded, CellHost, QWidget):
    """One box a head, filled where it is drawn.

    Signals:
        isolated: index of the head to draw alone.
        toggled: index of the head that joins or leaves.
        pointed: index of the head under the pointer; -1: none.
    """

    isolated = Signal(int)
    toggled = Signal(int)
    pointed = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._count = 0
        self._chosen: frozenset[int] = frozenset()
        self._lit = -1
        self._at = 0
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        appearance.changed.connect(self._restyled)

    def show_heads(self, count: int, chosen: frozenset[int]) -> None:
        """How many heads there are, and which are drawn."""
        if (count, chosen) == (self._count, self._chosen):
            return
        self._count, self._chosen = count, chosen
        self._at = min(self._at, max(0, count - 1))
        names = listed(str(head + 1) for head in sorted(chosen))
        self.setAccessibleDescription(self.tr("Heads drawn: {heads}").format(heads=names))
        self.updateGeometry()
        self.update()
        self.follow_cells()

    def cells(self) -> Cells | None:
        """A head a column, and whether it is drawn; one that is chosen is drawn alone."""
        chosen, drawn, absent = self._chosen, self.tr("Head {head}, drawn"), self.tr("Head {head}, not drawn")

        def at(point: QPointF) -> tuple[int, int] | None:
            head = self._head_at(point)
            return None if head < 0 else (0, head)

        return Cells(
            1 if self._count else 0,
            self._count,
            lambda row, head: (drawn if head in chosen else absent).format(head=head + 1),
            current=(0, self._at) if self._count else None,
            rect=lambda row, head: self.rect_of(head),
            at=at,
            choose=lambda row, head: self.isolated.emit(head),
        )

    def light(self, head: int) -> None:
        """Frame a head that the pointer is on in another view; -1: none."""
        if head != self._lit:
            self._lit = head
            self.update()

    def sizeHint(self) -> QSize:
        """All boxes at their full width."""
        return QSize(self._count * self._appearance.px(_WIDE + _GAP), self._appearance.px(_HIGH))

    def minimumSizeHint(self) -> QSize:
        """All boxes, narrow."""
        return QSize(self._count * (_NARROW + 1), self._appearance.px(_HIGH))

    def rect_of(self, head: int) -> QRectF:
        """Where a head's box is."""
        step = min(float(self._appearance.px(_WIDE + _GAP)), self.width() / max(1, self._count))
        gap = min(float(self._appearance.px(_GAP)), step / 5)
        return QRectF(head * step, 1.5, step - gap, self.height() - 3)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the boxes."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        font = self.font()
        font.setPixelSize(self._appearance.px(12))
        painter.setFont(font)
        for head in range(self._count):
            self._draw(painter, head)

    def _draw(self, painter: QPainter, head: int) -> None:
        colours, on = theme(self._appearance.palette.name), head in self._chosen
        colour, box = head_color(colours, head), self.rect_of(head)
        focused = self.hasFocus() and head == self._at
        edge = self._appearance.color("text") if head == self._lit or focused else colour
        painter.setPen(QPen(edge, 2.0 if head == self._lit or focused else 1.2))
        painter.setBrush(colour if on else self._appearance.color("panel"))
        painter.drawRoundedRect(box, self._appearance.px(4), self._appearance.px(4))
        if box.width() >= self._appearance.px(_NUMBERED):
            role = readable_on(colour, colours) if on else "text"
            painter.setPen(colours.color(role))
            painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(head + 1))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Point at a head."""
        self.pointed.emit(self._head_at(event.position()))

    def leaveEvent(self, event: QEvent) -> None:
        """Point at none."""
        self.pointed.emit(-1)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Draw the head alone, or let it join or leave."""
        head = self._head_at(event.position())
        if head < 0 or event.button() != Qt.MouseButton.LeftButton:
            return
        self._at = head
        both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
        (self.toggled if event.modifiers() & both else self.isolated).emit(head)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right go along, Enter draws one alone, Space lets it join or leave."""
        key = Qt.Key(event.key())
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(key)
        if step is not None and self._count:
            self._at = min(max(0, self._at + step), self._count - 1)
            self.update()
            self.follow_cells()
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self._count:
            self.isolated.emit(self._at)
        elif key == Qt.Key.Key_Space and self._count:
            self.toggled.emit(self._at)
        else:
            super().keyPressEvent(event)

    def event(self, event: QEvent) -> Any:
        """Name the head under the pointer."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            head = self._head_at(QPointF(event.pos()))
            text = self.tr("Head {head}: click to draw it alone; with Ctrl or Shift it joins or leaves")
            show_tip(event.globalPos(), text.format(head=head + 1) if head >= 0 else "", self)
            return True
        return super().event(event)

    def _head_at(self, point: QPointF) -> int:
        for head in range(self._count):
            if self.rect_of(head).contains(QPointF(point.x(), self.height() / 2)):
                return head
        return -1

    def _restyled(self) -> None:
        self.updateGeometry()
        self.update()
