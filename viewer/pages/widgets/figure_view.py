"""`FigureView`: a figure built when needed, drawn by the room that draws the exports."""

from __future__ import annotations

import sys
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QFocusEvent,
    QPainter,
    QPaintEvent,
    QShowEvent,
)
from PySide6.QtWidgets import QToolTip, QWidget

from model.errors import HeadscopeError
from model.questions.questions import Question, Reading
from viewer.document.session import Session
from viewer.figures.canvas.theme import Theme, theme
from viewer.figures.drawing import DrawOptions, figure_geometry, paint_figure
from viewer.figures.figure import Body, FigureSpec, Geometry
from viewer.figures.known import Missing, NotRead
from viewer.figures.registry import drawing_of
from viewer.giving_way import make_way
from viewer.pages.accessible.cells import CellHost, Cells
from viewer.pages.widgets.appearance import Appearance, draw_ring
from viewer.pages.widgets.before_paint import BeforePaint
from viewer.pages.widgets.missing_answer import MissingAnswer
from viewer.pages.widgets.reader import Reader
from viewer.pages.widgets.worded import Worded

_LOW = 260  # a view that is lower keeps its height for cells
_PATIENCE_MS = 300  # what is answered sooner replaces the last picture without a sentence in between
_KEY_REASONS = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)
_VEIL = 0.7  # of the ground's colour, over a picture that is no longer true


def speak(widget: QWidget, text: str, *, aloud: bool = True) -> None:
    """Make a sentence the widget's description, and have it read out if a screen reader listens.

    Args:
        aloud: whether it is news to the person: where several widgets say the same, one does.
    """
    if widget.accessibleDescription() == text:
        return
    widget.setAccessibleDescription(text)
    if aloud and text and QAccessible.isActive():
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(widget, text))


S = TypeVar("S", bound=Body)
G = TypeVar("G", bound=Geometry)


