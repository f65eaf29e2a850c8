"""`ContributionsView`: what one output word is made of; an edge names its heads, a head goes to its map."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QPoint, QRectF, Qt
from PySide6.QtGui import QAction, QContextMenuEvent, QKeyEvent, QMouseEvent, QPainter, QPixmap, QShowEvent
from PySide6.QtWidgets import QMenu, QWidget

from model.questions.causes.contributions import ContributionsOf
from model.questions.questions import Reading
from model.trace.trace import AttentionKind
from viewer.document.selection import GRAPH_VIEW, MAP_VIEW, Numbers
from viewer.document.session import Session
from viewer.figures.canvas.theme import Theme
from viewer.figures.contributions.build import contributions_figure
from viewer.figures.contributions.layout import ContributionsGeometry
from viewer.figures.contributions.paint import paint_edges, paint_marks
from viewer.figures.contributions.spec import ContributionsSpec
from viewer.figures.contributions.text import head_name, percent
from viewer.figures.drawing import DrawOptions, figure_geometry
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Missing
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.map.contributions_tools import ContributionsTools
from viewer.pages.look.pane_view import PaneFigure, PaneView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import speak
from viewer.pages.widgets.plain_tip import show_tip
from viewer.painting import painting

Place = tuple[AttentionKind, int, int, int]
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_MOVES = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}
_MOST_HEADS = 12  # in the menu of an edge


class ContributionsView(PaneFigure[ContributionsSpec, ContributionsGeometry]):
    """One of the views of a pane."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._pane = pane
        self._chosen: Place | None = None
        self._moved = False
        self._ground: tuple[object, QPixmap] | None = None
        self.follow_answers(session, pane)
        session.pane_changed.connect(self._pane_changed)
        session.run_grew.connect(self._run_grew)
        for signal in (session.runs_changed, session.view_changed, session.model_changed):
            signal.connect(self.mark_dirty)
        self.retranslate()

    def build(self) -> FigureSpec[ContributionsSpec] | None:
        """The graph of the step's word; instead of one without a decoder that reads a source, why not."""
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None:
            return None
        if AttentionKind.CROSS not in run.trace.kinds:
            raise Missing(ContributionsOf(), Reading.of(run.trace))
        if not 0 <= selection.step < run.trace.steps:
            return None
        view = self._session.view
        return contributions_figure(
            run.trace,
            selection.step,
            view.threshold,
            self.known,
            raw=view.raw_pieces,
            provenance=run.provenance,
        )

    def options(self) -> DrawOptions:
        """The edges under the pointer and chosen."""
        pointed, chosen = self._marks()
        return replace(super().options(), hover=(chosen, pointed))

    def draw(
        self, painter: QPainter, figure: FigureSpec[ContributionsSpec], rect: QRectF, colours: Theme
    ) -> None:
        """Draw the edges from memory, and what follows the pointer anew."""
        options = self.options()
        place: ContributionsGeometry = figure_geometry(figure, rect, options)
        key = (figure, rect.getRect(), colours.name, self.devicePixelRatioF(), options.font_scale)
        if self._ground is None or self._ground[0] != key:
            self._ground = (key, self._picture(place, colours))
        painter.drawPixmap(0, 0, self._ground[1])
        paint_marks(painter, place, colours, options)

    def cells(self) -> Cells | None:
        """Every edge drawn, the strongest first."""
        found = super().cells()
        chosen = self._marks()[1]
        if found is None:
            return None
        current = None if chosen < 0 else (chosen, 0)
        return replace(found, current=current, choose=lambda row, column: self.choose(row))

    def keeps(self, spot: int, before: ContributionsSpec, after: ContributionsSpec) -> bool:
        """Edges are counted by their strength: those of another graph are others."""
        return False

    def sentence(self) -> str:
        """What the edge under the pointer, or else the chosen one, is; else what the graph is of."""
        spec = self.spec
        if spec is None:
            return ""
        pointed, chosen = self._marks()
        edge = pointed if pointed >= 0 else chosen
        return spec.sentence_of(edge) if edge >= 0 else spec.title

    def tell(self) -> None:
        """Say it in the status line."""
        self.read_out.emit(self.sentence())

    def choose(self, edge: int) -> None:
        """Make an edge the chosen one."""
        spec = self.spec
        if spec is None or not 0 <= edge < len(spec.edges):
            return
        self._chosen = spec.place_of(edge)
        self.update()
        self.tell()
        speak(self, self.sentence(), aloud=self.hasFocus() and self.cell_table is None)
        self.follow_cells()

    def heads_menu(self) -> QMenu | None:
        """The heads that carry the chosen edge, the most first; None for no edge."""
        spec, chosen = self.spec, self._marks()[1]
        if spec is None or chosen < 0:
            return None
        menu = QMenu(self)
        title = menu.addAction(spec.sentence_of(chosen))
        title.setEnabled(False)
        menu.addSeparator()
        for head, share in spec.heads_of(chosen)[:_MOST_HEADS]:
            text = self.tr("{head}: {share}").format(head=head_name(head), share=percent(share))
            action = menu.addAction(text)
            action.setEnabled(head is not None)
            action.setData((*spec.place_of(chosen), head))
            action.triggered.connect(self._head_clicked)
            if head is not None:
                action.setToolTip(self.tr("Show this weight in the head's map, and its arithmetic"))
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def press(self, point: object) -> None:
        """See `FigureView`: edges are chosen by their number."""

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Read the edge under the pointer."""
        place = self.geometry_now()
        if place is None:
            return
        edge, step = place.edge_at(event.position()), place.step_at(event.position())
        hand = edge is not None or step is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if hand else Qt.CursorShape.ArrowCursor)
        if edge != self.spot:
            self.put_spot(edge)
            self.update()
            self.tell()
        show_tip(event.globalPosition().toPoint(), "" if edge is None else place.spec.sentence_of(edge), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose the edge and offer its heads, or go to the word of a label."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._session.activate_pane(self._pane)
        place = self.geometry_now()
        if place is None:
            return
        step, edge = place.step_at(event.position()), place.edge_at(event.position())
        if step is not None:
            self._session.select(self._pane, step=step)
        elif edge is not None:
            self.choose(edge)
            self._show_heads(event.globalPosition().toPoint())
        else:
            self._chosen = None
            self.update()
            self.tell()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """The heads of the edge under the pointer, or of the chosen one."""
        if self.spot is not None:
            self.choose(self.spot)
        self._show_heads(event.globalPos())

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self.update()
        self.tell()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Left and right walk the edges by strength, up and down the words; Enter offers an edge's heads."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        key, spec = Qt.Key(event.key()), self.spec
        if not plain or spec is None:
            super().keyPressEvent(event)
        elif key in _STEPS:
            self._session.select(self._pane, step=min(max(0, spec.step + _STEPS[key]), len(spec.read) - 1))
        elif key in _MOVES:
            chosen = self._marks()[1]
            self.choose(min(max(0, chosen + _MOVES[key]), len(spec.edges) - 1))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            place, chosen = self.geometry_now(), self._marks()[1]
            if place is not None and chosen >= 0:
                self._show_heads(self.mapToGlobal(place.edge_rect(chosen).center().toPoint()))
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """The view that was shown before has had the last word."""
        super().showEvent(event)
        self.tell()

    def settled(self) -> None:
        """Say which word it is of, if that is another."""
        if self._moved:
            self._moved = False
            speak(self, self.sentence(), aloud=self.hasFocus() and self.cell_table is None)
            self.tell()

    def _marks(self) -> tuple[int, int]:
        """The edges under the pointer and chosen, -1 for none."""
        spec = self.spec
        if spec is None:
            return -1, -1
        chosen = None if self._chosen is None else spec.nearest(self._chosen)
        return -1 if self.spot is None else self.spot, -1 if chosen is None else chosen

    def _show_heads(self, at: QPoint) -> None:
        menu = self.heads_menu()
        if menu is not None:
            menu.popup(at)

    def _head_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.show_head(*action.data())

    def show_head(self, kind: AttentionKind, layer: int, query: int, key: int, head: int) -> None:
        """Go to the weight of a head that an edge is made by: its map, and its arithmetic."""
        step = {} if kind is AttentionKind.ENCODER_SELF else {"step": query}
        self._session.select(
            self._pane,
            kind=AttentionKind(kind),
            layer=layer,
            head=head,
            query=query,
            key=key,
            view=MAP_VIEW,
            numbers=Numbers.WEIGHTS,
            **step,
        )
        self.arithmetic_asked.emit()

    def _picture(self, place: ContributionsGeometry, colours: Theme) -> QPixmap:
        """What stays while the pointer moves."""
        ratio = self.devicePixelRatioF()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(colours.color("panel"))
        with painting(picture) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            paint_edges(painter, place, colours)
        return picture

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self._moved = True
            self.mark_dirty()

    def _run_grew(self, run_id: str) -> None:
        pane = self._session.pane(self._pane)
        if pane is not None and pane.run_id == run_id:
            self.mark_dirty()


CONTRIBUTIONS = PaneView(
    GRAPH_VIEW,
    "contributions",
    ContributionsView,
    "view_contributions",
    label=lambda: QCoreApplication.translate("ViewTabs", "Graph"),
    tip=lambda: QCoreApplication.translate(
        "ViewTabs", "What one output word is made of, through all layers of both stacks (H)"
    ),
    action=lambda: QCoreApplication.translate("Actions", "As a contribution graph"),
    spoken=lambda: QCoreApplication.translate("MapPane", "Contribution graph"),
    key="H",
    tools=ContributionsTools,
    of_one_map=False,
    asks=True,
    numbers=Numbers.ALTI,
    fixed=lambda: QCoreApplication.translate(
        "NumbersButton", "The contribution graph always shows contributions, by piece"
    ),
)
