"""WordCount: a question that is not shipped, and what answers it; one file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from model.inspection.asked import Asked
from model.questions.questions import Partial, Question

worked: list[int] = []
"""How often anything was worked out."""


@dataclass(frozen=True)
class WordCount(Question, answered_by=f"{__name__}:count_words"):
    """How many pieces of a reading begin with a letter; answered by `Counted`."""

    activity = "counting"

    letter: str


@dataclass(frozen=True)
class Counted:
    count: int
    model: str


def count_words(question: WordCount, asked: Asked) -> Iterator[object]:
    worked.append(1)
    tokenizer, ids = asked.bundle.source_tokenizer, asked.reading.src_ids
    count = 0
    for done, token in enumerate(ids):
        count += tokenizer.piece(token).lstrip("▁").startswith(question.letter)
        yield Partial(Counted(count, asked.model.name))
        yield done + 1, len(ids)
    yield Counted(count, asked.model.name)
