"""Which pieces make a word: what is between spaces, and without spaces each piece alone. No torch."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum

SPACE_MARK = "\u2581"
_SPECIAL = re.compile(r"<(?!0x[0-9A-Fa-f]{2}>)[^<>]*>")
_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_LONGEST = 4  # bytes of a character in UTF-8
# Scripts written without spaces.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]"
)

_EDGES = ("<s>", "</s>", "<pad>")


class TokenStyle(StrEnum):
    """How a tokenizer writes its pieces.

    `sentencepiece`: U+2581 begins a word, `<0xE4>` is a byte. `byte_level`: every byte is one printable
    character (GPT-2), U+0120 a space. `wordpiece`: `##` goes on with a word (BERT).
    """

    SENTENCEPIECE = "sentencepiece"
    BYTE_LEVEL = "byte_level"
    WORDPIECE = "wordpiece"


Span = tuple[int, int]
"""First token of a word and the one after its last."""


def has_unspaced(text: str) -> bool:
    """Whether a text has letters of a script that is written without spaces between words."""
    return bool(_UNSPACED.search(text))


def is_edge(piece: str) -> bool:
    """Whether a piece is a start, end or padding token: no word, left out before any maximum."""
    return piece in _EDGES


def is_special(piece: str) -> bool:
    """Whether a piece stands for no text (`<s>`, `</s>`, `<pad>`, `<unk>`); one for a byte does."""
    return _SPECIAL.fullmatch(piece) is not None


def word_spans(pieces: Sequence[str]) -> tuple[Span, ...]:
    """The words of a sentence's raw pieces, in order; every piece is in exactly one.

    A piece begins a word if it carries the word mark (U+2581), stands for no text (`<s>`, `</s>`, `<unk>`),
    follows such a one, or if it or the piece before it is written in a script without spaces. Pieces that
    spell one character in bytes are never parted, and count as that character.
    """
    written = _written(pieces)
    starts = [index for index, text in enumerate(written) if text is not None and _begins(written, index)]
    return tuple(zip(starts, [*starts[1:], len(pieces)]))


def _written(pieces: Sequence[str]) -> list[str | None]:
    """What each piece stands for: of a character in bytes the first for all of it, the others for None."""
    written: list[str | None] = list(pieces)
    place = 0
    while place < len(pieces):
        character, length = _spelled(pieces, place)
        if character:
            written[place : place + length] = [character, *[None] * (length - 1)]
        place += length
    return written


def _spelled(pieces: Sequence[str], start: int) -> tuple[str, int]:
    """The character that the bytes from `start` on spell, and how many they are; "" and 1 for none."""
    encoded = bytearray()
    for piece in pieces[start : start + _LONGEST]:
        match = _BYTE.fullmatch(piece)
        if match is None:
            break
        encoded.append(int(match[1], 16))
        try:
            return encoded.decode("utf-8"), len(encoded)
        except UnicodeDecodeError:
            continue
    return "", 1


def _begins(written: Sequence[str | None], index: int) -> bool:
    piece = written[index] or ""
    if index == 0 or piece.startswith(SPACE_MARK) or is_special(piece):
        return True
    before = next(text for place in range(index - 1, -1, -1) if (text := written[place]) is not None)
    if is_special(before):
        return True
    if before == SPACE_MARK:  # a mark alone belongs to what follows
        return False
    return bool(_UNSPACED.search(piece) or _UNSPACED.search(before))
