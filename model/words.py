"""Which pieces make a word: what is between spaces, and without spaces each piece alone. No torch."""

from __future__ import annotations

import re
from collections.abc import Sequence

SPACE_MARK = "\u2581"
_SPECIAL = re.compile(r"<(?!0x[0-9A-Fa-f]{2}>)[^<>]*>")
# Scripts written without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)

Span = tuple[int, int]
"""First token of a word and the one after its last."""


def has_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that is written without spaces between words."""
    return bool(_UNSPACED.search(text))


def word_spans(pieces: Sequence[str]) -> tuple[Span, ...]:
    """The words of a sentence's raw pieces, in order; every piece is in exactly one.

    A piece begins a word if it carries the word mark (U+2581), stands for no text (`<s>`, `</s>`, `<unk>`),
    follows such a one, or if it or the piece before it is written in a script without spaces.
    """
    starts = [index for index, piece in enumerate(pieces) if _begins(pieces, index, piece)]
    return tuple(zip(starts, [*starts[1:], len(pieces)]))


def _begins(pieces: Sequence[str], index: int, piece: str) -> bool:
    if index == 0 or piece.startswith(SPACE_MARK) or _SPECIAL.fullmatch(piece):
        return True
    before = pieces[index - 1]
    if _SPECIAL.fullmatch(before):
        return True
    if before == SPACE_MARK:  # a mark alone belongs to what follows
        return False
    return bool(_UNSPACED.search(piece) or _UNSPACED.search(before))