class FigureView(Worded, CellHost, QWidget, Generic[S, G]):
    """A widget that shows one figure; subclasses say which (`build`), of which kind, and how (`options`).

    `FigureView[MapSpec, MapGeometry]` shows maps: what it shows (`spec`) and where everything of it stands
    (`geometry_now`) are of these types.

    A change only marks it dirty: the figure is built for the next frame, or when somebody asks for it, so
    hidden views cost nothing and all changes of a frame cost one figure. What follows from another figure is
    done then, in `settled`, never in what a signal calls.

    A view of a pane whose numbers may need answers of the model calls `follow_answers` once and gives
    `known` to its builder; while an answer is missing, a sentence stands in the figure's place, or over the
    last figure, faded, while it is being worked out.

    What the pointer is on is counted in the figure in view. It is held here as `spot`, which another figure
    takes away unless `keeps` says that it is the same thing there: no view asks a figure for a place that it
    does not have.

    Signals:
        failed: a `HeadscopeError`: the numbers, which are read from the file when they are looked at, could
            not be read. Connect queued: it comes in the middle of painting.
        answered: an answer that was missing came, or will not come (soon).
    """

    failed = Signal(object)
    answered = Signal()

    margin = 4.0
    ringed = True  # a dotted frame around all of it says that it has the focus, to whom uses keys

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.look = appearance
        self._figure: FigureSpec[S] | None = None
        self._dirty = True
        self._answer: MissingAnswer | None = None
        self._reader: Reader | None = None
        self._waiting = self._by_keys = False
        self._held: FigureSpec[S] | None = None  # what was shown before an answer was missing
        self._spot: Any = None
        self._spot_in: FigureSpec[S] | None = None
        self._late = BeforePaint(self, self._settle)
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._answer_changed)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent)
        appearance.changed.connect(self.update)

    def build(self) -> FigureSpec[S] | None:
        """The figure to show now, None for an empty panel."""
        raise NotImplementedError

    def follow_answers(self, session: Session, pane: int) -> None:
        """Ask the session for what the pane's numbers need, and build the figure when it is there."""
        self._answer = MissingAnswer(session, pane, self)
        # It may come at once, in the middle of painting.
        self._answer.changed.connect(self._answer_changed, Qt.ConnectionType.QueuedConnection)

    def known(self, question: Question, reading: Reading | None) -> Any:
        """An answer that is there already, for the builder of the figure."""
        return None if self._answer is None else self._answer.known(question, reading)

    @property
    def waiting(self) -> str:
        """Why there is no figure yet, in a sentence; empty where one is shown, or there is none to show."""
        if self.figure is not None or not self._waiting:
            return ""
        if self.reading:
            return QCoreApplication.translate("FigureView", "Reading…")
        return "" if self._answer is None else self._answer.sentence()

    @property
    def holding(self) -> bool:
        """Whether the last figure stays, faded, because what replaces it comes in a moment."""
        return self.figure is None and self._held_now() is not None and self._patience.isActive()

    def options(self) -> DrawOptions:
        """How to draw it now."""
        compact = self.height() < self.look.px(_LOW) / self.look.scale  # large type is no reason
        scale, least = self.look.scale, self.look.least_type
        return DrawOptions(title=False, badges=False, font_scale=scale, least_type=least, compact=compact)

    def draw(self, painter: QPainter, figure: FigureSpec[S], rect: QRectF, colours: Theme) -> None:
        """Draw the figure."""
        paint_figure(painter, figure, rect, colours, self.options())

    @property
    def figure(self) -> FigureSpec[S] | None:
        """The figure in view, up to date."""
        if self._dirty:
            self._dirty = False
            before, self._figure, self._waiting = self._figure, None, False
            try:
                self._figure = self.build()
            except HeadscopeError as error:
                self.failed.emit(error)
            except Missing as missing:
                self._wait(before)
                if self._answer is not None:
                    self._answer.take(missing)
            except NotRead as missing:
                self._wait(before)
                self._have_read(missing)
            else:
                self._held = None
                self._patience.stop()
                if self._answer is not None:
                    self._answer.forget()
                self._carry_spot(self._figure)
        return self._figure

    def _wait(self, before: FigureSpec[S] | None) -> None:
        """There is no figure yet: for a moment the last one stays."""
        self._waiting = True
        if before is not None:
            self._held = before
            self._patience.start()

    def _have_read(self, missing: NotRead) -> None:
        """Have numbers read, and build the figure when they are."""
        if self._reader is None:
            self._reader = Reader(self)
            self._reader.failed.connect(self.failed)
            self._reader.done.connect(self._answer_changed)
        if self._reader.unread == missing.what:  # it was told; whoever changes something has it tried again
            self._reader.unread, self._waiting = None, False
        else:
            self._reader.read(missing.what, missing.reading)

    @property
    def reading(self) -> bool:
        """Whether numbers are being read."""
        return self._reader is not None and self._reader.busy

    @property
    def spec(self) -> S | None:
        """What the figure in view is of, up to date."""
        figure = self.figure
        return None if figure is None else figure.body

    def geometry_now(self) -> G | None:
        """Where everything of the figure in view stands in the widget."""
        figure = self.figure
        if figure is None:
            return None
        place: G = figure_geometry(figure, self.figure_rect, self.options())
        return place

    def cells(self) -> Cells | None:
        """What the figure's kind says of everything in it; a cell is chosen by a click in its middle."""
        figure = self.figure
        spoken = None if figure is None else drawing_of(figure.body).spoken
        if figure is None or spoken is None:
            return None
        told = spoken(figure.body)

        def rect(row: int, column: int) -> QRectF | None:
            place = self.geometry_now()
            where = QRectF() if place is None else told.rect(place, row, column)
            return None if where.isEmpty() else where

        def at(point: QPointF) -> tuple[int, int] | None:
            place = self.geometry_now()
            return None if place is None else told.found(place, point)

        def choose(row: int, column: int) -> None:
            where = rect(row, column)
            if where is not None:
                self.press(where.center())

        names = told.name, told.row_name, told.column_name
        return Cells(told.rows, told.columns, *names, told.current, rect, at, choose)

    def press(self, point: QPointF) -> None:
        """What a click at a point does; nothing where nothing can be chosen."""

    @property
    def stale(self) -> bool:
        """Whether the figure in view is not the one that will be."""
        return self._dirty

    @property
    def spot(self) -> Any:
        """What the pointer is on in the figure in view, counted as the view does; None if on nothing."""
        return None if self.figure is None else self._spot

    def put_spot(self, spot: Any) -> None:
        """The pointer is on something else in the figure in view, or (None) on nothing."""
        self._spot_in = self.figure
        self._spot = None if self._spot_in is None else spot

    def keeps(self, spot: Any, before: S, after: S) -> bool:
        """Whether what the pointer was on in one figure is there in the next, and means the same."""
        return False

    def spot_gone(self) -> None:
        """The figure with what the pointer was on is gone: let other views know."""

    def _carry_spot(self, figure: FigureSpec[S] | None) -> None:
        """Another figure was built: keep what the pointer is on, or drop it, here and nowhere else."""
        before, self._spot_in = self._spot_in, figure
        if self._spot is None:
            return
        if QToolTip.isVisible():
            QToolTip.hideText()  # it tells a number of the figure before
        if before is None or figure is None or not self.keeps(self._spot, before.body, figure.body):
            self._spot = None
            self.spot_gone()

    @property
    def theme(self) -> Theme:
        """The drawing's colours for the window's theme."""
        return theme(self.look.palette.name)

    @property
    def figure_rect(self) -> QRectF:
        """Where the figure is drawn, in the widget's coordinates."""
        return QRectF(self.rect()).adjusted(self.margin, self.margin, -self.margin, -self.margin)

    def mark_dirty(self) -> None:
        """Build the figure anew for the next frame."""
        make_way()
        self._dirty = True
        self.update()
        self._late.ask()

    def settled(self) -> None:
        """Another figure may be in view, and a frame will show it: let it be known what that brings."""

    def _settle(self) -> None:
        self.settled()
        self.follow_cells()

    def settle(self) -> None:
        """Do now what the next frame would: somebody goes by it at once."""
        self._late.now()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while it was hidden."""
        super().showEvent(event)
        self._late.shown()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the panel's background and the figure."""
        painter = QPainter(self)
        self.draw_on(painter)
        painter.end()  # a painter that an exception keeps alive would still be open when Qt goes on

    def draw_on(self, painter: QPainter) -> None:
        """Draw what the view shows on something as large as it."""
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colours = self.theme
        painter.fillRect(self.rect(), colours.color("panel"))
        try:
            if self._dirty and self.window().isMinimized():  # some systems paint it all the same
                self._late.ask()
            elif (figure := self.figure) is not None:
                self.draw(painter, figure, self.figure_rect, colours)
            elif self.waiting:
                self._paint_waiting(painter, colours)
        except HeadscopeError as error:
            self.failed.emit(error)
        except Exception:
            sys.excepthook(*sys.exc_info())  # an exception that leaves a paint event can end the process
        if self.ringed and self._by_keys and self.hasFocus():
            draw_ring(painter, self, self.look.color("accent"))

    def _held_now(self) -> FigureSpec[S] | None:
        """The last figure, while the answer that the next one needs is being worked out."""
        pending = self._answer is not None and self._answer.pending
        return self._held if pending or self.reading else None

    def _paint_waiting(self, painter: QPainter, colours: Theme) -> None:
        """The last figure under a veil, and after a moment why it is not the one that was asked for."""
        held = self._held_now()
        if held is None:
            self._say(painter, self.waiting, colours)
            return
        self._figure = held  # where everything stands is asked of the figure in view
        try:
            self.draw(painter, held, self.figure_rect, colours)
        finally:
            self._figure = None
        if self.reading and self._patience.isActive():
            return  # as a rule it is read in less time than a veil needs to be seen
        veil = colours.color("panel")
        veil.setAlphaF(_VEIL)
        painter.fillRect(self.rect(), veil)
        if not self._patience.isActive():
            self._say(painter, self.waiting, colours)

    def _say(self, painter: QPainter, sentence: str, colours: Theme) -> None:
        """A quiet sentence in the middle."""
        painter.setFont(self.font())
        flags = Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap
        room = self.figure_rect.adjusted(24, 8, -24, -8)
        ground = painter.boundingRect(room, flags, sentence).adjusted(-8, -4, 8, 4)
        painter.fillRect(ground, colours.color("panel"))
        painter.setPen(colours.color("dim"))
        painter.drawText(room, flags, sentence)
        self.setAccessibleDescription(sentence)

    def _answer_changed(self) -> None:
        self.mark_dirty()
        self.answered.emit()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Know how the focus came."""
        self._by_keys = event.reason() in _KEY_REASONS
        super().focusInEvent(event)

    def event(self, event: QEvent) -> bool:
        """Know that keys are used here."""
        if event.type() == QEvent.Type.KeyPress and not self._by_keys:
            self._by_keys = True
            self.update()
        return super().event(event)

    def retranslate(self) -> None:
        """Figures carry words: build anew in another language."""
        self.mark_dirty()

    def remeasure(self) -> None:
        """Figures are drawn in the type of the window."""
        self.mark_dirty()
