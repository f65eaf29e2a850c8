"""Words of pieces: what is between spaces, and without spaces each piece alone. No torch."""

from __future__ import annotations

import re
from collections.abc import Sequence

from model.tokens.spelling import at_boundaries, beginning_in, letters
from model.tokens.token_style import SPACE_MARK, TokenStyle, extra_piece, is_edge, is_special

__all__ = [
    "SPACE_MARK",
    "Span",
    "TokenStyle",
    "extra_piece",
    "has_unspaced",
    "is_edge",
    "is_special",
    "word_spans",
]

# Scripts written without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)

Span = tuple[int, int]
"""First token of a word and the one after its last."""


def has_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that is written without spaces between words."""
    return bool(_UNSPACED.search(text))


def word_spans(pieces: Sequence[str], style: TokenStyle = TokenStyle.SENTENCEPIECE) -> tuple[Span, ...]:
    """The words of a sentence's raw pieces, in order; every piece is in exactly one.

    A piece begins a word if it begins with a space (in WordPiece: does not begin with `##`), stands for no
    text (`<s>`, `[SEP]`, `<unk>`), follows such a one, or if it or the piece before it is written in a script
    without spaces. Pieces that spell one character in bytes are never parted, and count as that character.
    """
    spelled, count = tuple(letters(pieces, style)), len(pieces)
    texts, whole = beginning_in(spelled, count), at_boundaries(spelled, count)
    specials = [is_special(piece, style) for piece in pieces]
    starts = [place for place in range(len(pieces)) if whole[place] and _begins(texts, specials, place)]
    return tuple(zip(starts, [*starts[1:], len(pieces)]))


def _begins(texts: Sequence[str | None], specials: Sequence[bool], index: int) -> bool:
    text = texts[index] or ""
    if index == 0 or specials[index] or _is_blank(text[:1]):
        return True
    place = next(place for place in range(index - 1, -1, -1) if texts[place] is not None)
    if specials[place]:
        return True
    before = texts[place] or ""
    if before and _is_blank(before):  # spaces alone belong to what follows
        return False
    return _is_blank(before[-1:]) or has_unspaced(text) or has_unspaced(before)


def _is_blank(text: str) -> bool:
    return text.replace(SPACE_MARK, " ").isspace()
