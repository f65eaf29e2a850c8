"""Answers the questions of `model.questions`: finds what works each out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from model.questions import Question, Reading

if TYPE_CHECKING:
    from model.bundle import Bundle


class Partial:
    """Part of an answer that grows: given on while the rest is worked out.

    Attributes:
        answer: what there is so far.
    """

    def __init__(self, answer: object) -> None:
        self.answer = answer


def answer_alone(question: Question) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question that needs no model; see `answer`."""
    raise TypeError(f"nobody answers a {type(question).__name__}")


def answer(
    bundle: Bundle, question: Question, reading: Reading | None
) -> Iterator[tuple[int, int] | Partial | object]:
    """Answer a question of a model.

    Yields:
        Progress (done, total) and `Partial` answers in between; at last the answer.

    Raises:
        HeadscopeError: it cannot be answered.
        TypeError: nobody answers such a question.
    """
    raise TypeError(f"nobody answers a {type(question).__name__}")
