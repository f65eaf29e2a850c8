"""`EffectsView`: what carrying over from A into B did; a click on a cell asks for its translation."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from viewer.figures.canvas.theme import Theme
from viewer.figures.effects.layout import Cell, EffectsGeometry
from viewer.figures.effects.spec import EffectsSpec
from viewer.figures.figure import FigureSpec
from viewer.pages.look.map.map_view import MOVES
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip


class EffectsView(FigureView[EffectsSpec, EffectsGeometry]):
    """The arrows move from cell to cell, Enter asks for the translation.

    Attributes:
        makes: whether a cell makes a translation, so that a click does something.

    Signals:
        read_out: the sentence of the cell under the pointer; empty when there is none.
        picked: grid, row and column of a cell that was clicked.
    """

    read_out = Signal(str)
    picked = Signal(object)

    def __init__(
        self,
        appearance: Appearance,
        make: Callable[[], FigureSpec[EffectsSpec] | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make
        self.makes = True

    def build(self) -> FigureSpec[EffectsSpec] | None:
        """The panel's figure."""
        return self._make()

    def draw(self, painter: QPainter, figure: FigureSpec[EffectsSpec], rect: QRectF, colours: Theme) -> None:
        """With a frame around the cell that the pointer or the keys are on."""
        super().draw(painter, figure, rect, colours)
        place = self.geometry_now()
        if place is not None and self.spot is not None:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(colours.color("outline"))
            painter.drawRect(place.rect_of(self.spot))

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        cell = self.cell_under(point)
        if cell is not None and self.makes:
            self.picked.emit(cell)

    def cell_under(self, point: QPointF) -> Cell | None:
        """The cell under a point."""
        place = self.geometry_now()
        return None if place is None else place.cell_at(point)

    def sentence(self, cell: Cell | None) -> str:
        """What a cell says."""
        spec = self.spec
        return "" if spec is None or cell is None else spec.grids[cell[0]].said(*cell[1:])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Ask for a cell's translation."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the cell under the pointer."""
        cell = self.cell_under(event.position())
        if cell == self.spot:
            return
        self._go(cell)
        asks = cell is not None and self.makes
        self.setCursor(Qt.CursorShape.PointingHandCursor if asks else Qt.CursorShape.ArrowCursor)
        show_tip(event.globalPosition().toPoint(), self.sentence(cell), self)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._go(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows go from cell to cell, from grid to grid; Enter asks."""
        key, spec = Qt.Key(event.key()), self.spec
        if spec is None or not spec.grids:
            super().keyPressEvent(event)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.spot is not None:
            if self.makes:
                self.picked.emit(self.spot)
        elif key in MOVES and event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == (
            Qt.KeyboardModifier.NoModifier
        ):
            self._go(_moved(spec, self.spot, *MOVES[key]))
        else:
            super().keyPressEvent(event)

    def _go(self, cell: Cell | None) -> None:
        self.put_spot(cell)
        self.update()
        text = self.sentence(cell)
        self.setAccessibleDescription(text)
        self.read_out.emit(text)


def _moved(spec: EffectsSpec, cell: Cell | None, down: int, across: int) -> Cell:
    """The next cell; beyond the edge of a grid the next grid's."""
    if cell is None:
        return 0, 0, 0
    place, row, column = cell[0], cell[1] + down, cell[2] + across
    rows, columns = spec.grids[place].values.shape
    step = 1 if row >= rows or column >= columns else -1 if row < 0 or column < 0 else 0
    if step and 0 <= place + step < len(spec.grids):
        place += step
        rows, columns = spec.grids[place].values.shape
        row = (0 if step > 0 else rows - 1) if down else row
        column = (0 if step > 0 else columns - 1) if across else column
    return place, min(max(0, row), rows - 1), min(max(0, column), columns - 1)
