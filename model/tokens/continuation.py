"""Continuation: a text that goes on behind other pieces, as people type it."""

from __future__ import annotations

from collections.abc import Callable

JOIN_MARK = "\u00b7"
"""How people type that a piece is joined to the one before it, without a space."""
_JOIN_MARKS = (JOIN_MARK, "\u22c5")  # also the dot operator, which labels show and people copy

Encode = Callable[[str], list[int]]


def continuation_ids(
    text: str, *, exact: Callable[[str], int | None], apart: Encode, joined: Encode
) -> list[int]:
    """Ids of a text that goes on behind other pieces; blanks around it make no pieces.

    It begins a new word, as at the start of a text; unless it begins with U+00B7 (·) or U+22C5 (⋅),
    our signs for a joined piece, or is a piece of the vocabulary exactly as the tokenizer writes it.

    Args:
        text: without lone surrogates.
        exact: the id of a piece typed as the tokenizer writes it, None for any other text.
        apart, joined: ids of a text behind a space, and behind none.
    """
    text = text.strip()
    token_id = exact(text)
    if token_id is not None:
        return [token_id]
    if not text.startswith(_JOIN_MARKS):
        return apart(text) if text else []
    rest = text[1:]
    return joined(rest) if rest else []
