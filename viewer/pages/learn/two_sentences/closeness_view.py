"""`ClosenessView`: the lines of one word in two sentences."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QPointF
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.closeness.layout import ClosenessGeometry
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.figure import FigureSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import show_tip


class ClosenessView(FigureView[ClosenessSpec, ClosenessGeometry]):
    """Draws the figure that its page makes, and tells the values under the pointer."""

    def __init__(
        self,
        appearance: Appearance,
        make: Callable[[], FigureSpec[ClosenessSpec] | None],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(appearance, parent)
        self._make = make

    def build(self) -> FigureSpec[ClosenessSpec] | None:
        """The page's figure; what it says is told to those who do not see it."""
        figure = self._make()
        if figure is not None:
            self.setAccessibleDescription(" ".join([figure.body.title, figure.body.verdict]))
        return figure

    def options(self) -> DrawOptions:
        """With its title, which names the word."""
        return replace(super().options(), title=True, compact=False)

    def values_at(self, point: QPointF) -> str:
        """The values of the stage under a point, a line each; empty outside of the lines' box."""
        place = self.geometry_now()
        stage = None if place is None else place.stage_at(point)
        if place is None or stage is None:
            return ""
        values = (f"{line.name}  {line.values[stage]:.9g}" for line in place.spec.lines)
        return "\n".join([place.spec.stages[stage], *values])

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the values under the pointer."""
        show_tip(event.globalPosition().toPoint(), self.values_at(event.position()), self)
