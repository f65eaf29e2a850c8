"""`ArithmeticPanel`: the inspector's tab: the cell in view worked out from query and key to W_O."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt, QTimer
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QPushButton, QStackedWidget, QVBoxLayout, QWidget

from model.abilities import Ability
from model.errors import HeadscopeError
from model.questions.answers import RowArithmetic
from model.questions.causes.scores import SCORES, ScoreOf, ScoreParts
from model.questions.questions import Question, Reading, RowOf
from viewer.document.document import Run
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.arithmetic.build import cell_in_view, question_of, strongest_head
from viewer.figures.causes.scores import score_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.look.arithmetic.arithmetic_view import ArithmeticView, Shown
from viewer.pages.look.arithmetic.stage_maps import StageMaps
from viewer.pages.look.causes.cause_view import CauseView
from viewer.pages.look.panel import LookPanel
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.quiet_scroll import QuietScrollArea

_TOPIC = "arithmetic"
_PATIENCE_MS = 200  # what is answered sooner replaces the last cell's arithmetic without a page in between


class ArithmeticPanel(LookPanel):
    """Asks for the row of the active pane's cell and shows it; while the tab is hidden it asks nothing."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._appearance = appearance
        self._stale = True
        self._asked: tuple[RowOf, Reading] | None = None
        self._does = ""
        self.hint = label("small")
        self.hint.setWordWrap(True)
        self.hint.setIndent(8)
        self.maps = StageMaps(session, appearance)
        self.why = QPushButton()
        self.why.setCheckable(True)
        self.parts = CauseView(session, appearance, SCORES, self._parts_figure)
        self.view = ArithmeticView(session, appearance)
        self.scroll_area = QuietScrollArea()
        self.empty = EmptyState()
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(_PATIENCE_MS)
        self._patience.timeout.connect(self._say_waiting)
        self._lay_out()
        self._connect()
        self.retranslate()

    def _lay_out(self) -> None:
        area = self.scroll_area
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A bar that comes and goes would change the width, and with it the height, for ever.
        area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        area.setWidget(self.view)
        self.stack = QStackedWidget()
        self.stack.addWidget(area)
        self.stack.addWidget(self.empty)
        self.stack.addWidget(self.parts)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 8, 2, 4)
        column.setSpacing(4)
        column.addWidget(self.maps)
        column.addWidget(self.why)
        column.addWidget(self.hint)
        column.addWidget(self.stack, 1)

    def _connect(self) -> None:
        session = self._session
        for signal in (
            session.pane_changed,
            session.run_grew,
            session.panes_changed,
            session.runs_changed,
            session.view_changed,
            session.model_changed,
        ):
            signal.connect(self.refresh)
        session.answers.changed.connect(self._answer_changed)
        self.empty.asked.connect(self._button_pressed)
        self.why.clicked.connect(self.refresh)
        self.view.read_out.connect(self.read_out)
        self.view.came_to.connect(self._show_rect)
        self.view.failed.connect(self._failed, Qt.ConnectionType.QueuedConnection)
        self._appearance.changed.connect(self._restyle)

    @property
    def least_width(self) -> int:
        """The least width that the panel is legible at."""
        return self._appearance.px(256)

    def refresh(self) -> None:
        """Show the cell in view; while the tab is hidden, later."""
        self._stale = not self.isVisible()
        if self._stale:
            return
        self.maps.refresh()
        run, selection = self._session.run(), self._session.selection()
        if obstacle := cannot(self._session.model, Ability.ANSWER):
            self._say(obstacle)
        elif run is None or selection is None or selection.kind not in run.trace.kinds:
            self._say(self.tr("Translate a sentence to see each weight computed here, step by step."))
        elif selection.head is None:
            self._say_mean(run, selection)
        elif run.live:
            self._say(self.tr("The arithmetic is computed once the translation is complete."))
        else:
            self._show_cell(run, selection)

    def _show_cell(self, run: Run, selection: Selection) -> None:
        question = question_of(run.trace, selection)
        try:
            reading = Reading.of(run.trace)
        except HeadscopeError as error:
            self._say(error_sentence(error))
            return
        if question is None:
            self._say(self.tr("Click a cell of the map to see where its weight comes from."))
            return
        self.why.show()
        if self.why.isChecked():
            self._show_parts(run, selection, question, reading)
            return
        self._asked = question, reading
        answer = self._session.answers.ask(question, reading, topic=_TOPIC)
        state = self._session.answers.state(question, reading)
        if isinstance(answer, RowArithmetic):
            self._show(Shown(run, selection, answer))
        elif state.problem is not None:
            self._say(state.problem.sentence(), self.tr("Try again"), "again")
        elif self.stack.currentWidget() is not self.scroll_area:
            self._say_waiting()
        elif not self._patience.isActive():
            self._patience.start()

    def _show_parts(self, run: Run, selection: Selection, row: RowOf, reading: Reading) -> None:
        """Why the cell in view is looked at, in the place of its weight."""
        cell = cell_in_view(run.trace, selection)
        assert cell is not None
        self._patience.stop()
        self._asked = None
        self._hint(selection)
        self.maps.show()
        self.parts.ask(ScoreOf(row.kind, row.layer, row.head, *cell), reading)
        self.stack.setCurrentWidget(self.parts)

    def _parts_figure(self, answer: ScoreParts) -> FigureSpec[SheetSpec]:
        run = self._session.run()
        assert run is not None
        return score_figure(run.trace, answer, provenance=run.provenance)

    def _hint(self, selection: Selection) -> None:
        self.hint.setText(self.tr("This is the row's strongest key; click a cell of the map for another."))
        self.hint.setVisible(selection.query is None)

    def _show(self, shown: Shown) -> None:
        self._patience.stop()
        self._hint(shown.selection)
        self.maps.show()
        self.why.show()
        self.view.show_answer(shown)
        self.stack.setCurrentWidget(self.scroll_area)

    def _say(self, sentence: str, button: str = "", does: str = "") -> None:
        """Say why there is no arithmetic, and what the button does about it."""
        self._patience.stop()
        if does != "again":
            self._asked = None
        self._does = does
        self.hint.hide()
        self.maps.hide()
        self.why.setVisible(self.why.isChecked())
        self.empty.say(sentence, button)
        self.stack.setCurrentWidget(self.empty)

    def _say_waiting(self) -> None:
        asked = self._asked
        self._say(self.tr("Computing the row from the model's weights…"))
        self._asked = asked

    def _say_mean(self, run: Run, selection: Selection) -> None:
        head = strongest_head(run.trace, selection) + 1
        self._say(
            self.tr("A mean over heads has no query and key of its own: choose one head."),
            self.tr("Head {head}, the strongest here").format(head=head),
            "head",
        )

    def _button_pressed(self) -> None:
        run, selection = self._session.run(), self._session.selection()
        if self._does == "head" and run is not None and selection is not None:
            self._session.select_head(selection.layer, strongest_head(run.trace, selection))
        elif self._does == "again" and self._asked is not None:
            self._session.answers.retry(*self._asked, topic=_TOPIC)

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self._asked == (question, reading):
            self.refresh()

    def _failed(self, error: HeadscopeError) -> None:
        self._say(error_sentence(error))

    def _show_rect(self, box: QRectF) -> None:
        """Scroll until a stage is in sight, its heading first."""
        bar, high = self.scroll_area.verticalScrollBar(), self.scroll_area.viewport().height()
        if box.top() < bar.value() or box.bottom() > bar.value() + high:
            bar.setValue(round(box.top()) - 8)

    def _restyle(self) -> None:
        self.view.fit()
        self.maps.refresh()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.why.setText(self.tr("Why does it look there?"))
        self.why.setToolTip(
            plain(
                self.tr(
                    "Take the score before the softmax apart: what word, position, earlier heads and "
                    "networks put into query and key"
                )
            )
        )
        self.view.mark_dirty()
        self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        """Catch up with what happened while the tab was hidden."""
        super().showEvent(event)
        if self._stale:
            self.refresh()

    def hideEvent(self, event: QHideEvent) -> None:
        """Ask nothing more, and look again when it is shown."""
        super().hideEvent(event)
        self._patience.stop()
        self._stale = True
