"""The map of one pane: crosshair, exact weight, click, arrow keys, zoom and pan."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QWheelEvent
from PySide6.QtWidgets import QWidget

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind
from viewer.document.gold.gold_edits import gold_of, toggle_link
from viewer.document.messages.notice import Notice
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.figures.canvas.theme import Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.drawing import DrawOptions, paint_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.chosen import same_tokens
from viewer.figures.map.gold.build import with_gold
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.long_map import LongArray
from viewer.figures.map.paint import picture_wanted
from viewer.figures.map.spec import MapSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.linking import DARK, choose, lit, point_at
from viewer.pages.look.map.cell_view import Cell, CellView
from viewer.pages.look.map.minimap import MiniMap
from viewer.pages.look.pane_view import PaneView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.map_cells import map_cells
from viewer.pages.widgets.plain_tip import show_tip
from viewer.pages.widgets.reader import Reader

MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}

_PAN = 0.25
_READABLE, _NEAR = 9.0, 18.0  # cells lower than the one are brought nearer, to the other


class MapView(CellView[MapSpec, MapGeometry]):
    """One attention map."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, appearance, pane, parent)
        self._zoom: Zoom | None = None
        self._shape = (0, 0)
        self._minimap = MiniMap()
        self._finer = Reader(self)
        self._finer.failed.connect(self.failed)
        self._finer.done.connect(self.update)
        self._pressed: QPointF | None = None
        self._dragged = False

    def build(self) -> FigureSpec[MapSpec] | None:
        """The pane's map; a map of another size is shown whole."""
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None or selection.kind not in run.trace.kinds:
            return None
        figure = map_figure(
            run.trace, selection, self._session.view, provenance=run.provenance, known=self.known, lazy=True
        )
        if self._session.view.gold_links:
            rule = self._session.view.alignment_rule
            gold = gold_of(self._session.document, run)
            figure = with_gold(figure, gold, rule, run.trace, selection, self.known)
        shape = (figure.body.rows, len(figure.body.column_labels))
        if shape != self._shape:
            self._shape = shape
            self._set_zoom(None)
        return figure

    def keeps(self, spot: tuple[int, int], before: MapSpec, after: MapSpec) -> bool:
        """A cell of the same two tokens."""
        return same_tokens(before, after, *spot)

    def options(self) -> DrawOptions:
        """The part in view, the cell under the pointer, and the tokens that it is on in any view."""
        options = replace(super().options(), zoom=self._zoom, hover=self.spot, lazy=True)
        spec = self.spec
        return options if spec is None else replace(options, lit=lit(self._session, self._pane, spec))

    def draw(self, painter: QPainter, figure: FigureSpec[MapSpec], rect: QRectF, colours: Theme) -> None:
        """Draw the map; of a part of it, where it is in the whole."""
        options = self.options()
        place: MapGeometry = paint_figure(painter, figure, rect, colours, options)
        self._have_finer(painter, place, options)
        if self._zoom is None:
            self._minimap.hide()
            return
        pane = self._session.pane(self._pane)
        numbers = None if pane is None else pane.selection.but(query=None, key=None)
        same = (self._session.run(self._pane), numbers, self._session.view, place.spec.shown_rows)
        self._minimap.paint(painter, place, colours, same)

    def _have_finer(self, painter: QPainter, place: MapGeometry, options: DrawOptions) -> None:
        """Of a long map, have the part in view read as finely as the screen can show it."""
        long = place.spec.matrix
        if not isinstance(long, LongArray):
            return
        wanted = picture_wanted(painter, place, options)
        if long.of.picture(*wanted) is None:
            self._finer.read((long.of, wanted), partial(long.of.read_picture, *wanted))

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """Row and column of the picture under a point of the widget."""
        geometry = self.geometry_now()
        return None if geometry is None else geometry.cell_at(point)

    def sentence(self) -> str:
        """What the cell under the pointer, or else under the crosshair, says."""
        cell = self.cell_now()
        return "" if cell is None else cell[0].sentence_at(*cell[1:])

    def map_now(self) -> MapSpec | None:
        """The map in view."""
        return self.spec

    def cell_now(self) -> Cell | None:
        """The cell under the pointer, or else under the crosshair."""
        spec = self.spec
        if spec is None:
            return None
        cell = self.spot or self._crosshair_cell(spec)
        return None if cell is None else (spec, *cell)

    def cells(self) -> Cells | None:
        """The weights, each where it is drawn."""
        return map_cells(self.spec, self.geometry_now, self.choose_cell)

    def reset_zoom(self) -> None:
        """Show the whole map."""
        self._set_zoom(None)

    def zoom_by(self, factor: float, at: QPointF | None = None) -> None:
        """Zoom in (`factor` above 1) or out around a point of the widget, else around the middle."""
        geometry, (rows, columns) = self.geometry_now(), self._shape
        if geometry is None or not rows or not columns:
            return
        zoom = self._zoom or Zoom.whole(rows, columns)
        cell = None if at is None else geometry.cell_at(at)
        if cell is None:
            row, column = (zoom.first_row + zoom.last_row) / 2, (zoom.first_column + zoom.last_column) / 2
        else:
            row, column = cell[0] + 0.5, cell[1] + 0.5
        wanted = zoom.zoomed(factor, row, column, rows, columns)
        self._set_zoom(None if wanted.is_whole(rows, columns) else wanted)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom at the pointer."""
        turns = event.angleDelta().y() / 120.0
        if turns:
            self.zoom_by(1.25**turns, event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a click or a drag; either makes this pane the active one."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._session.activate_pane(self._pane)
            self._minimap.held = self._minimap.holds(event.position())
            self._pressed, self._dragged = event.position(), False
            if self._minimap.held:
                self._drag(event.position())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Pan while dragging, else read the cell under the pointer."""
        if (
            self._pressed is not None
            and event.buttons() & Qt.MouseButton.LeftButton
            and self._zoom is not None
        ):
            self._drag(event.position())
            return
        hidden = self._minimap.holds(event.position())
        cell = None if hidden else self.cell_at(event.position())
        if cell != self.spot:
            self.put_spot(cell)
            self.update()
            if self.spec is not None:
                row, column = cell or DARK
                point_at(self._session, self._pane, self.spec, row, column, self.spec.head)
            text = self.tip_of((self.spec, *cell)) if self.spec is not None and cell is not None else ""
            show_tip(event.globalPosition().toPoint(), text, self)
            self.tell()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click that was no drag pins the cell and goes to its step; with Alt it toggles a gold link."""
        pressed, self._pressed = self._pressed, None
        self._dragged |= self._minimap.held
        self._minimap.held = False
        if pressed is not None and not self._dragged and event.button() == Qt.MouseButton.LeftButton:
            cell = self.cell_at(event.position())
            if cell is not None and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._toggle_link(*cell)
            elif cell is not None:
                self._pin(*cell)
            else:
                self._session.set_crosshair(None, None, self._pane)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the whole map."""
        if self._minimap.holds(event.position()):
            self.mousePressEvent(event)
        else:
            self.reset_zoom()

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()
        self._session.hover.set(None)
        self.tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move the crosshair (with Shift the part in view), plus and minus zoom, G links words.

        While no cell is chosen, up and down choose one, and left and right are left to the window: they step.
        """
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        move = MOVES.get(Qt.Key(event.key()))
        chosen = self.spec is not None and self._crosshair_cell(self.spec) is not None
        if move is not None and plain and (chosen or move[0]):
            self._move_crosshair(*move)
        elif move is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            self._pan(*move)
        elif event.key() == Qt.Key.Key_G and plain:
            spec = self.spec
            cell = None if spec is None else self._crosshair_cell(spec)
            if cell is not None:
                self._toggle_link(*cell)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1.25)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_by(0.8)
        else:
            super().keyPressEvent(event)

    def _drag(self, point: QPointF) -> None:
        geometry, zoom = self.geometry_now(), self._zoom
        if geometry is None or zoom is None or self._pressed is None:
            return
        if self._minimap.held:
            self._set_zoom(self._minimap.moved(geometry, zoom, point))
            return
        moved = point - self._pressed
        if not self._dragged and moved.manhattanLength() < 4:
            return
        self._dragged, self._pressed = True, point
        self.put_spot(None)
        rows, columns = self._shape
        shift = (-moved.y() / geometry.cell_height, -moved.x() / geometry.cell_width)
        self._set_zoom(zoom.panned(*shift, rows, columns))

    def _pan(self, down: int, right: int) -> None:
        """Move the part in view by a quarter of itself."""
        zoom = self._zoom
        if zoom is not None:
            high, wide = zoom.last_row - zoom.first_row, zoom.last_column - zoom.first_column
            self._set_zoom(zoom.panned(_PAN * down * high, _PAN * right * wide, *self._shape))

    def reveal(self, row: int, column: int) -> None:
        """Bring a cell into view; where cells are tiny, nearer as well."""
        geometry, (rows, columns) = self.geometry_now(), self._shape
        if geometry is None or not rows or not columns:
            return
        small = min(geometry.cell_width, geometry.cell_height)
        if small < _READABLE * self.look.scale:
            zoom = self._zoom or Zoom.whole(rows, columns)
            factor = _NEAR * self.look.scale / small
            zoom = zoom.zoomed(factor, row + 0.5, column + 0.5, rows, columns)
            middle = (zoom.first_row + zoom.last_row) / 2, (zoom.first_column + zoom.last_column) / 2
            zoom = zoom.panned(row + 0.5 - middle[0], column + 0.5 - middle[1], rows, columns)
            self._set_zoom(None if zoom.is_whole(rows, columns) else zoom)
        self._show_cell(row, column)

    def _set_zoom(self, zoom: Zoom | None) -> None:
        if zoom != self._zoom:
            self._zoom = zoom
            self.update()
            self.zoomed.emit(zoom is not None)

    def _crosshair_cell(self, spec: MapSpec) -> tuple[int, int] | None:
        selection = self._session.selection(self._pane)
        if selection is None or selection.query is None or selection.key is None:
            return None
        row, column = spec.row_of(selection.query), spec.column_of(selection.key)
        return None if row is None or column is None else (row, column)

    def _move_crosshair(self, down: int, right: int) -> None:
        spec = self.spec
        if spec is None or not spec.row_labels or not spec.column_labels:
            return
        cell = self._crosshair_cell(spec)
        if cell is None:
            row, column = spec.step_row or 0, 0
        else:
            row = min(max(0, cell[0] + down), len(spec.row_labels) - 1)
            column = min(max(0, cell[1] + right), len(spec.column_labels) - 1)
        self._pin(row, column)
        self._show_cell(row, column)

    def _show_cell(self, row: int, column: int) -> None:
        """Pan so that a cell is in view."""
        zoom = self._zoom
        if zoom is None:
            return
        rows, columns = self._shape
        down = min(0.0, row - zoom.first_row) + max(0.0, row + 1 - zoom.last_row)
        right = min(0.0, column - zoom.first_column) + max(0.0, column + 1 - zoom.last_column)
        self._set_zoom(zoom.panned(down, right, rows, columns))

    def _pin(self, row: int, column: int) -> None:
        if self.spec is not None:
            choose(self._session, self._pane, self.spec, row, column)

    def _toggle_link(self, row: int, column: int) -> None:
        """Take the gold link of a cell's words a step on, in cross-attention."""
        spec = self.spec
        if spec is None or row >= spec.shown_rows or spec.kind is not AttentionKind.CROSS:
            return
        # A merged row reads the word that its first token is of; the last predicts the word that follows.
        queries, key = spec.row_labels[row], spec.column_labels[column].index
        query = queries.index if self._session.view.alignment_rule == "reads" else queries.last
        try:
            toggle_link(self._session, self._pane, query, key)
        except HeadscopeError as error:
            self._session.set_notice(Notice.of(error))

    def _run_grew(self, run_id: str) -> None:
        pane, grown = self._session.pane(self._pane), self._session.document.run(run_id)
        # Of another run that is complete, gold links may have changed that this one shows too.
        if pane is not None and (pane.run_id == run_id or (grown is not None and not grown.live)):
            self.mark_dirty()


MAP = PaneView(
    MAP_VIEW,
    "heatmap",
    MapView,
    "view_map",
    label=lambda: QCoreApplication.translate("ViewTabs", "Map"),
    tip=lambda: QCoreApplication.translate("ViewTabs", "Every weight as a coloured cell (V: the next view)"),
    action=lambda: QCoreApplication.translate("Actions", "As a &map"),
    spoken=lambda: QCoreApplication.translate("MapPane", "Attention map"),
    links=True,
)
