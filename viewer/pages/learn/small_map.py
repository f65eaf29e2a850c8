"""`SmallMap`: one map of a trace in little room, drawn as everywhere else."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QWidget

from model.trace.trace import Trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.spec import MapSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.map_cells import map_cells
from viewer.pages.widgets.plain_tip import show_tip


class SmallMap(FigureView[MapSpec, MapGeometry]):
    """A map that tells the weight under the pointer; to look closer there is the Look page."""

    def __init__(self, appearance: Appearance, most: int = 170, parent: QWidget | None = None) -> None:
        """Show nothing yet.

        Args:
            most: of its height, whatever it shows.
        """
        super().__init__(appearance, parent)
        self._most = most
        self._trace: Trace | None = None
        self._selection = Selection()
        self._view = ViewOptions()
        self.setFocusPolicy(self.focusPolicy().NoFocus)
        appearance.changed.connect(self._restyle)
        self._restyle()

    def show_map(self, trace: Trace, selection: Selection, view: ViewOptions) -> None:
        """Show one map of a trace."""
        self._trace, self._selection, self._view = trace, selection, view
        self._restyle()
        self.mark_dirty()

    def build(self) -> FigureSpec[MapSpec] | None:
        """The map of what was given last."""
        if self._trace is None:
            return None
        return map_figure(self._trace, self._selection, self._view, lazy=True)

    def cells(self) -> Cells | None:
        """The weights of the map."""
        return map_cells(self.spec, self.geometry_now)

    def options(self) -> DrawOptions:
        """What stands around it says what it is of."""
        return replace(super().options(), compact=True, lazy=True)

    def sentence_at(self, point: QPointF) -> str:
        """What the cell under a point of the widget says; empty beside the cells."""
        place = self.geometry_now()
        cell = None if place is None else place.cell_at(point)
        return "" if place is None or cell is None else place.spec.sentence_at(*cell)

    def sizeHint(self) -> QSize:
        """Room for a few tokens and their labels."""
        return QSize(self.look.px(280), self.minimumHeight())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Tell the weight under the pointer."""
        show_tip(event.globalPosition().toPoint(), self.sentence_at(event.position()), self)

    def _restyle(self) -> None:
        """Few tokens need little: four readings of a short sentence are to be seen without scrolling."""
        tokens = 0 if self._trace is None else len(self._trace.query_tokens(self._selection.kind))
        self.setMinimumHeight(self.look.px(min(self._most, 36 + 18 * tokens)))
