"""Known: what figures need beyond a trace: a model's answers, and numbers that take long to read."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from typing import Any

from model.questions.questions import Question, Reading

Known = Callable[[Question, Reading | None], Any]
"""The answer to a question about a reading, None while there is none (see `Answers.get`)."""


class NotRead(Exception):
    """Numbers that take long to read are not read yet; have it done, then build the figure again.

    Attributes:
        what: equal for what is the same.
        reading: begins it; in any thread, and may be left at every `yield`.
    """

    def __init__(self, what: Hashable, reading: Callable[[], Iterator[None]]) -> None:
        super().__init__("not read yet")
        self.what = what
        self.reading = reading


class Missing(Exception):
    """An answer that chosen numbers need is not known yet; ask for it, then build the figure again.

    Attributes:
        question, reading: what to ask.
    """

    def __init__(self, question: Question, reading: Reading) -> None:
        super().__init__(f"no answer to {question}")
        self.question = question
        self.reading = reading
