"""`CauseView`: one answer of a method as a picture; under it formula, caveat and source."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStackedLayout, QVBoxLayout, QWidget

from model.questions.causes.method import Method
from model.questions.questions import Question, Reading
from model.trace.trace import Trace
from viewer.document.answers import Key
from viewer.document.session import Session
from viewer.document.text.method_text import method_words
from viewer.figures.causes.text import method_notes
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.empty_state import EmptyState
from viewer.pages.widgets.quiet_scroll import QuietScrollArea
from viewer.pages.widgets.sheet_view import SheetView
from viewer.pages.widgets.worded import Worded


class CauseView(Worded, QWidget):
    """Asks one question of the session's model and shows what is answered; nothing while it is hidden.

    Args:
        method: whose words stand under the picture; a question may bring another.
        make: the picture of an answer.

    Attributes:
        title: above the picture. notes: under it.
        view: the picture. empty: why there is none.
    """

    def __init__(
        self,
        session: Session,
        appearance: Appearance,
        method: Method,
        make: Callable[[Any], FigureSpec[SheetSpec]],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._method = method
        self._make = make
        self._key: Key | None = None
        self._trace: Trace | None = None  # of the run that was in view when it was asked
        self._stopped: Key | None = None
        self.title = label("title")
        self.title.setWordWrap(True)
        self.view = SheetView(appearance, self._figure)
        self.notes = label("small")
        self.notes.setWordWrap(True)
        self.notes.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.empty = EmptyState()
        self._lay_out()
        self.empty.asked.connect(self._again)
        session.answers.changed.connect(self._answer_changed)
        session.view_changed.connect(self.view.mark_dirty)
        self.retranslate()

    def _lay_out(self) -> None:
        inside = QWidget()
        column = QVBoxLayout(inside)
        column.setContentsMargins(6, 4, 6, 4)
        column.setSpacing(6)
        for widget in (self.title, self.view, self.notes):
            column.addWidget(widget)
        column.addStretch(1)
        self._scroll = QuietScrollArea()
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # A bar that comes and goes would change the width, and with it the height, for ever.
        self._scroll.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self._scroll.setWidget(inside)
        self._stack = QStackedLayout(self)
        self._stack.setContentsMargins(0, 0, 0, 0)
        self._stack.addWidget(self._scroll)
        self._stack.addWidget(self.empty)

    @property
    def shows(self) -> bool:
        """Whether there is a picture, and no sentence in its place."""
        return self._stack.currentWidget() is self._scroll

    def ask(self, question: Question, reading: Reading, method: Method | None = None) -> None:
        """Show the answer to a question; ask for it if it is not known and was not stopped."""
        if method is not None and method is not self._method:
            self._method = method
            self._name()
        self._key, self._trace = (question, reading), self._session.trace()
        answers = self._session.answers
        if self._stopped == self._key:
            self._say(self.tr("Stopped."), self.tr("Try again"))
            return
        self._stopped = None
        known = answers.ask(question, reading, topic=self._topic) is not None
        state = answers.state(question, reading)
        if known:
            self.view.mark_dirty()
            figure = self.view.figure
            self.title.setText("" if figure is None else figure.body.title)
            self._stack.setCurrentWidget(self._scroll)
        elif state.problem is not None:
            self._say(state.problem.sentence(), self.tr("Try again"))
        elif state.total:
            done = self.tr("Computing: {done} of {total}").format(done=state.done, total=state.total)
            self._say(done, self.tr("Stop"))
        else:
            self._say(self.tr("Computing the parts…"))

    def say(self, sentence: str) -> None:
        """Show nothing, and say why."""
        self._key = None
        self._say(sentence)

    def leave(self) -> None:
        """Nobody looks any more: what is not known yet is not worked out."""
        key, self._key = self._key, None
        if key is not None and self._session.answers.state(*key).waiting:
            self._session.answers.stop(*key)

    def _say(self, sentence: str, button: str = "") -> None:
        self.empty.say(sentence, button)
        self._stack.setCurrentWidget(self.empty)

    def _figure(self) -> FigureSpec[SheetSpec] | None:
        if self._session.trace() is not self._trace:  # whoever asks has not heard of it yet, or is hidden
            return None
        answer = None if self._key is None else self._session.answers.get(*self._key)
        return None if answer is None else self._make(answer)

    @property
    def _topic(self) -> str:
        return f"why {self._method.name}"

    def _again(self) -> None:
        """Stop what is being worked out; else ask once more."""
        if self._key is None:
            return
        answers = self._session.answers
        if answers.state(*self._key).waiting:
            self._stopped = self._key
            answers.stop(*self._key)
        else:
            self._stopped = None
            answers.retry(*self._key, topic=self._topic)

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self._key == (question, reading) and self.isVisible():
            assert reading is not None
            self.ask(question, reading)

    def _name(self) -> None:
        """Tell the method: under the picture, and to those who do not see it."""
        self.view.setAccessibleName(method_words(self._method).name)
        self.notes.setText("\n".join(method_notes(self._method)))

    def retranslate(self) -> None:
        """Take the language in force."""
        self._name()
        self.view.mark_dirty()
        if self._key is not None and self._key[1] is not None and self.isVisible():
            self.ask(self._key[0], self._key[1])
