"""Known: what is known of a trace beyond itself, for figures that need a model's answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from model.questions.questions import Question, Reading

Known = Callable[[Question, Reading | None], Any]
"""The answer to a question about a reading, None while there is none (see `Answers.get`)."""


class Missing(Exception):
    """An answer that chosen numbers need is not known yet; ask for it, then build the figure again.

    Attributes:
        question, reading: what to ask.
    """

    def __init__(self, question: Question, reading: Reading) -> None:
        super().__init__(f"no answer to {question}")
        self.question = question
        self.reading = reading
