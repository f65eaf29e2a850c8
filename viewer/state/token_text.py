"""Raw tokenizer pieces as a person reads them: word marks gone, bytes made characters, nothing invisible."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from PySide6.QtCore import QCoreApplication

from model.words import SPACE_MARK, has_unspaced

# The dot operator looks like a raised dot, which Chinese fonts draw as wide as a character.
JOINT = "⋅"
_IN_WORDS = "'’-"

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_WHITE = {"\t": "⇥", "\n": "↵", "\r": "↵", SPACE_MARK: "␣"}
# Characters that reorder or hide their neighbours: harmless in a sentence, misleading in a label.
_CONTROLS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\ufffd")


@dataclass(frozen=True)
class TokenText:
    """One token as shown.

    Attributes:
        text: what is read; never empty.
        raw: the piece as the tokenizer writes it.
        special: stands for no text: start, end, padding or unknown.
        continues: goes on with the word of the token before it.
        part: 0 for a whole character or its first byte, n for its n-th further byte.
    """

    text: str
    raw: str
    special: bool = False
    continues: bool = False
    part: int = 0

    @property
    def marked(self) -> str:
        """The text, with a dot before it when it continues a word: "⋅les"."""
        return JOINT + self.text if self.continues else self.text

    @property
    def dim(self) -> bool:
        """Whether it is drawn quietly."""
        return self.special or self.part > 0


def token_texts(pieces: Sequence[str], *, raw: bool = False) -> tuple[TokenText, ...]:
    """The pieces of one sentence as shown, one for each.

    Args:
        raw: leave ordinary pieces as the tokenizer writes them; only what is invisible is spelled out.
    """
    # Several views ask for the same sentence at every change; specials are in the language of their time.
    return _sentence(tuple(pieces), raw, special_text("<s>"))


def piece_text(piece: str, *, raw: bool = False) -> TokenText:
    """One piece on its own, such as a candidate for the next word."""
    return _texts((piece,), raw)[0]


@lru_cache(maxsize=8)
def _sentence(pieces: tuple[str, ...], raw: bool, language: str | None) -> tuple[TokenText, ...]:
    return _texts(pieces, raw)


def _texts(pieces: tuple[str, ...], raw: bool) -> tuple[TokenText, ...]:
    if raw:
        return tuple(TokenText(_visible(p, spaces=False), p, special_text(p) is not None) for p in pieces)
    shown: list[TokenText] = []
    before = ""
    for group in _groups(pieces):
        for token in _group_texts(pieces, group, before):
            shown.append(token)
            if token.special:
                before = ""
            elif token.part == 0:
                before = token.text
    return tuple(shown)


def piece_line(pieces: Sequence[str], *, raw: bool = False) -> str:
    """A sentence's pieces in a line: words apart, the pieces of a word joined by a dot."""
    line = ""
    for token in token_texts(pieces, raw=raw):
        if token.dim:
            continue
        line += (token.marked if token.continues else " " + token.text) if line else token.text
    return line


def special_text(piece: str) -> str | None:
    """How a special piece is shown, None for an ordinary one."""
    if piece == "<s>":
        return QCoreApplication.translate("Figure", "(start)")
    if piece == "</s>":
        return QCoreApplication.translate("Figure", "(end)")
    if piece == "<pad>":
        return QCoreApplication.translate("Figure", "(padding)")
    if piece == "<unk>":
        return QCoreApplication.translate("Figure", "(unknown)")
    return None


def _groups(pieces: Sequence[str]) -> Iterator[range]:
    """Ranges of pieces that make one character, else of length 1."""
    start = 0
    while start < len(pieces):
        length = _character_length(pieces, start)
        yield range(start, start + length)
        start += length


def _character_length(pieces: Sequence[str], start: int) -> int:
    """How many byte pieces from `start` on spell one UTF-8 character; 1 if they spell none."""
    encoded = bytearray()
    for piece in pieces[start : start + 4]:
        match = _BYTE.fullmatch(piece)
        if match is None:
            return 1
        encoded.append(int(match[1], 16))
        if _decoded(encoded):
            return len(encoded)
    return 1


def _decoded(encoded: bytes | bytearray) -> str:
    try:
        return encoded.decode("utf-8")
    except UnicodeDecodeError:
        return ""


def _group_texts(pieces: Sequence[str], group: range, before: str) -> Iterator[TokenText]:
    first = pieces[group.start]
    special = special_text(first)
    if special is not None:
        yield TokenText(special, first, special=True)
        return
    if _BYTE.fullmatch(first):
        encoded = bytes(int(pieces[index][3:5], 16) for index in group)
        character = _decoded(encoded)
        text = _visible(character) if character else f"0x{encoded[0]:02X}"
        yield TokenText(text, first, continues=bool(character) and _continues(character, before))
        for part in range(1, len(group)):
            yield TokenText(f"‹{part + 1}/{len(group)}›", pieces[group.start + part], part=part)
        return
    starts_word = first.startswith(SPACE_MARK)
    word = first[1:] if starts_word and len(first) > 1 else first
    yield TokenText(_visible(word), first, continues=not starts_word and _continues(word, before))


def _continues(word: str, before: str) -> bool:
    """Whether `word`, which no space precedes, goes on with the word that `before` ends with.

    An apostrophe or a hyphen belongs to its word ("don⋅'⋅t", "qu⋅'⋅elle"); other punctuation stands apart.
    """
    if not word or not before or not (before[-1].isalnum() or before[-1] in _IN_WORDS):
        return False
    if has_unspaced(word[0] + before[-1]):
        return False
    if word[0] in _IN_WORDS:
        return before[-1].isalnum()
    return word[0].isalnum() or unicodedata.category(word[0]).startswith("M")


def _visible(text: str, *, spaces: bool = True) -> str:
    """`text` with white space and control characters replaced by visible signs; never empty."""
    shown = "".join(_visible_character(c, spaces=spaces) for c in text)
    if shown and all(unicodedata.category(c)[0] == "M" for c in shown):
        return "◌" + shown
    if not shown or all(unicodedata.category(c) == "Cf" for c in shown):
        return " ".join(map(_code, text)) or "␣"
    return shown


def _visible_character(character: str, *, spaces: bool) -> str:
    if character == SPACE_MARK and not spaces:
        return character
    if character in _WHITE:
        return _WHITE[character]
    category = unicodedata.category(character)
    if category == "Zs":
        return "␣"
    if category in ("Cc", "Cs", "Cn", "Zl", "Zp") or character in _CONTROLS:
        return _code(character)
    return character


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"
