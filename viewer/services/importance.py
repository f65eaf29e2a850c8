"""ImportanceAsker: what each head is worth to a run, asked for and put on the run."""

from __future__ import annotations

from PySide6.QtCore import QObject

from model.questions.importance import ImportanceOf
from model.questions.questions import Question, Reading
from viewer.document.document import Run
from viewer.document.session import Session

_TOPIC = "importance"
_QUESTION = ImportanceOf()


class ImportanceAsker(QObject):
    """Asks `Session.answers`; the answer becomes `Run.importance`, which a session file keeps."""

    def __init__(self, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._measured: tuple[Run, Reading] | None = None
        session.answers.changed.connect(self._changed)

    def measure(self, run: Run) -> None:
        """Measure what each head is worth to a run that is done.

        Raises:
            HeadscopeError: it was altered in a way that is not known here.
        """
        reading, answers = Reading.of(run.trace), self._session.answers
        self._session.set_notice(None)
        if answers.state(_QUESTION, reading).problem is not None:
            answers.forget(_QUESTION, reading)
        self._measured = (run, reading)
        if answers.ask(_QUESTION, reading, topic=_TOPIC) is not None:
            self._changed(_QUESTION, reading)

    def _changed(self, question: Question, reading: Reading | None) -> None:
        if self._measured is None or (question, reading) != (_QUESTION, self._measured[1]):
            return
        state = self._session.answers.state(question, reading)
        if state.waiting:
            return
        measured, self._measured = self._measured[0], None
        found = self._session.answers.get(question, reading)
        if state.problem is not None:
            self._session.set_notice(state.problem)
        elif found is not None:
            run = self._session.document.run(measured.id)
            if run is not None and run.trace is measured.trace:  # an altered run may be another by now
                self._session.replace_run(run.but(importance=found))
