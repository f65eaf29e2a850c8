"""`ClosenessView`: the lines of one word in two sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QMouseEvent, QPainter
from PySide6.QtWidgets import QWidget

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.closeness.layout import ClosenessGeometry
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.drawing import figure_geometry, paint_figure
from viewer.figures.figure import FigureSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip


class ClosenessView(FigureView):
    """Draws the figure that its page makes, and tells the values under the pointer."""

    def __init__(
        self, appearance: Appearance, make: Callable[[], FigureSpec | None], parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make

    def build(self) -> FigureSpec | None:
        """The page's figure; what it says is told to those who do not see it."""
        figure = self._make()
        if figure is not None and isinstance(figure.body, ClosenessSpec):
            self.setAccessibleDescription(" ".join([figure.body.title, figure.body.verdict]))
        return figure

    def options(self) -> DrawOptions:
        """With its title, which names the word."""
        return replace(super().options(), title=True, compact=False)

    def draw(self, painter: QPainter, figure: FigureSpec, rect: QRectF, colours: Theme) -> None:
        """Draw the figure."""
        paint_figure(painter, figure, rect, colours, self.options())

    def values_at(self, point: QPointF) -> str:
        """The values of the stage under a point, a line each; empty outside of the lines' box."""
        figure = self.figure
        if figure is None or not isinstance(figure.body, ClosenessSpec):
            return ""
        place = figure_geometry(figure, self.figure_rect, self.options())
        stage = place.stage_at(point) if isinstance(place, ClosenessGeometry) else None
        if stage is None:
            return ""
        values = (f"{line.name}  {line.values[stage]:.9g}" for line in figure.body.lines)
        return "\n".join([figure.body.stages[stage], *values])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the values under the pointer."""
        show_tip(event.globalPosition().toPoint(), self.values_at(event.position()), self)
