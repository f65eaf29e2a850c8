"""Token texts: pieces as a person reads them: marks gone, bytes made characters, nothing invisible."""

from __future__ import annotations

import unicodedata
from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby

from PySide6.QtCore import QCoreApplication

from model.tokens.spelling import Letter, letters, piece_bytes
from model.tokens.token_style import (
    CONTINUES_MARK,
    ENDS,
    MASKS,
    PADDINGS,
    SPACE_MARK,
    STARTS,
    UNKNOWNS,
    TokenStyle,
    is_special,
)
from model.tokens.words import has_unspaced
from model.trace.trace import HIDDEN, Trace

# The dot operator looks like a raised dot, which Chinese fonts draw as wide as a character.
JOINT = "⋅"
_IN_WORDS = "'’-"
_NEAR = 4  # pieces that tell how the next one is read: as many as spell one character

_OWN_NAMES = frozenset(("[CLS]", "[SEP]", "<cls>", "<sep>"))  # more than a start or an end, and so called
_SPACE = "␣"
_UNKNOWN = "…"  # a token that a recording made elsewhere does not know
_WHITE = {"\t": "⇥", "\n": "↵", "\r": "↵", SPACE_MARK: _SPACE}
# Characters that reorder or hide their neighbours: harmless in a sentence, misleading in a label.
_CONTROLS = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff\ufffd")


@dataclass(slots=True)  # not frozen: there may be thousands, and that makes each four times as slow
class TokenText:
    """One token as shown.

    Attributes:
        text: what is read; never empty.
        raw: the piece as the tokenizer writes it.
        special: stands for no text: start, end, padding, unknown or a mark such as `[MASK]`.
        continues: goes on with the word of the token before it.
        part: 0 where a character begins, n for the n-th further piece of a character spelled in bytes.
        spaced: the sentence has a space before it.
    """

    text: str
    raw: str
    special: bool = False
    continues: bool = False
    part: int = 0
    spaced: bool = False

    def __hash__(self) -> int:
        return hash(self.raw)  # texts of thousands of tokens are looked up

    @property
    def blank(self) -> bool:
        """Whether it is nothing but the space before it."""
        return self.spaced and self.text == _SPACE

    @property
    def marked(self) -> str:
        """The text, with a dot before it when it continues a word: "⋅les"."""
        return JOINT + self.text if self.continues else self.text

    @property
    def masked(self) -> bool:
        """Whether it hides a word that is to be guessed, which is what one looks for."""
        return self.special and self.raw in MASKS

    @property
    def dim(self) -> bool:
        """Whether it is drawn quietly."""
        return (self.special and not self.masked) or self.part > 0


def token_texts(
    pieces: Sequence[str],
    *,
    raw: bool = False,
    style: TokenStyle = TokenStyle.SENTENCEPIECE,
    starts: bool = False,
) -> tuple[TokenText, ...]:
    """The pieces of one sentence as shown, one for each.

    Args:
        raw: leave ordinary pieces as the tokenizer writes them; only what is invisible is spelled out.
        style: how the tokenizer writes them.
        starts: they are what a decoder reads. A special at their head is its start token, whatever name it
            has: many models start a target with padding, or with an end.
    """
    # Several views ask for the same sentence at every change; specials are in the language of their time.
    return _sentence(tuple(pieces), raw, style, starts, _start())


def read_ahead(trace: Trace) -> None:
    """Have a trace's sentences read as views will ask for them; a long one takes a while. In any thread."""
    style = trace.token_style
    token_texts(trace.src_tokens, style=style)
    token_texts(trace.tgt_out_tokens, style=style)
    token_texts(trace.tgt_in_tokens, style=style, starts=True)
    token_texts((*trace.tgt_in_tokens[:1], *trace.tgt_out_tokens), style=style, starts=True)


def piece_text(piece: str, *, raw: bool = False, style: TokenStyle = TokenStyle.SENTENCEPIECE) -> TokenText:
    """One piece on its own, such as a candidate for the next word."""
    return _texts((piece,), raw, style)[0]


def text_after(
    before: Sequence[str], piece: str, *, raw: bool = False, style: TokenStyle = TokenStyle.SENTENCEPIECE
) -> TokenText:
    """A piece that stands, or could stand, behind others, such as a candidate for the next word.

    Read by itself, as bytes may make no character yet; it continues a word if it would there.
    """
    return _after(tuple(before[-_NEAR:]), piece, raw, style, _start())


