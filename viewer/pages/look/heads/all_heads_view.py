"""`AllHeadsView`: every head of all kinds; a click or the arrow keys choose one, Enter shows its map."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt
from PySide6.QtGui import QHideEvent, QKeyEvent, QMouseEvent, QPainter, QShowEvent
from PySide6.QtWidgets import QWidget

from viewer.document.hover import Hovered
from viewer.document.selection import MAP_VIEW
from viewer.document.session import Session
from viewer.figures.all_heads.build import all_heads_figure, head_name
from viewer.figures.all_heads.layout import AllHeadsGeometry, Head
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.canvas.theme import Theme
from viewer.figures.drawing import DrawOptions
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.layout import HeadsGeometry
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.heads.head_reading import HeadReading
from viewer.pages.look.pane_view import PaneFigure, PaneView
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import speak
from viewer.pages.widgets.plain_tip import show_tip

_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class AllHeadsView(PaneFigure[AllHeadsSpec, AllHeadsGeometry]):
    """One of the views of a pane; its heads appear as they are read."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._pane = pane
        self._moved = False  # another head was chosen than what was told last
        self._reading = HeadReading(self, self._pages)
        self._reading.done.connect(self._all_read)
        session.pane_changed.connect(self._pane_changed)
        session.run_grew.connect(self._run_grew)
        session.runs_changed.connect(self.mark_dirty)
        session.view_changed.connect(self.mark_dirty)
        self.retranslate()

    def build(self) -> FigureSpec[AllHeadsSpec] | None:
        """All heads of the pane's trace at its step."""
        run, selection = self._session.run(self._pane), self._session.selection(self._pane)
        if run is None or selection is None or not run.trace.kinds:
            return None
        return all_heads_figure(
            run.trace, selection.step, self._session.view, provenance=run.provenance, lazy=True
        )

    def options(self) -> DrawOptions:
        """The chosen head framed, the one under the pointer marked; what is not read yet left blank."""
        selection = self._session.selection(self._pane)
        options = replace(super().options(), lazy=True)
        if selection is not None:
            chosen = (selection.layer, selection.head)
            options = replace(options, selected=chosen, selected_kind=selection.kind)
        if self.spot is not None:
            options = replace(options, hover=self.spot[1:], hover_kind=self.spot[0])
        return options

    def cells(self) -> Cells | None:
        """Layers downwards, family after family; heads across."""
        spec, trace = self.spec, self._session.trace(self._pane)
        selection = self._session.selection(self._pane)
        if spec is None:
            return None
        rows = [(page.kind, layer) for page in spec.pages for layer in range(page.layers)]
        widest = max((page.heads for page in spec.pages), default=0)
        heads = {page.kind: page.heads for page in spec.pages}
        chosen = None if selection is None else (selection.kind, selection.layer)
        current = None
        if selection is not None and selection.head is not None and chosen in rows:
            current = (rows.index(chosen), selection.head)

        def head_of(row: int, column: int) -> Head | None:
            kind, layer = rows[row]
            return (kind, layer, column) if column < heads[kind] else None

        def name(row: int, column: int) -> str:
            head = head_of(row, column)
            return "" if head is None else head_name(*head, trace)

        def rect(row: int, column: int) -> QRectF | None:
            place, head = self.geometry_now(), head_of(row, column)
            if place is None or head is None:
                return None
            page = next(page for page in place.pages if page.spec.kind is head[0])
            return page.rect_of(*head[1:])

        def at(point: QPointF) -> tuple[int, int] | None:
            place = self.geometry_now()
            head = None if place is None else place.head_at(point)
            return None if head is None else (rows.index(head[:2]), head[2])

        def choose(row: int, column: int) -> None:
            head = head_of(row, column)
            if head is not None:
                self._choose(head)

        return Cells(len(rows), widest, name, current=current, rect=rect, at=at, choose=choose)

    def keeps(self, spot: Head, before: AllHeadsSpec, after: AllHeadsSpec) -> bool:
        """The head of that place, if there is one."""
        kind, layer, head = spot
        return any(page.kind is kind and layer < page.layers and head < page.heads for page in after.pages)

    def spot_gone(self) -> None:
        """There is no such head any more."""
        self._session.hover.set(None)

    def draw(self, painter: QPainter, figure: FigureSpec[AllHeadsSpec], rect: QRectF, colours: Theme) -> None:
        """Draw what is read, and have the rest read."""
        super().draw(painter, figure, rect, colours)
        self._reading.go_on()

    def _all_read(self) -> None:
        """Say what came to light while the heads were read."""
        trace = self._session.trace(self._pane)
        if self._session.view.hide_specials or (trace is not None and trace.found_unsound()):
            self.mark_dirty()

    @property
    def complete(self) -> bool:
        """Whether every head is read and shown."""
        return self.geometry_now() is not None and self._reading.complete

    def sentence(self) -> str:
        """Which head is under the pointer, or else chosen."""
        return self._pointed_sentence() or self._chosen_sentence()

    def _pointed_sentence(self) -> str:
        head: Head | None = self.spot
        return "" if head is None else head_name(*head, self._session.trace(self._pane))

    def _chosen_sentence(self) -> str:
        selection = self._session.selection(self._pane)
        if selection is None or self.spec is None:
            return ""
        return head_name(selection.kind, selection.layer, selection.head, self._session.trace(self._pane))

    def tell(self) -> None:
        """Say it in the status line."""
        self.read_out.emit(self.sentence())

    def showEvent(self, event: QShowEvent) -> None:
        """The view that was shown before has had the last word."""
        super().showEvent(event)
        self.tell()

    def settled(self) -> None:
        """Say which head is chosen, if it is another."""
        if self._moved:
            self._moved = False
            speak(self, self._chosen_sentence(), aloud=self.hasFocus() and self.cell_table is None)
            self.tell()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the head under the pointer."""
        place = self.geometry_now()
        self._point_at(None if place is None else place.head_at(event.position()))
        show_tip(event.globalPosition().toPoint(), self._pointed_sentence(), self)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a head."""
        if event.button() != Qt.MouseButton.LeftButton:
            return
        self._session.activate_pane(self._pane)
        place = self.geometry_now()
        head = None if place is None else place.head_at(event.position())
        if head is not None:
            self._choose(head)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Show the map of a head."""
        place = self.geometry_now()
        if place is not None and place.head_at(event.position()) is not None:
            self._session.select(self._pane, view=MAP_VIEW)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self._point_at(None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows walk the heads, from kind to kind; Enter shows the map of the chosen one."""
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        move = _MOVES.get(Qt.Key(event.key()))
        if move is not None and plain:
            self._walk(*move)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and plain:
            self._session.select(self._pane, view=MAP_VIEW)
        else:
            super().keyPressEvent(event)

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not read."""
        self._reading.stop()
        super().hideEvent(event)

    def _walk(self, down: int, right: int) -> None:
        place, selection = self.geometry_now(), self._session.selection(self._pane)
        if place is None or selection is None:
            return
        here = (selection.kind, selection.layer, selection.head or 0)
        self._choose(here if selection.head is None else place.neighbour(here, down, right))

    def _choose(self, head: Head) -> None:
        kind, layer, number = head
        self._session.select(self._pane, kind=kind, layer=layer, head=number)

    def _point_at(self, head: Head | None) -> None:
        if head == self.spot:
            return
        self.put_spot(head)
        self.setCursor(Qt.CursorShape.ArrowCursor if head is None else Qt.CursorShape.PointingHandCursor)
        shown = self._session.pane(self._pane)
        if head is None or shown is None:
            self._session.hover.set(None)
        else:
            kind, layer, number = head
            self._session.hover.set(Hovered(shown.run_id, kind, layer=layer, head=number))
        self.tell()
        self.update()

    def _pages(self) -> Sequence[HeadsGeometry]:
        place = self.geometry_now()
        return () if place is None else place.pages

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self._moved = True
            self.mark_dirty()

    def _run_grew(self, run_id: str) -> None:
        pane = self._session.pane(self._pane)
        if pane is not None and pane.run_id == run_id:
            self.mark_dirty()


ALL_HEADS = PaneView(
    "heads",
    "all_heads",
    AllHeadsView,
    "view_heads",
    label=lambda: QCoreApplication.translate("ViewTabs", "All heads"),
    tip=lambda: QCoreApplication.translate("ViewTabs", "Every head of every layer and family (A)"),
    action=lambda: QCoreApplication.translate("Actions", "All heads"),
    spoken=lambda: QCoreApplication.translate("AllHeadsView", "All heads"),
    key="A",
    of_one_map=False,
    fixed=lambda: QCoreApplication.translate("NumbersButton", "All heads always shows weights, by piece"),
)
