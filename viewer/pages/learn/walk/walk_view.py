"""`WalkView`: the architecture map with one stage beside it, to click and to walk through by keys."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QWidget

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.walk.layout import WalkGeometry
from viewer.figures.walk.spec import BarsDetail, Block, WalkSpec
from viewer.figures.walk.spoken import block_sentence
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip

_STAGES = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_POSITIONS = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}


class WalkView(FigureView[WalkSpec, WalkGeometry]):
    """Draws the figure that its page makes.

    Signals:
        stage_chosen: side (`source` or `target`), index of the stage in that side's walk.
        position_moved: +1 or -1: the neighbouring token.
        head_chosen: layer, head: one of the bars of an attention sub-layer.
    """

    stage_chosen = Signal(str, int)
    position_moved = Signal(int)
    head_chosen = Signal(int, int)

    def __init__(
        self,
        appearance: Appearance,
        make: Callable[[], FigureSpec[WalkSpec] | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make

    def build(self) -> FigureSpec[WalkSpec] | None:
        """The page's figure; what it says is told to those who do not see it."""
        figure = self._make()
        if figure is not None:
            spec = figure.body
            self.setAccessibleDescription(" ".join([spec.title, spec.heading, *spec.sentences]))
        return figure

    def options(self) -> DrawOptions:
        """The tokens above say which position it is."""
        return replace(super().options(), badges=True, hover=self.spot, compact=False)

    def block_at(self, point: QPointF) -> Block | None:
        """The block under a point of the widget."""
        place = self.geometry_now()
        found = None if place is None else place.block_at(point)
        return None if place is None or found is None else place.columns[found[0]].stack.blocks[found[1]]

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light the block under the pointer and tell its numbers."""
        place = self.geometry_now()
        if place is None:
            return
        found, bar = place.block_at(event.position()), place.bar_at(event.position())
        block = None if found is None else place.columns[found[0]].stack.blocks[found[1]]
        opens = (block is not None and block.stage is not None) or (bar is not None and self._heads(place))
        self.setCursor(Qt.CursorShape.PointingHandCursor if opens else Qt.CursorShape.ArrowCursor)
        if found != self.spot:
            self.put_spot(found)
            self.update()
            said = "" if block is None else block_sentence(block)
            show_tip(event.globalPosition().toPoint(), said, self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Open a block, or go to a head."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        place = self.geometry_now()
        if place is None:
            return
        found, bar = place.block_at(point), place.bar_at(point)
        if found is not None:
            stack = place.columns[found[0]].stack
            stage = stack.blocks[found[1]].stage
            if stage is not None:
                self.stage_chosen.emit(stack.side, stage)
        elif bar is not None and self._heads(place):
            detail = place.spec.detail
            assert isinstance(detail, BarsDetail)
            self.head_chosen.emit(detail.head_layer, detail.rows[bar].index)

    def _heads(self, place: WalkGeometry) -> bool:
        return isinstance(place.spec.detail, BarsDetail) and place.spec.detail.head_layer is not None

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down walk through the stages, left and right along the sentence."""
        key = Qt.Key(event.key())
        plain = not event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        spec = self.spec
        if not plain or spec is None or spec.selected < 0:
            super().keyPressEvent(event)
        elif key in _STAGES:
            self.stage_chosen.emit(spec.side, spec.selected + _STAGES[key])
        elif key in _POSITIONS:
            self.position_moved.emit(_POSITIONS[key])
        else:
            super().keyPressEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()
