"""Continuation: a text that goes on behind other pieces, as people type it."""

from __future__ import annotations

from collections.abc import Callable

JOIN_MARK = "\u00b7"
"""How people see and type that a piece is joined to the one before it, without a space."""

Encode = Callable[[str], list[int]]


def continuation_ids(
    text: str, *, exact: Callable[[str], int | None], apart: Encode, joined: Encode
) -> list[int]:
    """Ids of a text that goes on behind other pieces; blanks around it make no pieces.

    It begins a new word, as at the start of a text; unless it begins with U+00B7 (·), our sign for a joined
    piece, or is a piece of the vocabulary exactly as the tokenizer writes it.

    Args:
        text: without lone surrogates.
        exact: the id of a piece typed as the tokenizer writes it, None for any other text.
        apart, joined: ids of a text behind a space, and behind none.
    """
    text = text.strip()
    token_id = exact(text)
    if token_id is not None:
        return [token_id]
    if not text.startswith(JOIN_MARK):
        return apart(text) if text else []
    rest = text.removeprefix(JOIN_MARK)
    return joined(rest) if rest else []
