"""`FlowView`: queries and keys in two columns, lines by weight: hover, click, arrow keys, scroll, zoom."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPixmap, QResizeEvent, QShowEvent, QWheelEvent
from PySide6.QtWidgets import QWidget

from model.errors import HeadscopeError
from viewer.document.session import Session
from viewer.figures.canvas.theme import Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.drawing import DrawOptions, figure_geometry
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.layout import READABLE_PITCH, FlowGeometry
from viewer.figures.flow.paint import is_emphasised, paint_lines, paint_tokens, standing_out
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.map.chosen import chosen_row, same_tokens
from viewer.figures.map.spec import MapSpec
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.linking import DARK, Lit, adjust_view, choose, lit, lit_head, point_at
from viewer.pages.look.map.cell_view import Cell, CellView
from viewer.pages.look.map.flow_tools import FlowTools
from viewer.pages.look.pane_view import PaneView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.plain_tip import show_tip
from viewer.painting import painting

_WHEEL = 3.0  # tokens a notch
_MARK = 8  # room at the right for the bar that says which part is in view
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_SIDES = {Qt.Key.Key_Left: False, Qt.Key.Key_Right: True}


class FlowView(CellView[FlowSpec, FlowGeometry]):
    """One of the views of a pane."""

    _ahead: BeforePaint | None = None  # what is under it may ask for a frame before there is one

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(session, appearance, pane, parent)
        self._nearer = 1.0  # how many times nearer than tokens that just have room for their labels
        self._top = 0.0  # first token in view, as a share of all
        self._ground: tuple[object, QPixmap] | None = None
        self._ahead = BeforePaint(self, self._draw_ahead)

    def build(self) -> FigureSpec[FlowSpec] | None:
        """The pane's lines."""
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None or selection.kind not in run.trace.kinds:
            return None
        return flow_figure(
            run.trace, selection, self._session.view, provenance=run.provenance, known=self.known, lazy=True
        )

    @property
    def _at(self) -> Lit:
        """The row, the column, or the line between the two that the pointer is on."""
        return DARK if self.spot is None else self.spot[0]

    @property
    def _place(self) -> int | None:
        """Which of several heads' lines the pointer is on."""
        return None if self.spot is None else self.spot[1]

    def keeps(self, spot: tuple[Lit, int | None], before: FlowSpec, after: FlowSpec) -> bool:
        """The same tokens; of a line the same head as well."""
        (row, column), place = spot
        same = place is None or before.heads[place : place + 1] == after.heads[place : place + 1]
        return same and same_tokens(before.first, after.first, row, column)

    @property
    def figure_rect(self) -> QRectF:
        """All but the room of the bar that says which part is in view."""
        return super().figure_rect.adjusted(0, 0, -_MARK, 0)

    def options(self) -> DrawOptions:
        """The tokens in view, and what the pointer is on in any view."""
        spec = self.spec
        if spec is None:
            return super().options()
        (row, column), head = self._lit_now()
        return replace(super().options(), zoom=self._zoom(spec), lit=(row, column), lit_head=head)

    def draw(self, painter: QPainter, figure: FigureSpec[FlowSpec], rect: QRectF, colours: Theme) -> None:
        """Draw the lines from memory, and what follows the pointer anew."""
        options = self.options()
        place: FlowGeometry = figure_geometry(figure, rect, options)
        painter.drawPixmap(0, 0, self._lines(place, figure, rect, colours, options))
        paint_tokens(painter, place, colours, options)
        self._scroll_mark(painter, place, colours)

    def mark_dirty(self) -> None:
        """The lines of the next frame may be many: they are drawn in a turn before it."""
        super().mark_dirty()
        if self._ahead is not None:
            self._ahead.ask()

    def _draw_ahead(self) -> None:
        if self.size().isEmpty():  # a low window leaves it no height: there will be no frame
            return
        with suppress(HeadscopeError):  # the frame will say it
            if (figure := self.figure) is not None:
                rect, options = self.figure_rect, self.options()
                self._lines(figure_geometry(figure, rect, options), figure, rect, self.theme, options)

    def _lines(
        self,
        place: FlowGeometry,
        figure: FigureSpec[FlowSpec],
        rect: QRectF,
        colours: Theme,
        options: DrawOptions,
    ) -> QPixmap:
        """The lines that stay while the pointer moves, drawn once."""
        how = (options.zoom, options.compact, options.font_scale, is_emphasised(place.spec, options))
        key = (figure, rect.getRect(), colours.name, self.devicePixelRatioF(), how)
        if self._ground is None or self._ground[0] != key:
            self._ground = (key, self._picture(place, colours, options))
        return self._ground[1]

    def sentence(self) -> str:
        """What the line or token under the pointer, or else under the crosshair, says: the map's sentence."""
        spec = self.spec
        if spec is None:
            return ""
        row, column = self._at
        if row is not None and column is not None:
            return spec.sentence_at(row, column, self._place)
        if row is not None or column is not None:
            return spec.sentence_of(row, column)
        cell = spec.first.crosshair
        return "" if cell is None else spec.sentence_at(*cell)

    def map_now(self) -> MapSpec | None:
        """The map of the first head drawn."""
        return None if self.spec is None else self.spec.first

    def cells(self) -> Cells | None:
        """The weights of the first head drawn, each where its line is."""
        found = super().cells()

        def rect(row: int, column: int) -> QRectF | None:
            place = self.geometry_now()
            if place is None:
                return None
            left, right = place.queries.y(row), place.keys.y(column)
            room = QRectF(place.area.left(), min(left, right) - 1, place.area.width(), abs(left - right) + 2)
            return room if room.intersects(place.area) else None

        return None if found is None else replace(found, rect=rect)

    def cell_now(self) -> Cell | None:
        """The cell of the line under the pointer, or else under the crosshair."""
        spec, (row, column), place = self.spec, self._at, self._place
        if spec is None:
            return None
        if row is not None and column is not None:
            cell: tuple[int, int] | None = (row, column)
        elif row is not None or column is not None:
            cell, place = spec.partner(row, column), None
        else:
            cell, place = spec.first.crosshair, None
        return None if cell is None else (spec.map_of(*cell, place), *cell)

    def go_to(self, row: int | None, column: int | None) -> None:
        """Choose a token of either column."""
        self._set_incoming(row is None)
        super().go_to(row, column)
        self._reveal()

    def reset_zoom(self) -> None:
        """Back to the first tokens, each with room for its label."""
        self._nearer, self._top = 1.0, 0.0
        self.update()

    def zoom_by(self, factor: float) -> None:
        """Bring the tokens nearer (`factor` above 1) or farther, the middle staying where it is."""
        spec = self.spec
        if spec is None:
            return
        before = self._span(spec)
        self._nearer = min(4.0, max(self._farthest(spec), self._nearer * factor))
        self._scroll_to(self._top + (before - self._span(spec)) / 2)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Scroll; with Ctrl bring nearer or farther."""
        turns, spec = event.angleDelta().y() / 120.0, self.spec
        if turns and spec is not None:
            if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.zoom_by(1.25**turns)
            else:
                self._scroll_to(self._top - turns * _WHEEL / max(1, spec.rows, spec.columns))
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the token or the line under the pointer."""
        geometry = self.geometry_now()
        if geometry is None:
            return
        spec = geometry.spec
        at, place = geometry.token_at(event.position()), None
        if at is None:
            lines = standing_out(geometry, replace(self.options(), lit=DARK, lit_head=None))
            drawn = spec.drawn() if lines is None or not spec.only_chosen else lines
            line = geometry.line_at(event.position(), geometry.in_view(drawn))
            if line is not None:
                place, at = line[0], (line[1], line[2])
        at = at or DARK
        if (at, place) == (self._at, self._place):
            return
        self.put_spot(None if at == DARK else (at, place))
        head = None if place is None else spec.heads[place]
        point_at(self._session, self._pane, spec.first, *at, head)
        show_tip(event.globalPosition().toPoint(), self._tip(), self)
        self.tell()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the token or the line; elsewhere, nothing."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._session.activate_pane(self._pane)
        self.mouseMoveEvent(event)
        spec = self.spec
        row, column = self._at
        if spec is None:
            return
        if row is None and column is None:
            self._session.set_crosshair(None, None, self._pane)
        else:
            self._choose(spec, row, column)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self._session.hover.set(None)
        self.tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down walk the tokens, left and right change the column, plus and minus zoom."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        key, spec = Qt.Key(event.key()), self.spec
        if spec is not None and plain and key in _STEPS:
            self._walk(spec, _STEPS[key])
        elif spec is not None and plain and key in _SIDES:
            self._set_incoming(_SIDES[key])
            if spec.first.crosshair is None:
                self._walk(spec, 0)
        elif event.key() in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
            self.zoom_by(1.25)
        elif event.key() == Qt.Key.Key_Minus:
            self.zoom_by(0.8)
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin at the token that was chosen in another view."""
        super().showEvent(event)
        self._reveal()
        if self._ahead is not None:
            self._ahead.ask()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More or fewer tokens are in view."""
        super().resizeEvent(event)
        if self.isVisible():
            self._scroll_to(self._top)
            self._reveal()

    def _picture(self, place: FlowGeometry, colours: Theme, options: DrawOptions) -> QPixmap:
        """The lines that stay while the pointer moves."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(colours.color("panel"))
        with painting(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_lines(painter, place, colours, options)
        return picture

    def _scroll_mark(self, painter: QPainter, place: FlowGeometry, colours: Theme) -> None:
        """A bar at the right edge for the part in view."""
        span = self._span(place.spec)
        if span >= 1:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colours.color("outline"))
        area, x = place.area, self.figure_rect.right() + _MARK - 4
        painter.drawRoundedRect(
            QRectF(x, area.top() + self._top * area.height(), 4, max(12.0, span * area.height())), 2, 2
        )

    def _tip(self) -> str:
        """The strongest lines of a token under its whole text; a line's own sentence."""
        spec = self.spec
        row, column = self._at
        if spec is None or (row is None and column is None):
            return ""
        if row is not None and column is not None:
            return self.tip_of((spec.map_of(row, column, self._place), row, column))
        return "\n".join(spec.sentences_of(row, column))

    def _choose(self, spec: FlowSpec, row: int | None, column: int | None) -> None:
        """Make a token, or a line with its two tokens, the chosen one."""
        before = spec.first.crosshair
        incoming = row is None
        if row is None or column is None:
            cell = spec.partner(row, column)
            if cell is None:
                return
            if before is not None:  # the other token stays
                cell = (before[0], cell[1]) if incoming else (cell[0], before[1])
            row, column = cell
            self._set_incoming(incoming)
        choose(self._session, self._pane, spec.first, row, column)

    def _walk(self, spec: FlowSpec, by: int) -> None:
        """Go to the next token of the column that the keys are in."""
        first, incoming = spec.first, self._session.view.incoming
        if not spec.row_labels or not spec.column_labels:
            return
        cell = first.crosshair
        if cell is None:
            cell = spec.partner(first.step_row or 0, None) or (0, 0)
            by = 0
        row, column = cell
        if incoming:
            column = min(max(0, column + by), spec.columns - 1)
        else:
            row = min(max(0, row + by), len(spec.row_labels) - 1)
        choose(self._session, self._pane, first, row, column)

    def _set_incoming(self, incoming: bool) -> None:
        if self._session.view.incoming != incoming:
            adjust_view(self._session, "incoming", incoming=incoming)

    def _lit_now(self) -> tuple[Lit, int | None]:
        spec = self.spec
        if spec is None:
            return DARK, None
        head = lit_head(self._session, self._pane, spec.kind, spec.layer)
        return lit(self._session, self._pane, spec.first), head

    # Which tokens are in view.

    def _room(self, spec: FlowSpec) -> float:
        """Height for tokens."""
        lines = (2 if super().options().compact else 3) * 20 * self.look.scale
        return max(40.0, self.figure_rect.height() - lines)

    def _farthest(self, spec: FlowSpec) -> float:
        """The zoom at which all tokens are in view."""
        needed = READABLE_PITCH * self.look.scale * max(1, spec.rows, spec.columns)
        return min(1.0, self._room(spec) / needed)

    def _span(self, spec: FlowSpec) -> float:
        """The share of the tokens in view, 0 to 1."""
        needed = READABLE_PITCH * self.look.scale * max(1, spec.rows, spec.columns) * self._nearer
        return min(1.0, self._room(spec) / needed)

    def _zoom(self, spec: FlowSpec) -> Zoom | None:
        span = self._span(spec)
        if span >= 1:
            return None
        top = min(self._top, 1 - span)
        rows, columns = spec.rows, spec.columns
        return Zoom(top * rows, (top + span) * rows, top * columns, (top + span) * columns)

    def _scroll_to(self, top: float) -> None:
        spec = self.spec
        if spec is not None:
            self._top = min(max(0.0, top), 1 - self._span(spec))
            self.zoomed.emit(self._nearer != 1.0)
            self.update()

    def _reveal(self) -> None:
        """Scroll until the chosen token is in view."""
        spec = self.spec
        if spec is None or self._span(spec) >= 1:
            return
        row, column = spec.chosen
        if row is None and column is None:
            row = chosen_row(spec.first)
        if row is None and column is None:
            return
        place = (column or 0) / max(1, spec.columns) if row is None else row / max(1, spec.rows)
        span, token = self._span(spec), 1 / max(1, spec.columns if row is None else spec.rows)
        if place < self._top or place + token > self._top + span:
            self._scroll_to(place + token / 2 - span / 2)

    def settled(self) -> None:
        """Have what is chosen now in view."""
        if self._moved:
            self._reveal()
        super().settled()


FLOW = PaneView(
    "flow",
    "flow",
    FlowView,
    "view_flow",
    label=lambda: QCoreApplication.translate("ViewTabs", "Flow"),
    tip=lambda: QCoreApplication.translate("ViewTabs", "Tokens in two columns, lines by weight (F)"),
    action=lambda: QCoreApplication.translate("Actions", "As a flow"),
    spoken=lambda: QCoreApplication.translate("MapPane", "Flow of attention"),
    key="F",
    tools=FlowTools,
)
