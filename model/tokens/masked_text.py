"""Masked text: words hidden from a model of masked words, and words filled in. No torch."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from model.tokens.spelling import written
from model.tokens.token_style import SPACE_MARK, TokenStyle, is_special
from model.tokens.words import has_unspaced

Characters = tuple[int, int]
"""First character and the one after the last, in a text."""


def fill_mask(text: str, mask: str, which: int, piece: str, style: TokenStyle) -> str:
    """The text with a word in the place of its `which`-th mask, counted from 0; as it is if there is none.

    The word stands as its piece says: one that goes on with a word is joined to it, one that begins a word
    has a space before it.
    """
    found = [match.span() for match in re.finditer(re.escape(mask), text)] if mask else []
    if not 0 <= which < len(found):
        return text
    start, end = found[which]
    before, after = text[:start], text[end:]
    letters, begins = piece_letters(piece, style)
    if not begins:
        before = before.rstrip()
    elif before and (before[-1].isalnum() if style is TokenStyle.WORDPIECE else not before[-1].isspace()):
        before += " "
    if style is TokenStyle.WORDPIECE and after[:1].isalnum():
        after = " " + after
    return before + letters + after


def hide_word(
    text: str, pieces: Sequence[str], place: int, mask: str, style: TokenStyle
) -> tuple[str, int] | None:
    """The text with a mask in the place of the whole word that a token is of, and that word's first token.

    Args:
        pieces: raw tokens that the model reads of `text`.
        place: of one of them.

    Returns:
        None where the token stands for nothing in the text (`[CLS]`), or is not found there.
    """
    spans = token_places(text, pieces, style)
    span = spans[place]
    if span is None or not mask or is_special(pieces[place], style):
        return None
    start, end = _whole_word(text, span)
    first = next(index for index, other in enumerate(spans) if other is not None and other[0] >= start)
    return text[:start] + mask + text[end:], first


def token_places(text: str, pieces: Sequence[str], style: TokenStyle) -> tuple[Characters | None, ...]:
    """Where in the text each token stands; None for one that is not written there.

    Tokenizers change letters (case, accents, width) and drop some, but never their order: tokens are looked
    for one after the other, in letters without case and accents.
    """
    letters, origin = _folded(text)
    spans: list[Characters | None] = []
    at, lost = 0, False
    for piece in pieces:
        wanted = _folded(piece_letters(piece, style)[0])[0].strip()
        found = letters.find(wanted, at) if wanted else -1
        # Over letters only where a token before it could not be found, such as an unknown one.
        if found < 0 or (letters[at:found].strip() and not lost):
            spans.append(None)
            lost = True
            continue
        at, lost = found + len(wanted), False
        spans.append((origin[found], origin[at - 1] + 1))
    return tuple(spans)


def piece_letters(piece: str, style: TokenStyle) -> tuple[str, bool]:
    """What a piece writes, without the marks of its style, and whether it begins a word."""
    text = written((piece,), style)[0] or ""
    if is_special(piece, style):
        return text, True
    return text.replace(SPACE_MARK, " ").strip(), text.startswith((SPACE_MARK, " "))


def _folded(text: str) -> tuple[str, list[int]]:
    """The text without case, accents and width, and which of its characters each of those comes from."""
    letters: list[str] = []
    origin: list[int] = []
    for place, character in enumerate(text):
        for part in unicodedata.normalize("NFKD", character.casefold()):
            if not unicodedata.category(part).startswith("M"):
                letters.append(part)
                origin.append(place)
    return "".join(letters), origin


def _whole_word(text: str, span: Characters) -> Characters:
    """The letters and digits around those of a token, in scripts that have spaces between words."""
    start, end = span
    if not text[start:end].strip().isalnum() or has_unspaced(text[start:end]):
        return span
    while start > 0 and _goes_on(text[start - 1]):
        start -= 1
    while end < len(text) and _goes_on(text[end]):
        end += 1
    return start, end


def _goes_on(character: str) -> bool:
    letter = character.isalnum() or unicodedata.category(character).startswith("M")
    return letter and not has_unspaced(character)