@lru_cache(maxsize=4096)  # ten candidates of some hundred steps; each keeps what stands before it
def _after(before: tuple[str, ...], piece: str, raw: bool, style: TokenStyle, language: str) -> TokenText:
    shown = _texts((piece,), raw, style)[0]
    if raw:
        return shown
    said = style is TokenStyle.WORDPIECE and piece.startswith(CONTINUES_MARK)  # behind a mask, too
    return replace(shown, continues=said or _texts((*before, piece), raw, style)[-1].continues)


@lru_cache(maxsize=12)
def _sentence(
    pieces: tuple[str, ...], raw: bool, style: TokenStyle, starts: bool, language: str
) -> tuple[TokenText, ...]:
    texts = tuple(_named(token, style) if token.special else token for token in _read(pieces, style))
    if raw:
        texts = tuple(map(_as_written, texts))
    if starts and not raw and texts and texts[0].special and pieces[0] != HIDDEN:
        return replace(texts[0], text=language), *texts[1:]
    return texts


@dataclass(frozen=True, eq=False)
class _Reading:
    """A sentence as it was read: of a live translation it is the beginning of the next one."""

    pieces: tuple[str, ...]
    style: TokenStyle
    texts: tuple[TokenText, ...]

    def __len__(self) -> int:
        return len(self.pieces)

    def begins(self, pieces: tuple[str, ...], style: TokenStyle) -> bool:
        """Whether other pieces begin with these."""
        return style is self.style and len(self) <= len(pieces) and pieces[: len(self)] == self.pieces

    def sure(self) -> tuple[TokenText, ...]:
        """Those that stay as they are whatever follows.

        The last pieces may spell a character that is not whole yet; before a piece that does not go on with
        a character (in UTF-8 its first byte tells) everything is.
        """
        end = max(0, len(self) - _NEAR)
        while end and _goes_on(self.pieces[end], self.style):
            end -= 1
        return self.texts[:end]


# What was read lately: a translation's output, and the same after its start token.
_lately: deque[_Reading] = deque(maxlen=4)


def _goes_on(piece: str, style: TokenStyle) -> bool:
    """Whether a piece begins with bytes that can only go on with a character."""
    data = piece_bytes(piece, style) or b"\0"
    return data[0] & 0xC0 == 0x80


@lru_cache(maxsize=12)
def _read(pieces: tuple[str, ...], style: TokenStyle) -> tuple[TokenText, ...]:
    """A long sentence is read once, and one that goes on with another from its end on.

    Specials are in the language in which they were read.
    """
    known = max((old for old in tuple(_lately) if old.begins(pieces, style)), key=len, default=None)
    texts = _texts(pieces, False, style, () if known is None else known.sure())
    _lately.append(_Reading(pieces, style, texts))
    return texts


def _named(token: TokenText, style: TokenStyle) -> TokenText:
    """A special in the language in force."""
    text = special_text(token.raw, style) if token.raw else _UNKNOWN
    return token if text is None or text == token.text else replace(token, text=text)


def _as_written(token: TokenText) -> TokenText:
    """A token as the tokenizer writes it."""
    return TokenText(_visible(token.raw, spaces=False), token.raw, token.special, spaced=token.spaced)


def _texts(
    pieces: tuple[str, ...], raw: bool, style: TokenStyle, known: tuple[TokenText, ...] = ()
) -> tuple[TokenText, ...]:
    """Args: known: how the first are read, not as they are written; the rest begins with a character."""
    shown = list(known)
    pieces = pieces[len(known) :]
    last = next((token for token in reversed(known) if token.special or token.part == 0), None)
    before = "" if last is None or last.special else last.text
    for place, own in enumerate(_letters_of(pieces, style)):
        special = special_text(pieces[place], style)
        token = _token(pieces[place], special, own, place, before)
        if not pieces[place]:
            token = TokenText(_UNKNOWN, "", special=True)
        shown.append(_as_written(token) if raw else token)
        if token.special:
            before = ""
        elif token.part == 0:
            before = token.text
    return tuple(shown)


def piece_line(
    pieces: Sequence[str], *, raw: bool = False, style: TokenStyle = TokenStyle.SENTENCEPIECE
) -> str:
    """A sentence's pieces in a line: words apart, the pieces of a word joined by a dot."""
    line = ""
    for token in token_texts(pieces, raw=raw, style=style):
        if token.dim:
            continue
        line += (token.marked if token.continues else " " + token.text) if line else token.text
    return line


