"""`PruneState`: which pruning curves were asked for, of one file, and what there is of them."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from model.questions.causes.pruning import Pruned, PruneOf
from model.questions.questions import Question, Reading
from viewer.document.answers import AnswerState
from viewer.document.session import Session

MOST = 6
"""Curves that are shown together."""


class PruneState(QObject):
    """The newest question, and earlier ones of the same pairs and heads, whose curves stand beside it.

    Attributes:
        asked: the newest last.

    Signals:
        changed: another curve, a further point, or a problem.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._answers = session.answers
        self.asked: list[PruneOf] = []
        self._answers.changed.connect(self._answered)
        session.model_changed.connect(self._model_changed)

    @property
    def newest(self) -> PruneOf | None:
        """What was asked last."""
        return self.asked[-1] if self.asked else None

    @property
    def state(self) -> AnswerState:
        """How far that has come."""
        return AnswerState() if self.newest is None else self._answers.state(self.newest)

    @property
    def found(self) -> list[Pruned]:
        """The curves so far, the newest last."""
        answers = (self._answers.get(question) for question in self.asked)
        return [answer for answer in answers if isinstance(answer, Pruned)]

    def start(self, question: PruneOf) -> None:
        """Ask for a curve of the model in use; those of other pairs or heads go."""
        model = self._session.model
        question = replace(question, model_sha256="" if model is None else model.sha256)
        self.stop()
        alike = [each for each in self.asked if _alike(each, question) and each != question]
        for gone in self.asked:
            if gone not in alike:
                self._answers.forget(gone)
        self.asked = [*alike[-(MOST - 1) :], question]
        self._answers.retry(question, topic="pruning")
        self.changed.emit()

    def stop(self) -> None:
        """Go no further; the points so far stay."""
        if self.newest is not None and self.state.waiting:
            self._answers.stop(self.newest)
            self.changed.emit()

    def _answered(self, question: Question, reading: Reading | None) -> None:
        if question in self.asked:
            self.changed.emit()

    def _model_changed(self) -> None:
        """Curves of another model are no longer to be added to."""
        model = self._session.model
        if model is not None and any(each.model_sha256 != model.sha256 for each in self.asked):
            for gone in self.asked:
                self._answers.forget(gone)
            self.asked = []
        self.changed.emit()


def _alike(one: PruneOf, other: PruneOf) -> bool:
    """Whether two curves are of the same sentences and heads."""
    return all(
        getattr(one, name) == getattr(other, name) for name in ("path", "limit", "kinds", "model_sha256")
    )
