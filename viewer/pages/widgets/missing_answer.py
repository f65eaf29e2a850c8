"""`MissingAnswer`: what a pane's view does while an answer that it needs is not there: ask, wait, say so."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from model.abilities import Ability
from model.questions.questions import Question, Reading
from viewer.document.answers import Key
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.known import Missing


class MissingAnswer(QObject):
    """Asks for what one view lacks.

    Signals:
        changed: what was missing may be there now, or could not be had; build the figure again.
    """

    changed = Signal()

    def __init__(self, session: Session, pane: int, parent: QObject) -> None:
        super().__init__(parent)
        self._session = session
        self._pane = pane
        self._key: Key | None = None
        session.answers.changed.connect(self._answer_changed)

    def known(self, question: Question, reading: Reading | None) -> Any:
        """The answer if there is one; as `map_figure` wants to know."""
        return self._session.answers.get(question, reading)

    def forget(self) -> None:
        """Nothing is missing."""
        self._key = None

    def take(self, missing: Missing) -> None:
        """Ask for it, unless more of the translation is on its way: then it would be of a part only."""
        self._key = None
        run = self._session.run(self._pane)
        if (run is not None and run.live) or cannot(self._session.model, Ability.ANSWER):
            return
        self._key = (missing.question, missing.reading)
        self._session.answers.ask(missing.question, missing.reading, topic=f"numbers{self._pane}")

    @property
    def pending(self) -> bool:
        """Whether what is missing is being worked out."""
        return self._key is not None and self._session.answers.state(*self._key).waiting

    def sentence(self) -> str:
        """Why nothing is shown yet, or at all."""
        run = self._session.run(self._pane)
        if obstacle := cannot(self._session.model, Ability.ANSWER):
            return obstacle
        if self._key is None or (run is not None and run.live):
            return self.tr("These numbers are computed once the output is complete.")
        state = self._session.answers.state(*self._key)
        if state.problem is not None:
            return state.problem.sentence()
        if state.total:
            share = f"{100 * state.done // state.total}"
            return self.tr("Computing: {percent} %").format(percent=share)
        return self.tr("Computing…")

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if self._key == (question, reading):
            self.changed.emit()
