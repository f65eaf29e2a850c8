"""`Sentences`: the file that is translated in the background, and where its traces are. QtCore only."""

from __future__ import annotations

import os
from itertools import count
from pathlib import Path

from PySide6.QtCore import QObject, QTemporaryDir, Signal

from model.questions.questions import Question, Reading
from model.questions.sentence_list import DEFAULT_LIMIT, FileSentences, SentenceList
from viewer.document.answers import Answers, AnswerState

_numbers = count(1)


class Sentences(QObject):
    """Held by the session as `sentences`. The traces are in a temporary folder, which goes with the file.

    Signals:
        changed: another file, more of its sentences, or another state.
    """

    changed = Signal()

    def __init__(self, answers: Answers, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers = answers
        self._question: FileSentences | None = None
        self._folder: QTemporaryDir | None = None
        answers.changed.connect(self._answer_changed)

    @property
    def path(self) -> str:
        """The file; empty while there is none."""
        return "" if self._question is None else self._question.path

    @property
    def list(self) -> SentenceList | None:
        """What is translated so far; None while nothing is."""
        return None if self._question is None else self._answers.get(self._question)

    @property
    def state(self) -> AnswerState:
        """How far it has come."""
        return AnswerState() if self._question is None else self._answers.state(self._question)

    def holds(self, path: str) -> bool:
        """Whether a file is one of its traces, which will not be there for long."""
        return self._folder is not None and Path(path).is_relative_to(self._folder.path())

    def open(self, path: str, limit: int = DEFAULT_LIMIT) -> None:
        """Translate the sentences of a file instead of those that there are."""
        self.close()
        self._folder = QTemporaryDir()
        # A number, so that a file that has changed since is read anew.
        stamp = str(next(_numbers))
        folder = os.path.join(self._folder.path(), "traces")
        self._question = FileSentences(path, folder, limit, stamp)
        self._answers.ask(self._question)
        self.changed.emit()

    def stop(self) -> None:
        """Translate no more of them; what there is stays."""
        if self._question is not None:
            self._answers.stop(self._question)

    def close(self) -> None:
        """Forget the file and its traces; those that are open stay readable."""
        question, self._question = self._question, None
        if question is not None:
            self._answers.forget(question)
        self._folder = None
        self.changed.emit()

    def _answer_changed(self, question: Question, reading: Reading | None) -> None:
        if question == self._question and reading is None:
            self.changed.emit()
