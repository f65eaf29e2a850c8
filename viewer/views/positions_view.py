"""The picture of the positional encoding: heatmap, curves and similarity, with a read-out."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QEvent, QRectF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from viewer.drawing.paint import DrawOptions, figure_geometry, paint_figure
from viewer.drawing.positions_layout import PositionsGeometry
from viewer.drawing.theme import Theme
from viewer.state.figure import FigureSpec, PositionsSpec
from viewer.state.messages import ModelInfo
from viewer.state.positions_builder import positions_figure
from viewer.views.appearance import Appearance
from viewer.views.figure_view import FigureView


class PositionsView(FigureView):
    """Draws one model's encoding.

    Signals:
        read_out: what the pointer is on.
        dimension_clicked: a column of the heatmap was clicked.
    """

    read_out = Signal(str)
    dimension_clicked = Signal(int)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._info: ModelInfo | None = None
        self._curves: tuple[int, ...] = ()
        self._count = 64

    def show_encoding(self, info: ModelInfo | None, curves: tuple[int, ...], count: int) -> None:
        """Take a model, the dimensions drawn as curves, and how many positions to show."""
        self._info, self._curves, self._count = info, curves, count
        self.mark_dirty()

    def build(self) -> FigureSpec | None:
        """The figure of the model's encoding; None when it adds none."""
        info = self._info
        if info is None or info.positions is None:
            return None
        return positions_figure(
            info.positions, self._curves, count=self._count, model_name=info.name, model_sha256=info.sha256
        )

    def options(self) -> DrawOptions:
        """Say above the picture what it is."""
        return replace(super().options(), title=True, badges=True)

    def draw(self, painter: QPainter, figure: FigureSpec, rect: QRectF, colours: Theme) -> None:
        """Draw the figure."""
        paint_figure(painter, figure, rect, colours, self.options())

    def geometry_now(self) -> PositionsGeometry | None:
        """Where each part stands in the widget."""
        if self.figure is None:
            return None
        found = figure_geometry(self.figure, self.figure_rect, self.options())
        return found if isinstance(found, PositionsGeometry) else None

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read out the cell under the pointer."""
        geometry, figure = self.geometry_now(), self.figure
        if geometry is None or figure is None or not isinstance(figure.body, PositionsSpec):
            return
        text, body = "", figure.body
        cell, pair = geometry.cell_at(event.position()), geometry.similarity_at(event.position())
        if cell is not None:
            value = float(body.encoding[cell])
            text = self.tr("position {position}, dimension {dimension}: {value}").format(
                position=cell[0], dimension=cell[1], value=f"{value:+.4f}"
            )
        elif pair is not None:
            value = float(body.similarity[pair])
            text = self.tr("similarity of positions {first} and {second}: {value}").format(
                first=pair[0], second=pair[1], value=f"{value:.4f}"
            )
        over = cell is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)
        self.read_out.emit(text)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """A click on the heatmap draws, or takes away, that dimension's curve."""
        geometry = self.geometry_now()
        cell = None if geometry is None else geometry.cell_at(event.position())
        if cell is not None and event.button() == Qt.MouseButton.LeftButton:
            self.dimension_clicked.emit(cell[1])

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.read_out.emit("")
