"""BlocksView: the figure of the architecture, whose blocks are chosen by mouse and arrows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from viewer.document.text.lists import phrases
from viewer.figures.architecture.layout import ArchitectureGeometry
from viewer.figures.architecture.spec import ArchitectureSpec, Block
from viewer.figures.architecture.text import shape_text
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.drawing import figure_height
from viewer.figures.figure import FigureSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.learn.architecture.facts import parameters_text
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.quiet_scroll import width_beside_bar

_ALONG = {Qt.Key.Key_Up: 1, Qt.Key.Key_Down: -1}
_ENDS = {Qt.Key.Key_Home: 0, Qt.Key.Key_End: -1}
_ACROSS = (Qt.Key.Key_Left, Qt.Key.Key_Right)
_LARGEST, _USUAL = 1.45, (760, 690)
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)


class BlocksView(FigureView[ArchitectureSpec, ArchitectureGeometry]):
    """Draws the figure that its page makes, as high as its blocks need.

    Signals:
        chosen: key of a block.
        opened: the block in view is to be opened (Enter, a double click).
        folded: a layer's heading was clicked.
        play_asked: Space.
    """

    chosen = Signal(str)
    opened = Signal()
    folded = Signal()
    play_asked = Signal()

    def __init__(
        self,
        appearance: Appearance,
        make: Callable[[], FigureSpec[ArchitectureSpec] | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make
        self._asked = 0
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.MinimumExpanding)

    def build(self) -> FigureSpec[ArchitectureSpec] | None:
        """The page's figure."""
        return self._make()

    def options(self) -> DrawOptions:
        """The page says the title."""
        scale = self.look.scale * self._growth
        return replace(
            DrawOptions(title=False, font_scale=scale, least_type=self.look.least_type),
            hover=self.spot if isinstance(self.spot, tuple) else None,
        )

    @property
    def _growth(self) -> float:
        """A folded figure grows with its room."""
        room, spec = self.parentWidget(), self.spec
        if room is None or spec is None or spec.unfolded:
            return 1.0
        high, wide = room.height() / self.look.scale, room.width() / self.look.scale
        return min(_LARGEST, max(1.0, min(high / _USUAL[1], wide / _USUAL[0])))

    def settled(self) -> None:
        """Ask for the height that another figure needs."""
        self._ask_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Another width may need another height."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._ask_height()

    def sizeHint(self) -> QSize:
        """As high as the figure asks for."""
        return QSize(420, max(160, self._asked))

    def place_of(self, key: str) -> QRectF | None:
        """Where a block stands in the widget; None where it is not drawn."""
        place = self.geometry_now()
        return None if place is None else place.place_of(key)

    def cells(self) -> Cells | None:
        """A block a row, in the order of computation; chosen by its key."""
        spec = self.spec
        if spec is None:
            return None
        blocks = [(stack, block) for stack in spec.stacks for block in stack.blocks]
        at = [row for row, (_, block) in enumerate(blocks) if block.key == spec.chosen]

        def under(point: QPointF) -> tuple[int, int] | None:
            place = self.geometry_now()
            found = None if place is None else place.block_at(point)
            return next(((row, 0) for row, (_, block) in enumerate(blocks) if block is found), None)

        return Cells(
            len(blocks),
            1,
            lambda row, column: self.sentence_of(blocks[row][1]),
            lambda row: blocks[row][0].foot,
            current=(at[0], 0) if at else None,
            rect=lambda row, column: self.place_of(blocks[row][1].key),
            at=under,
            choose=lambda row, column: self.chosen.emit(blocks[row][1].key),
        )

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a block, or fold and unfold by a layer's heading."""
        place = self.geometry_now()
        if place is None or event.button() != Qt.MouseButton.LeftButton:
            super().mousePressEvent(event)
            return
        block = place.block_at(event.position())
        if block is not None:
            self.chosen.emit(block.key)
        elif place.layer_at(event.position()) is not None:
            self.folded.emit()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Open what the first click has chosen."""
        place = self.geometry_now()
        if place is not None and place.block_at(event.position()) is not None:
            self.opened.emit()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Light what is under the pointer and tell of it."""
        place = self.geometry_now()
        if place is None:
            return
        block, layer = place.block_at(event.position()), place.layer_at(event.position())
        spot = None if block is None else self._spot_of(place, block)
        over = block is not None or layer is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        show_tip(event.globalPosition().toPoint(), self.sentence_at(event.position()), self)
        if spot != self.spot:
            self.put_spot(spot)
            self.update()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()

    def sentence_at(self, point: QPointF) -> str:
        """What is told of what is at a point; empty for nothing."""
        place = self.geometry_now()
        if place is None:
            return ""
        block = place.block_at(point)
        if block is not None:
            return self.sentence_of(block)
        if place.layer_at(point) is not None:
            if place.spec.unfolded:
                return self.tr("Click to show one layer of each stack")
            return self.tr("Click to show every layer")
        cached = place.cache_at(point)
        if cached is None:
            return ""
        text = self.tr("Keys and values of {count} positions are kept and not computed again.")
        return text.format(count=cached.cache)

    def sentence_of(self, block: Block) -> str:
        """Name and numbers of a block."""
        said = [block.name.removeprefix("+ "), block.note]
        if block.shape:
            said.append(self.tr("output {shape}").format(shape=shape_text(block.shape)))
        if block.parameters is not None:
            said.append(self.tr("{count} parameters").format(count=parameters_text(block)))
        return phrases(part for part in said if part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down along the order, left and right to the other stack, Ctrl with up and down by layers."""
        key, spec = Qt.Key(event.key()), self.spec
        modifiers = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        control = modifiers == Qt.KeyboardModifier.ControlModifier
        if spec is None or not spec.order or (modifiers and not control):
            super().keyPressEvent(event)
            return
        at = spec.order.index(spec.chosen) if spec.chosen in spec.order else 0
        if control and key in _ALONG:
            self._choose(self._by_layer(spec, spec.order[at], _ALONG[key]))
        elif control:
            super().keyPressEvent(event)
        elif key in _ALONG:
            self._choose(spec.order[min(max(0, at + _ALONG[key]), len(spec.order) - 1)])
        elif key in _ENDS:
            self._choose(spec.order[_ENDS[key]])
        elif key in _ACROSS:
            self._choose(self._beside(spec.chosen))
        elif key in _ENTER:
            self.opened.emit()
        elif key == Qt.Key.Key_Space:
            self.play_asked.emit()
        else:
            super().keyPressEvent(event)

    def _choose(self, key: str) -> None:
        if key:
            self.chosen.emit(key)

    @staticmethod
    def _by_layer(spec: ArchitectureSpec, key: str, by: int) -> str:
        """The same block of the next layer; empty where there is none."""
        parts = key.split(".")
        if not parts[1].isdigit():
            return ""
        other = ".".join([parts[0], str(int(parts[1]) + by), *parts[2:]])
        return other if other in spec.order else ""

    def _beside(self, key: str) -> str:
        """The nearest block of the other stack; empty where there is none."""
        place = self.geometry_now()
        here = None if place is None else place.place_of(key)
        if place is None or here is None or len(place.columns) < 2:
            return ""
        others = next(c for c in place.columns if all(block.key != key for block in c.stack.blocks))
        pairs = zip(others.blocks, others.stack.blocks, strict=True)
        return min(pairs, key=lambda pair: abs(pair[0].center().y() - here.center().y()))[1].key

    @staticmethod
    def _spot_of(place: ArchitectureGeometry, block: Block) -> tuple[int, int]:
        for number, column in enumerate(place.columns):
            if block in column.stack.blocks:
                return number, column.stack.blocks.index(block)
        raise KeyError(block.key)

    def _ask_height(self) -> None:
        figure = self.figure
        if figure is None or self.width() < 40:
            return
        width = max(20, width_beside_bar(self) - 2 * self.margin)
        asked = round(figure_height(figure, width, self.options()) + 2 * self.margin)
        if asked != self._asked:
            self._asked = asked
            self.setMinimumHeight(asked)
            self.updateGeometry()
