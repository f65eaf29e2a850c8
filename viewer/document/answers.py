"""`Answers`: what was asked beyond translations, and what is known: by question and reading. QtCore only."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal

from model.questions.questions import Question, Reading
from viewer.document.messages.notice import Notice

MOST_BYTES = 192 << 20
LEAST = 30 << 10
"""Bytes that an answer takes besides its arrays, measured: its question, and the reading with its tokens."""

Key = tuple[Question, Reading | None]


@dataclass(frozen=True)
class AnswerState:
    """How far a question has come.

    Attributes:
        waiting: it is being worked out.
        problem: why it came to nothing; None if it did not.
        done, total: progress while it is waiting; total 0 = unknown.
    """

    waiting: bool = False
    problem: Notice | None = None
    done: int = 0
    total: int = 0


_UNKNOWN = AnswerState()


class Answers(QObject):
    """Held by the session as `answers`: views ask and read, `viewer.services.questions` hears and writes.

    An answer belongs to its question and reading, whatever run shows them; the least recently used go when
    all together are too large. A failed question is asked again only by `retry`.

    Signals:
        wanted: question, reading, topic: work this out; a question of the same topic that waits is dropped.
        unwanted: question, reading: nobody waits for it any more.
        changed: question, reading: its answer, its progress or its problem.
    """

    wanted = Signal(object, object, str)
    unwanted = Signal(object, object)
    changed = Signal(object, object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._answers: OrderedDict[Key, tuple[Any, int]] = OrderedDict()
        self._states: dict[Key, AnswerState] = {}
        self._topics: dict[str, Key] = {}

    # What views do.

    def get(self, question: Question, reading: Reading | None = None) -> Any:
        """The answer (or what there is so far of one that grows); None while there is none. Asks nothing."""
        found = self._answers.get((question, reading))
        if found is None:
            return None
        self._answers.move_to_end((question, reading))
        return found[0]

    def ask(self, question: Question, reading: Reading | None = None, *, topic: str = "") -> Any:
        """The answer if it is known; else it is asked for, once, and `changed` tells when it is there.

        Args:
            topic: newer questions of the same topic replace the older one that still waits.
        """
        key = (question, reading)
        if key in self._answers or key in self._states:
            return self.get(question, reading)
        if topic:
            before = self._topics.get(topic)
            self._topics[topic] = key
            if before is not None and self.state(*before).waiting:
                self.forget(*before)
        self._states[key] = AnswerState(waiting=True)
        self.wanted.emit(question, reading, topic)
        return self.get(question, reading)

    def retry(self, question: Question, reading: Reading | None = None, *, topic: str = "") -> None:
        """Ask again, even for what is known or failed."""
        self.forget(question, reading)
        self.ask(question, reading, topic=topic)

    def state(self, question: Question, reading: Reading | None = None) -> AnswerState:
        """How far the question has come."""
        return self._states.get((question, reading), _UNKNOWN)

    def stop(self, question: Question, reading: Reading | None = None) -> None:
        """Wait no longer; what there is so far stays."""
        state = self._states.pop((question, reading), None)
        if state is not None and state.waiting:
            self.unwanted.emit(question, reading)
            self.changed.emit(question, reading)

    def forget(self, question: Question, reading: Reading | None = None) -> None:
        """Drop the answer; if it is still waited for, stop."""
        key = (question, reading)
        self._answers.pop(key, None)
        state = self._states.pop(key, None)
        if state is not None and state.waiting:
            self.unwanted.emit(question, reading)
        if state is not None:
            self.changed.emit(question, reading)

    # What the application does.

    def progress(self, key: Key, done: int, total: int) -> None:
        """It has come so far."""
        if self.state(*key).waiting:
            self._states[key] = AnswerState(waiting=True, done=done, total=total)
            self.changed.emit(*key)

    def grow(self, key: Key, answer: Any) -> None:
        """Take what there is so far."""
        self._store(key, answer)
        self.changed.emit(*key)

    def finish(self, key: Key, answer: Any) -> None:
        """Take the answer."""
        self._states.pop(key, None)
        self._store(key, answer)
        self.changed.emit(*key)

    def fail(self, key: Key, problem: Notice | None) -> None:
        """It came to nothing; None: it was stopped, and may be asked again."""
        if problem is None:
            self._states.pop(key, None)
        else:
            self._states[key] = AnswerState(problem=problem)
        self.changed.emit(*key)

    def forget_problems(self) -> None:
        """Another model is open: what failed may be asked again."""
        failed = [key for key, state in self._states.items() if state.problem is not None]
        for key in failed:
            del self._states[key]
        for key in failed:
            self.changed.emit(*key)

    def _store(self, key: Key, answer: Any) -> None:
        self._answers[key] = (answer, LEAST + size_of(answer))
        self._answers.move_to_end(key)
        while len(self._answers) > 1 and sum(size for _, size in self._answers.values()) > MOST_BYTES:
            self._answers.popitem(last=False)


def size_of(value: Any) -> int:
    """About how many bytes the arrays in an answer take."""
    if isinstance(value, np.ndarray):
        return int(value.nbytes)
    if is_dataclass(value) and not isinstance(value, type):
        return sum(size_of(getattr(value, field.name)) for field in fields(value))
    if isinstance(value, Mapping):
        return sum(map(size_of, value.values()))
    if isinstance(value, tuple | list):
        return sum(map(size_of, value))
    return 0