def special_text(piece: str, style: TokenStyle = TokenStyle.SENTENCEPIECE) -> str | None:
    """How a special piece is shown, None for an ordinary one."""
    if piece in _OWN_NAMES:
        return piece
    if piece in STARTS:
        return _start()
    if piece in ENDS:
        return QCoreApplication.translate("Figure", "(end)")
    if piece in PADDINGS:
        return QCoreApplication.translate("Figure", "(padding)")
    if piece in UNKNOWNS:
        return QCoreApplication.translate("Figure", "(unknown)")
    return piece if is_special(piece, style) else None


def _start() -> str:
    return QCoreApplication.translate("Figure", "(start)")


def _letters_of(pieces: Sequence[str], style: TokenStyle) -> list[list[Letter]]:
    """What begins in each piece; for one that only goes on with a character that character alone."""
    own: list[list[Letter]] = [[] for _ in pieces]
    for letter in letters(pieces, style):
        own[letter.first].append(letter)
        for place in range(letter.first + 1, letter.end):
            own[place] = [letter]  # replaced by what begins there, if anything does
    return [[one for one in found if one.first == place] or found for place, found in enumerate(own)]


def _token(piece: str, special: str | None, own: Sequence[Letter], place: int, before: str) -> TokenText:
    if special is not None:
        return TokenText(special, piece, special=True)
    if own and own[0].first < place:
        part = place - own[0].first
        return TokenText(f"‹{part + 1}/{own[0].end - own[0].first}›", piece, part=part)
    text = "".join(letter.text for letter in own)
    starts_word = text.startswith(SPACE_MARK)
    word = text[1:] if starts_word and len(text) > 1 else text
    continues = bool(own and own[0].text) and not starts_word and _continues(word, before)
    broken = any(_is_broken(letter) for letter in own)
    shown = _spelled(own) if broken else _visible(word)
    return TokenText(shown, piece, continues=continues, spaced=starts_word)


def _spelled(own: Iterable[Letter]) -> str:
    """Characters spelled in bytes; bytes that make none by their numbers."""
    parts: list[str] = []
    for broken, group in groupby(own, key=_is_broken):
        members = list(group)
        text = "".join(letter.text for letter in members).removeprefix(SPACE_MARK)
        if broken:
            parts += [f"0x{letter.byte:02X}" for letter in members]
        elif text:
            parts.append(_visible(text))
    return " ".join(parts)


def _is_broken(letter: Letter) -> bool:
    return letter.byte is not None and not letter.text


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


@lru_cache(maxsize=16384)
def _visible(text: str, *, spaces: bool = True) -> str:
    """`text` with white space and control characters replaced by visible signs; never empty."""
    # Most are: letters or digits at the end are no mark, and what can be printed is no control character.
    plain = text.isprintable() and text[-1:].isalnum() and " " not in text and "\ufffd" not in text
    if plain and not (spaces and SPACE_MARK in text):
        return text
    # No tokenizer writes a plain space inside a piece: it is in a name that somebody gave, "patch 3".
    inner = range(1, len(text) - 1)
    shown = "".join(
        c
        if c == " " and place in inner and not text[place - 1 : place + 2 : 2].count(" ")
        else _visible_character(c, spaces=spaces)
        for place, c in enumerate(text)
    )
    if shown and all(unicodedata.category(c)[0] == "M" for c in shown):
        return "◌" + shown
    if not shown or all(unicodedata.category(c) == "Cf" for c in shown):
        return " ".join(map(_code, text)) or _SPACE
    return shown


def _visible_character(character: str, *, spaces: bool) -> str:
    if character == SPACE_MARK and not spaces:
        return character
    if character in _WHITE:
        return _WHITE[character]
    category = unicodedata.category(character)
    if category == "Zs":
        return _SPACE
    if category in ("Cc", "Cs", "Cn", "Zl", "Zp") or character in _CONTROLS:
        return _code(character)
    return character


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def made_of(trace: Trace, step: int, *, raw: bool = False) -> str:
    """Title of the contribution graph of a step, such as "What “chat” is made of, step 2 of 4"."""
    token = token_texts(trace.tgt_out_tokens, raw=raw, style=trace.token_style)[step].marked
    text = QCoreApplication.translate("Contributions", "What “{token}” is made of, step {step} of {steps}")
    return text.format(token=token, step=step + 1, steps=trace.steps)
