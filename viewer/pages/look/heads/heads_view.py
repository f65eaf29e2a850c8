"""HeadsView: all heads of the kind in view, small; a click or the arrow keys choose one."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QHideEvent, QKeyEvent, QMouseEvent, QPainter, QResizeEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QToolTip,
    QWidget,
)

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.causes.logit import LogitOf, LogitParts
from model.questions.questions import Question, Reading
from viewer.document.explained import logit_question
from viewer.document.hover import Hovered
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.all_heads.build import head_name
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.drawing import figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint import mosaic
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.map.long_map import LONG
from viewer.pages.accessible.cells import Cells
from viewer.pages.look.heads.head_reading import HeadReading
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.plain_tip import plain, show_tip
from viewer.pages.widgets.quiet_scroll import width_beside_bar

_MOST_AT_ONCE = LONG  # weights; more, and the heads appear as they are read
_MOVES = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}


class HeadsView(FigureView[HeadsSpec, HeadsGeometry]):
    """The mosaic of heads, layers downwards and heads across.

    Signals:
        all_read: no head of the kind is left to be read.
        coloured: what the heads wrote is known now.
        circuits_asked: what the head in view does in general.
    """

    all_read = Signal()
    coloured = Signal()
    circuits_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent)
        self._session = session
        self._lit: tuple[int, int] | None = None  # what was drawn of a pointer in another view
        self._reading = HeadReading(self, self._pages)
        self._reading.done.connect(self._all_read)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.run_grew, session.panes_changed, session.runs_changed, session.view_changed):
            signal.connect(self.mark_dirty)
        session.hover.changed.connect(self._hover_changed)
        # It may come at once, in the middle of painting.
        session.answers.changed.connect(self._parts_changed, Qt.ConnectionType.QueuedConnection)

    def build(self) -> FigureSpec[HeadsSpec] | None:
        """All heads of the active pane's kind at its step."""
        run, selection = self._session.run(), self._session.selection()
        if run is None or selection is None or selection.kind not in run.trace.kinds:
            return None
        return heads_figure(
            run.trace,
            selection.kind,
            selection.step,
            self._session.view,
            provenance=run.provenance,
            importance=run.importance,
            attribution=self.written(),
            lazy=True,
        )

    def _all_read(self) -> None:
        """Say what could not be said before: how much of the weight is hidden."""
        if self._session.view.hide_specials:
            self.mark_dirty()
        self.all_read.emit()

    def written(self) -> LogitParts | None:
        """What the heads wrote for the words in view, where that colours them; asked for once."""
        run, selection, view = self._session.run(), self._session.selection(), self._session.view
        if run is None or selection is None or not view.attribution or view.importance:
            return None
        question = None if run.live else logit_question(run.trace, selection)
        if question is None or cannot(self._session.model, Ability.ANSWER):
            return None
        try:
            reading = Reading.of(run.trace)
        except HeadscopeError:  # altered in a way that this version does not know
            return None
        found = self._session.answers.ask(question, reading, topic="heads wrote")
        return found if isinstance(found, LogitParts) and selection.kind in found.by_head() else None

    def _parts_changed(self, question: Question, reading: Reading | None) -> None:
        if isinstance(question, LogitOf):
            self.mark_dirty()
            self.coloured.emit()

    def options(self) -> DrawOptions:
        """The chosen head framed, the one under the pointer marked."""
        selection = self._session.selection()
        chosen = None if selection is None else (selection.layer, selection.head)
        options = replace(super().options(), lazy=self._is_large())
        return replace(options, selected=chosen, hover=self.spot or self._lit_now())

    def cells(self) -> Cells | None:
        """Layers downwards, heads across."""
        spec, selection = self.spec, self._session.selection()
        if spec is None:
            return None
        kind, trace, current = spec.kind, self._session.trace(), None
        if selection is not None and selection.head is not None:
            current = (selection.layer, selection.head)

        def name(layer: int, head: int) -> str:
            said = head_name(kind, layer, head, trace)
            return said if spec.worth is None else f"{said}. {self.head_tip(layer, head)}"

        def rect(layer: int, head: int) -> QRectF | None:
            place = self.geometry_now()
            return None if place is None else place.rect_of(layer, head)

        def at(point: QPointF) -> tuple[int, int] | None:
            place = self.geometry_now()
            return None if place is None else place.head_at(point)

        choose = self._session.select_head
        return Cells(spec.layers, spec.heads, name, current=current, rect=rect, at=at, choose=choose)

    def keeps(self, spot: tuple[int, int], before: HeadsSpec, after: HeadsSpec) -> bool:
        """The head of that place in the same kind."""
        return before.kind is after.kind and spot[0] < after.layers and spot[1] < after.heads

    def spot_gone(self) -> None:
        """There is no such head any more."""
        self._session.hover.set(None)

    def draw(self, painter: QPainter, figure: FigureSpec[HeadsSpec], rect: QRectF, colours: Theme) -> None:
        """Draw the mosaic; of a large one what is read, and have the rest read."""
        super().draw(painter, figure, rect, colours)
        if self._is_large():
            self._reading.go_on()

    def _is_large(self) -> bool:
        spec = self.spec
        if spec is None or spec.worth is not None:
            return False
        return spec.layers * spec.heads * spec.grid.rows * spec.columns > _MOST_AT_ONCE

    def _pages(self) -> Sequence[HeadsGeometry]:
        place = self.geometry_now()
        return () if place is None else (place,)

    def hideEvent(self, event: QHideEvent) -> None:
        """What nobody sees is not read."""
        self._reading.stop()
        super().hideEvent(event)

    def settled(self) -> None:
        """Take the height the kind needs; where that moves nothing, make the picture before its frame."""
        high, least = self.height(), self.minimumHeight()
        self._fit()
        stays = self.height() == high and self.minimumHeight() >= least
        place = self.geometry_now() if stays and self.isVisible() else None
        if place is not None and place.spec.worth is None and place.spec.rows and place.spec.columns:
            ratio = self.devicePixelRatioF()
            with suppress(HeadscopeError):  # the frame says that it cannot be read
                mosaic(place, self.theme, ratio, ratio, lazy=self._is_large())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """The height needed depends on the width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        figure = self.figure if self.isVisible() else None
        if figure is not None:
            wide = max(40.0, width_beside_bar(self) - 2.0 * self.margin)
            needed = figure_height(figure, wide, self.options())
            self.setMinimumHeight(int(needed + 2 * self.margin))

    def sizeHint(self) -> QSize:
        """Wide enough for some heads."""
        return QSize(240, 200)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Name the head under the pointer."""
        geometry = self.geometry_now()
        head = None if geometry is None else geometry.head_at(event.position())
        if head == self.spot:
            return
        self.put_spot(head)
        self._point_at(head)
        self.setCursor(Qt.CursorShape.ArrowCursor if head is None else Qt.CursorShape.PointingHandCursor)
        if head is None:
            QToolTip.hideText()
        else:
            show_tip(event.globalPosition().toPoint(), self.head_tip(*head), self)
        self.update()

    def head_tip(self, layer: int, head: int) -> str:
        """Which head that is, and what it is worth where that is shown."""
        text = self.tr("Layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
        spec = self.spec
        if spec is None or spec.worth is None:
            return text
        return text + "\n" + spec.worth.sentence(layer, head)

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        self.put_spot(None)
        self._point_at(None)
        self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Choose a head."""
        geometry = self.geometry_now()
        head = None if geometry is None else geometry.head_at(event.position())
        if head is not None and event.button() == Qt.MouseButton.LeftButton:
            self._session.select_head(*head)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Of the head under the pointer, or by the menu key of the one in view."""
        geometry, selection = self.geometry_now(), self._session.selection()
        by_key = event.reason() == QContextMenuEvent.Reason.Keyboard
        if geometry is None or selection is None:
            return
        head = None if by_key else geometry.head_at(QPointF(event.pos()))
        if head is not None:
            self._session.select_head(*head)
        elif not by_key or selection.head is None:
            return
        menu = QMenu(self)
        action = menu.addAction(self.tr("What this head does in &general…"), self.circuits_asked.emit)
        obstacle = cannot(self._session.model, Ability.WALK)
        action.setEnabled(not obstacle)
        action.setToolTip(plain(obstacle))
        menu.setToolTipsVisible(True)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(event.globalPos())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """The arrows move to the neighbouring head."""
        move = _MOVES.get(Qt.Key(event.key()))
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.NoModifier
        if move is None or not plain:
            super().keyPressEvent(event)
        else:
            self._session.move_head(*move)

    def _point_at(self, head: tuple[int, int] | None) -> None:
        """Tell all views that the pointer is on a head."""
        pane = self._session.pane()
        if head is None or pane is None:
            self._session.hover.set(None)
        else:
            at = Hovered(pane.run_id, pane.selection.kind, layer=head[0], head=head[1])
            self._session.hover.set(at)

    def _lit_now(self) -> tuple[int, int] | None:
        """The head that the pointer is on in another view."""
        at, pane = self._session.hover.at, self._session.pane()
        if at is None or pane is None or at.run != pane.run_id or at.kind is not pane.selection.kind:
            return None
        return None if at.layer is None or at.head is None else (at.layer, at.head)

    def _hover_changed(self) -> None:
        head = self._lit_now()
        if head != self._lit:
            self._lit = head
            self.update()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.mark_dirty()
