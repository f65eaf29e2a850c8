"""`PositionsView`: the encoding as heatmap, curves and similarity, with a read-out."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QHelpEvent, QMouseEvent
from PySide6.QtWidgets import QToolTip, QWidget

from viewer.document.positions.positions_known import KnownPositions
from viewer.figures.canvas.part import PartGeometry
from viewer.figures.drawing import DrawOptions
from viewer.figures.figure import AnyFigure, Body
from viewer.figures.positions.known import shown_as
from viewer.figures.request import ExportRequest
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip


class PositionsView(FigureView[Body, PartGeometry]):
    """Draws one model's encoding, or the angles of its rotations.

    Signals:
        read_out: what the pointer is on.
        dimension_clicked: a column of the heatmap was clicked: a dimension, of rotations a pair.
    """

    read_out = Signal(str)
    dimension_clicked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._table: KnownPositions | None = None
        self._curves: tuple[int, ...] = ()
        self._count = 64

    def show_encoding(self, table: KnownPositions | None, curves: tuple[int, ...], count: int) -> None:
        """Take a table (or rotations), dimensions (or pairs) drawn as curves, how many positions to show."""
        self._table, self._curves, self._count = table, curves, count
        self.mark_dirty()

    def build(self) -> AnyFigure | None:
        """The figure of the table; None without one."""
        table = self._table
        if table is None:
            return None
        return shown_as(table).build(table, ExportRequest(positions=self._count, curves=self._curves))

    def options(self) -> DrawOptions:
        """Say above the picture what it is."""
        return replace(super().options(), title=True, badges=True)

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point."""
        geometry = self.geometry_now()
        return "" if geometry is None else geometry.sentence_at(point)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out the cell under the pointer."""
        geometry = self.geometry_now()
        over = geometry is not None and geometry.cell_at(event.position()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        self.read_out.emit(self.sentence_at(event.position()))

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
        """A click on the heatmap draws, or takes away, that dimension's curve."""
        if event.button() == Qt.MouseButton.LeftButton:
            self.press(event.position())

    def press(self, point: QPointF) -> None:
        """See `FigureView`."""
        geometry = self.geometry_now()
        cell = None if geometry is None else geometry.cell_at(point)
        if cell is not None:
            self.dimension_clicked.emit(cell[1])

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.read_out.emit("")
