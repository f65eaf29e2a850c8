"""Words of a target as a person types them, and the pieces that they begin with."""

from __future__ import annotations

from collections.abc import Iterator

from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.questions.causes.words import PieceOf
from model.tokens.tokenizer import Tokenizer


def pieces_of(tokenizer: Tokenizer, word: str, *, first: bool) -> list[int]:
    """A typed word's ids, at least one.

    Raises:
        HeadscopeError: `method_word`: the model's pieces make nothing of it.
    """
    ids = tokenizer.encode_continuation(word, first=first)
    if not ids:
        raise HeadscopeError("method_word", word=word)
    return ids


def piece_of(question: PieceOf, asked: Asked) -> Iterator[int]:
    """The first piece's id."""
    yield pieces_of(asked.model.target_tokenizer, question.word, first=question.first)[0]
