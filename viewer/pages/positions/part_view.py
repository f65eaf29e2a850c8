"""`PartView`: a picture of the Positions page whose numbers can be pointed at and walked through."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from viewer.figures.canvas.part import PartGeometry
from viewer.figures.drawing import DrawOptions
from viewer.figures.figure import AnyFigure, Body
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip

_FAR = 10


class PartView(FigureView[Body, PartGeometry]):
    """Draws what a builder gives; says the numbers under the pointer.

    Signals:
        read_out: what the pointer is on.
        pair_chosen, offset_chosen, head_chosen: a pair, an offset or a head was clicked.
        moved: the arrow keys go so far from what is chosen; up and down by ten.
    """

    read_out = Signal(str)
    pair_chosen = Signal(int)
    offset_chosen = Signal(int)
    head_chosen = Signal(int)
    moved = Signal(int)

    def __init__(
        self,
        appearance: Appearance,
        builder: Callable[[], AnyFigure | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._builder = builder
        self.setMinimumSize(240, 200)

    def build(self) -> AnyFigure | None:
        """What there is to show now."""
        return self._builder()

    def options(self) -> DrawOptions:
        """Say above the picture what it is."""
        return replace(super().options(), title=True, badges=True)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        place = self.geometry_now()
        return "" if place is None else place.sentence_at(point)

    def pair_at(self, point: QPointF) -> int | None:
        """The pair at a point."""
        place = self.geometry_now()
        return None if place is None else place.pair_at(point)

    def offset_at(self, point: QPointF) -> int | None:
        """The offset at a point."""
        place = self.geometry_now()
        return None if place is None else place.offset_at(point)

    def head_at(self, point: QPointF) -> int | None:
        """The head at a point."""
        place = self.geometry_now()
        return None if place is None else place.head_at(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say what is under the pointer."""
        point = event.position()
        found = (self.pair_at(point), self.offset_at(point), self.head_at(point))
        takes = any(each is not None for each in found)
        self.setCursor(Qt.CursorShape.PointingHandCursor if takes else Qt.CursorShape.ArrowCursor)
        self.read_out.emit(self.sentence_at(point))

    def event(self, event: QEvent) -> bool:
        """Say it beside the pointer too, once that rests."""
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            text = self.sentence_at(QPointF(event.pos()))
            if text:
                show_tip(event.globalPos(), text, self)
            else:
                QToolTip.hideText()
            return True
        return super().event(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose what was clicked."""
        super().mousePressEvent(event)
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        pair, offset, head = self.pair_at(point), self.offset_at(point), self.head_at(point)
        if pair is not None:
            self.pair_chosen.emit(pair)
        if offset is not None:
            self.offset_chosen.emit(offset)
        if head is not None:
            self.head_chosen.emit(head)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.read_out.emit("")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Walk from number to number."""
        steps = {
            Qt.Key.Key_Left: -1,
            Qt.Key.Key_Right: 1,
            Qt.Key.Key_Down: -_FAR,
            Qt.Key.Key_Up: _FAR,
        }
        step = steps.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if step is None or not plain:
            super().keyPressEvent(event)
        else:
            self.moved.emit(step)
