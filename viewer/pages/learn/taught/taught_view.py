"""TaughtView: the page of a lesson."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtGui import QResizeEvent, QShowEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from model.errors import HeadscopeError
from model.lessons.control import Press, Value
from model.lessons.lesson import Ask, Numbers, Subject, kept_values
from model.questions.questions import Question, Reading
from viewer.document.answers import AnswerState
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.figures.figure import FigureSpec
from viewer.figures.rows import figure_rows
from viewer.figures.sheet.spec import SheetSpec
from viewer.lessons.sheet import finding_text, lesson_sheet
from viewer.lessons.told import Told
from viewer.pages.learn.lesson import LessonView
from viewer.pages.learn.taught.controls_box import ControlsBox
from viewer.pages.learn.taught.formula_view import FormulaView
from viewer.pages.learn.taught.model_doors import ModelDoors
from viewer.pages.widgets.appearance import NO_LIMIT, Appearance
from viewer.pages.widgets.buttons import Label, label
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.sheet_view import SheetView
from viewer.resources import bundled_model

_SIDE = 300  # width of the column beside the picture
_WIDE = 800  # a page that is narrower has the column above and below its picture
_OFFER = "en-fr"


class TaughtView(LessonView):
    """Why, the controls, the picture, what to expect, what you got, the formula, the paper.

    What a lesson asks of the model is asked while the page is in view; until it is answered the last
    picture stays. What takes long says how far it is and can be stopped; it begins again only when told to.
    Controls that nobody turned follow what is open.
    """

    def __init__(
        self, told: Told, session: Session, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.told = told
        self._session, self._appearance = session, appearance
        self._values: dict[str, Value] = {}
        self._turned: dict[str, Value] = {}
        self._wished: Mapping[str, object] = {}
        self._numbers: Numbers | None = None
        self._shown_of: tuple[str, str] = ("", "")
        self._ask: Ask | None = None
        self._stopped: Ask | None = None
        self._waiting = False
        self._answer: Any = None
        self._station = -1
        self._lay_out()
        self.controls.turned.connect(self.turn)
        self.view.turned.connect(self.turn)
        self.view.picked.connect(self._picked)
        self._offer.clicked.connect(self._offered)
        self._models.path_asked.connect(self.path_asked)
        self._stop.clicked.connect(self._stop_clicked)
        appearance.changed.connect(self._arrange)
        session.answers.changed.connect(self._answer_changed)
        session.pane_changed.connect(self._subject_changed)
        session.run_grew.connect(self._subject_changed)
        session.model_changed.connect(self._subject_changed)
        self.retranslate()

    def _lay_out(self) -> None:
        told, appearance = self.told, self._appearance
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another.
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(scroll := QuietScrollArea())
        self._scroll = scroll
        scroll.setWidget(page := QWidget())
        page.setObjectName("page")
        self._why = label("large")
        self.controls = ControlsBox(told.control, told.option, page)
        self._picture, self._words = QWidget(page), QWidget(page)
        self.view = SheetView(appearance, self._figure)
        self._message = label("muted")
        self._offer, self._stop = QPushButton(), QPushButton()
        self._offer.hide()
        self._stop.hide()
        self._models = ModelDoors(told.model)
        self._expect_title, self._got_title, self._formula_title = (label("title") for _ in range(3))
        self._expect, self._paper = label(), label("small")
        self._formula = FormulaView(appearance)
        self._got = QVBoxLayout()
        self._got.setSpacing(4)
        self._found: list[Label] = []
        for one in (self._why, self._expect, self._paper, self._message):
            one.setWordWrap(True)
        column = QVBoxLayout(self._words)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addWidget(self._expect_title)
        column.addWidget(self._expect)
        column.addSpacing(6)
        column.addWidget(self._got_title)
        column.addLayout(self._got)
        column.addSpacing(6)
        column.addWidget(self._formula_title)
        column.addWidget(self._formula)
        column.addWidget(self._paper)
        column.addStretch(1)
        inside = QVBoxLayout(self._picture)
        inside.setContentsMargins(0, 0, 0, 0)
        said = QHBoxLayout()
        said.addWidget(self._message, 1)
        said.addWidget(self._stop)
        inside.addLayout(said)
        inside.addWidget(self._offer)
        inside.addWidget(self._models)
        inside.addWidget(self.view, 1)
        self._grid = QGridLayout(page)
        self._grid.setContentsMargins(4, 2, 8, 8)
        self._grid.setHorizontalSpacing(18)
        self._grid.setVerticalSpacing(10)
        self._arranged: tuple[bool, bool] | None = None
        self._arrange()

    def _arrange(self) -> None:
        """The column beside the picture where there is room, else above and below it."""
        wide = self.width() >= self._appearance.px(_WIDE)
        if (wide, self._appearance.present) == self._arranged:
            return
        self._arranged = (wide, self._appearance.present)
        for one in (self._why, self.controls, self._picture, self._words):
            self._grid.removeWidget(one)
        if wide:
            self.controls.set_columns(1)
            self._grid.addWidget(self._why, 0, 0, 1, 2)
            self._grid.addWidget(self._picture, 1, 0, 2, 1)
            self._grid.addWidget(self.controls, 1, 1)
            self._grid.addWidget(self._words, 2, 1)
            self._words.setFixedWidth(self._appearance.px(_SIDE))
            self.controls.setFixedWidth(self._appearance.px(_SIDE))
        else:
            self.controls.set_columns(2)
            for one in (self.controls, self._words):
                one.setMinimumWidth(0)
                one.setMaximumWidth(NO_LIMIT)
            order: tuple[QWidget, ...] = (self._why, self.controls, self._picture, self._words)
            if self._appearance.present:  # the figure comes first
                order = (self._why, self._picture, self.controls, self._words)
            for row, one in enumerate(order):
                self._grid.addWidget(one, row, 0, 1, 2)
        self._grid.setRowStretch(2, 1)
        self._grid.setColumnStretch(0, 1)

    # What the page shows.

    @property
    def values(self) -> Mapping[str, Value]:
        """Where the controls stand."""
        return self._values

    @property
    def numbers(self) -> Numbers | None:
        """What is shown."""
        return self._numbers

    @property
    def picture(self) -> QWidget:
        """What the keys belong to while nothing is typed."""
        return self.view

    @property
    def figure(self) -> FigureSpec[SheetSpec] | None:
        """The figure in view; None where there is none."""
        return self.view.figure

    def table(self) -> list[tuple[object, ...]] | None:
        """The numbers of the picture as rows, header first."""
        figure = self.figure
        return None if figure is None else [tuple(row) for row in figure_rows(figure)]

    @property
    def command(self) -> tuple[str, ...]:
        """What `render` is told: the lesson, and the controls that do not stand where they do at first."""
        controls = self.told.lesson.controls(self._subject())
        unused = self.told.lesson.unused(self._values)
        words = [
            ("--set", f"{control.name}={control.said(self._values[control.name])}")
            for control in controls
            if control.name not in unused
            and self._values.get(control.name, control.default) != control.default
        ]
        return ("--lesson", self.told.name, *(word for pair in words for word in pair))

    @property
    def of_trace(self) -> bool:
        """Whether the model was asked about the translation in view."""
        return self._ask is not None and self._ask[0].needs_model

    def scene(self) -> dict[str, Any]:
        """Where the controls stand, for `show_scene`."""
        return {"values": dict(self._values)}

    def show_scene(self, state: Mapping[str, Any]) -> None:
        """Turn the controls as they were, as far as they still can be."""
        values = state.get("values")
        if isinstance(values, Mapping):
            self._wished = {str(name): value for name, value in values.items()}
            self._turned = {}
            self.refresh()

    def step(self, by: int) -> bool:
        """Turn the controls as the next or the last station has them; False where there is none."""
        stations = self.told.lesson.stations(self._subject())
        at = self._station + by
        if not 0 <= at < len(stations):
            return False
        self._station = at
        self._turned.update(stations[at])
        self.refresh()
        return True

    def turn(self, name: str, value: Any) -> None:
        """Turn a control; a number beyond its range goes to the end, and to a whole one where it must."""
        for control in self.told.lesson.controls(self._subject()):
            if control.name == name:
                if isinstance(control, Press) and value:
                    self._begin_anew()
                low, high = getattr(control, "low", None), getattr(control, "high", None)
                held = value if low is None or high is None else min(max(value, low), high)
                if getattr(control, "whole", False):
                    held = round(held)
                self._take({name: control.taken(held)})

    def _begin_anew(self) -> None:
        """Somebody pressed for it: what was stopped is wanted after all."""
        if self._stopped is not None:
            self._session.answers.forget(*self._stopped)
            self._stopped = None

    def _picked(self, found: Mapping[str, int]) -> None:
        self._take(dict(found))

    def _take(self, changes: Mapping[str, Value]) -> None:
        self._turned.update(changes)
        if any(self._values.get(name) != value for name, value in changes.items()):
            self.refresh()

    def refresh(self) -> None:
        """Work out what the controls ask for, as far as it is known."""
        lesson, subject = self.told.lesson, self._subject()
        controls = lesson.controls(subject)
        self._values = kept_values(controls, {**self._wished, **self._turned})
        unused = lesson.unused(self._values)
        shown = tuple(one for one in controls if one.name not in unused)
        self.controls.show_controls(shown, self._values)
        self._ask = lesson.asks(self._values, subject)
        answer = None if self._ask is None else self._answered(self._ask)
        problem = "" if self._ask is None else self._problem(self._ask)
        if self._ask is None and lesson.needs_answer:
            problem = self.tr("Translate a sentence on the Look page first; this lesson uses it.")
        if not problem and (self._ask is None or answer is not None):
            problem = self._show(answer, subject)
        if problem:
            self._numbers = None
        self._answer = answer
        self._say(problem)
        self._say_found()
        self._models.show_models({} if self._numbers is None else self._numbers.data.get("models", {}))
        self.view.mark_dirty()

    def _answered(self, ask: Ask) -> Any:
        """The answer as far as it is known; asked for, unless somebody stopped just that."""
        answers = self._session.answers
        if ask == self._stopped:
            return answers.get(*ask)
        self._stopped = None
        return answers.ask(*ask, topic=f"lesson {self.told.name}")

    def _show(self, answer: Any, subject: Subject | None) -> str:
        """Work the numbers out; the sentence that says why there are none, if so."""
        try:
            self._numbers = self.told.lesson.numbers(self._values, answer, subject)
        except HeadscopeError as error:
            return Notice.of(error).sentence()
        trace = self._session.trace() if self.of_trace else None
        self._shown_of = ("", "") if trace is None else (trace.model_name, trace.model_sha256)
        self._formula.show_formula(self.told.formula(self._values))
        return ""

    def _problem(self, ask: Ask) -> str:
        problem = self._session.answers.state(*ask).problem
        return "" if problem is None else problem.sentence()

    def _say(self, problem: str) -> None:
        state = AnswerState() if self._ask is None else self._session.answers.state(*self._ask)
        stopped = self._ask is not None and self._ask == self._stopped
        long = self._ask is not None and bool(self._ask[0].activity)
        self._waiting = state.waiting
        text = problem
        if not text and stopped:
            text = self.tr("Stopped.")
        elif not text and state.waiting and state.total:
            text = self.tr("Computing: {done} of {total}").format(done=state.done, total=state.total)
        elif not text and (self._numbers is None or (state.waiting and long)):
            text = self.tr("Computing…")
        self._stop.setText(self.tr("Restart") if stopped else self.tr("Stop"))
        self._stop.setVisible(stopped or (state.waiting and (long or state.total > 0)))
        self._message.setText(text)
        self._message.setVisible(bool(text))
        offer = bool(problem) and self._session.model is None and bundled_model(_OFFER) is not None
        self._offer.setText(self.tr("Open {model}").format(model=_OFFER))
        self._offer.setVisible(offer)

    def _say_found(self) -> None:
        texts = (
            [] if self._numbers is None else [finding_text(self.told, one) for one in self._numbers.findings]
        )
        while len(self._found) < len(texts):
            one = label()
            one.setWordWrap(True)
            self._got.addWidget(one)
            self._found.append(one)
        for index, one in enumerate(self._found):
            one.setVisible(index < len(texts))
            one.setText(texts[index] if index < len(texts) else "")

    def _figure(self) -> FigureSpec[SheetSpec] | None:
        if self._numbers is None:
            return None
        return lesson_sheet(self.told, self._numbers, self._values, *self._shown_of)

    # What happens around it.

    def _subject(self) -> Subject | None:
        trace, selection = self._session.trace(), self._session.selection()
        if trace is None or selection is None:
            return None
        try:
            subject = Subject.of(trace)
        except HeadscopeError:  # an alteration that is not known here
            return None
        kind, query = selection.kind, selection.query
        rows = len(trace.query_tokens(kind))
        if not rows:  # a translation that has only begun: nothing of it can be chosen yet
            return None
        at = min(max(0, selection.step if query is None else query), rows - 1)
        return subject.at(kind, selection.layer, selection.head or 0, at, trace.heads(kind))

    def _subject_changed(self, *_: object) -> None:
        if self.isVisible():
            self.refresh()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self._ask != (question, reading):
            return
        answers = self._session.answers
        state, same = answers.state(question, reading), answers.get(question, reading) is self._answer
        if self._waiting and same and not state.waiting and state.problem is None:
            self._stopped = self._ask  # here or in the status line
        if self.isVisible() and state.waiting and same:
            self._say("")
        elif self.isVisible():
            self.refresh()

    def _stop_clicked(self) -> None:
        ask, answers = self._ask, self._session.answers
        if ask is not None and ask == self._stopped:
            self._begin_anew()
            self.refresh()
        elif ask is not None:
            answers.stop(*ask)

    def _offered(self) -> None:
        self.path_asked.emit(_OFFER)

    def showEvent(self, event: QShowEvent) -> None:
        """Begin, or catch up with what was opened meanwhile."""
        super().showEvent(event)
        self.refresh()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the arrangement that fits."""
        super().resizeEvent(event)
        self._arrange()

    def retranslate(self) -> None:
        """Take the language in force."""
        told = self.told
        self._why.setText(told.why())
        self._expect_title.setText(self.tr("What to expect"))
        self._got_title.setText(self.tr("What you got"))
        self._formula_title.setText(self.tr("The formula"))
        self._expect.setText(told.expect())
        self._paper.setText(told.paper())
        self.view.setAccessibleName(told.title())
        self._formula.setAccessibleName(self.tr("The formula"))
        self.controls.retranslate()
        self._models.retranslate()
        self._say_found()
        self.view.mark_dirty()
