"""Spelling of raw pieces, whatever their style: which characters begin in which piece. No torch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from model.tokens.token_style import CONTINUES_MARK, SPACE_MARK, TokenStyle, is_special

BROKEN = "\ufffd"
"""What stands for a byte that makes no character."""

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")


@dataclass(slots=True)  # not frozen: there may be thousands, and that makes each four times as slow
class Letter:
    """A character that is spelled in bytes, or what another piece spells as a whole.

    Attributes:
        text: with U+2581 for a space before a word; empty for a byte that makes no character.
        first, end: the pieces that spell it, half-open.
        byte: its first byte; None of a piece that is no bytes.
    """

    text: str
    first: int
    end: int
    byte: int | None = None


def _byte_level_alphabet() -> dict[str, int]:
    """The printable character that stands for each byte in GPT-2's vocabulary.

    A byte that is a printable character of Latin-1 stands for itself; the others are numbered from U+0100 on
    (Radford et al. 2019, section 2.2, and the code published with it).
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


BYTE_LEVEL_ALPHABET = _byte_level_alphabet()
BYTE_LEVEL_CHARACTERS = {byte: character for character, byte in BYTE_LEVEL_ALPHABET.items()}


def piece_bytes(piece: str, style: TokenStyle) -> bytes | None:
    """The bytes that a piece stands for, None if it is written as text."""
    if style is TokenStyle.SENTENCEPIECE:
        match = _BYTE.fullmatch(piece) if piece[:1] == "<" else None
        return None if match is None else bytes((int(match[1], 16),))
    if style is TokenStyle.WORDPIECE or not piece or is_special(piece, style):
        return None
    # Tokens that were added to the vocabulary are written as text.
    if any(character not in BYTE_LEVEL_ALPHABET for character in piece):
        return None
    return bytes(BYTE_LEVEL_ALPHABET[character] for character in piece)


def letters(pieces: Sequence[str], style: TokenStyle) -> Iterator[Letter]:
    """What the pieces spell, in order; characters in bytes one by one, other pieces whole."""
    place = 0
    while place < len(pieces):
        spelled = piece_bytes(pieces[place], style)
        if not spelled:
            yield Letter(_plain(pieces[place], style), place, place + 1)
            place += 1
            continue
        data, owners = bytearray(), []
        while spelled is not None:
            data += spelled
            owners += [place] * len(spelled)
            place += 1
            spelled = piece_bytes(pieces[place], style) if place < len(pieces) else None
        yield from _decoded(bytes(data), owners, style)


def written(pieces: Sequence[str], style: TokenStyle) -> list[str | None]:
    """The text that begins in each piece, U+2581 before a word, U+FFFD for broken bytes.

    None for a piece that only goes on with a character of the piece before it.
    """
    return beginning_in(letters(pieces, style), len(pieces))


def beginning_in(spelled: Iterable[Letter], count: int) -> list[str | None]:
    """`written` of so many pieces whose letters these are."""
    texts: list[str | None] = [None] * count
    for letter in spelled:
        known = texts[letter.first] or ""
        texts[letter.first] = known + (BROKEN if letter.byte is not None and not letter.text else letter.text)
    return texts


def at_boundaries(spelled: Iterable[Letter], count: int) -> list[bool]:
    """Of so many pieces, which begin where a character does; others first end another's."""
    begins = [True] * count
    for letter in spelled:
        if letter.end > letter.first + 1:
            begins[letter.first + 1 : letter.end] = [False] * (letter.end - letter.first - 1)
    return begins


def unknown_characters(pieces: Sequence[str], style: TokenStyle) -> tuple[str, ...]:
    """The characters that a vocabulary has no piece for and spells in bytes, each once, as they come.

    A model has hardly met them: what it makes of them is a guess. None where every text is written in bytes.
    """
    if style is not TokenStyle.SENTENCEPIECE or not any(piece.startswith("<0x") for piece in pieces):
        return ()
    found = (letter.text for letter in letters(pieces, style) if letter.byte is not None)
    return tuple(dict.fromkeys(text for text in found if text.strip()))


def _decoded(data: bytes, owners: Sequence[int], style: TokenStyle) -> Iterator[Letter]:
    at = 0
    for character in data.decode("utf-8", errors="surrogateescape"):
        broken = "\udc80" <= character <= "\udcff"
        size = 1 if broken else len(character.encode())
        text = "" if broken else character
        if style is TokenStyle.BYTE_LEVEL and text == " ":
            text = SPACE_MARK
        yield Letter(text, owners[at], owners[at + size - 1] + 1, data[at])
        at += size


def _plain(piece: str, style: TokenStyle) -> str:
    if style is not TokenStyle.WORDPIECE or not piece or is_special(piece, style):
        return piece
    if piece.startswith(CONTINUES_MARK) and len(piece) > len(CONTINUES_MARK):
        return piece.removeprefix(CONTINUES_MARK)
    return SPACE_MARK + piece
