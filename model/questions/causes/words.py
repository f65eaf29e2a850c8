"""Words of a target by id: what a step chooses between when a person types a word. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question


@dataclass(frozen=True)
class PieceOf(Question, answered_by="model.causes.words:piece_of"):
    """The id of a typed word's first piece, an int.

    Attributes:
        word: as `model.tokens.continuation` reads it: a word, `·` and a joined piece, or a piece as the
            tokenizer writes it.
        first: the target begins with it.
    """

    word: str
    first: bool = False
