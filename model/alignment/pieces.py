"""Which pieces spell which words: pieces of a tokenizer against words that somebody else may have split.

Both are compared character by character, without spaces, in Unicode's compatibility decomposition, case
folded and without characters that print nothing: tokenizers normalise texts, and gold links often count the
words `apple` and `.` where the sentence has `apple.`
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Iterator, Sequence
from itertools import groupby

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.questions import Side
from model.words import SPACE_MARK, has_unspaced, is_edge, word_spans

Shares = npt.NDArray[np.float64]

_BYTE = re.compile(r"<0x([0-9A-Fa-f]{2})>")
_UNKNOWN = "<unk>"
_INVISIBLE = ("Cc", "Cf")
_SHOWN_FROM, _SHOWN = 12, 24  # letters around the place where two texts part

Spelling = list[tuple[str, tuple[int, ...]]]
"""Each character with the pieces (or the word) that it belongs to; "" stands for any characters at all."""


def own_words(text: str, pieces: Sequence[str]) -> tuple[str, ...]:
    """The words of a sentence: what stands between its spaces; in a script without spaces each piece.

    The same words as those of `model.words.word_spans`, as the text has them where it has spaces.
    """
    if not has_unspaced(text):
        return tuple(text.split())
    inside = [piece for piece in pieces if not is_edge(piece)]
    words = ("".join(_written(inside[first:last])) for first, last in word_spans(inside))
    return tuple(word for word in words if word)


def word_shares(pieces: Sequence[str], words: Sequence[str], side: Side) -> Shares:
    """How much of each piece lies in each word, by characters.

    Args:
        pieces: P raw pieces; specials may be among them.
        words: W words that spell the same text.
        side: which of the two texts, for the message.

    Returns:
        [P, W], each row summing to 1; rows of start, end and padding are 0. A piece that is nothing but a
        space belongs to the word that follows it. An unknown piece stands for whatever the others leave.

    Raises:
        HeadscopeError: `align_source_differs`, `align_target_differs`: they spell different texts.
    """
    spelled = _spelling_of_pieces(pieces)
    owners = _matched(spelled, _spelling_of_words(words))
    if owners is None:  # as tokenizers of statistical translation escape what has a meaning to them
        owners = _matched(spelled, _spelling_of_words([_unescaped(word) for word in words]))
    if owners is None:
        raise _differs(side, "".join(letter or "⁇" for letter, _ in spelled), "".join(map(_normal, words)))
    counts = np.zeros((len(pieces), len(words)))
    for piece, word in owners:
        counts[piece, word] += 1
    return _filled(counts, pieces)


def _filled(counts: Shares, pieces: Sequence[str]) -> Shares:
    """Counts as shares; pieces that are but a space go with what follows, at the end with what was before."""
    totals = counts.sum(1)
    following: int | None = None
    last = next((int(counts[p].argmax()) for p in range(len(pieces))[::-1] if totals[p]), None)
    for place in range(len(pieces))[::-1]:
        if totals[place]:
            following = int(counts[place].argmax())
        elif not is_edge(pieces[place]) and last is not None:
            counts[place, last if following is None else following] = 1
    shares: Shares = counts / np.maximum(counts.sum(1, keepdims=True), 1)
    return shares


def _normal(text: str) -> str:
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(
        letter
        for letter in folded
        if not letter.isspace() and letter != SPACE_MARK and unicodedata.category(letter) not in _INVISIBLE
    )


def _spelling_of_words(words: Sequence[str]) -> Spelling:
    return [(letter, (place,)) for place, word in enumerate(words) for letter in _normal(word)]


def _spelling_of_pieces(pieces: Sequence[str]) -> Spelling:
    spelled: Spelling = []
    for letters, owners in _characters(pieces):
        spelled += [(letter, owners) for letter in (_normal(letters) if letters else ("",))]
    return spelled


def _characters(pieces: Sequence[str]) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Text and the pieces it comes from: bytes of one character together, the unknown piece as ""."""
    place = 0
    while place < len(pieces):
        length = _byte_run(pieces, place)
        if length:
            yield from _decoded(pieces, place, length)
        elif pieces[place] == _UNKNOWN:
            yield "", (place,)
        elif not is_edge(pieces[place]) and pieces[place].strip(SPACE_MARK):
            yield pieces[place], (place,)
        place += max(1, length)


def _byte_run(pieces: Sequence[str], start: int) -> int:
    end = start
    while end < len(pieces) and _BYTE.fullmatch(pieces[end]):
        end += 1
    return end - start


def _decoded(pieces: Sequence[str], start: int, length: int) -> Iterator[tuple[str, tuple[int, ...]]]:
    """The characters of a run of bytes; what makes none becomes U+FFFD, as it is shown."""
    data = bytes(int(piece[3:5], 16) for piece in pieces[start : start + length])
    place = start
    letters = data.decode("utf-8", errors="surrogateescape")
    for broken, group in groupby(letters, key=lambda letter: "\udc80" <= letter <= "\udcff"):
        part = "".join(group)
        encoded = part.encode("utf-8", errors="surrogateescape")
        if broken:
            owners = tuple(range(place, place + len(encoded)))
            yield from ((letter, owners) for letter in encoded.decode("utf-8", errors="replace"))
            place += len(encoded)
            continue
        for letter in part:
            size = len(letter.encode())
            yield letter, tuple(range(place, place + size))
            place += size


def _written(pieces: Sequence[str]) -> Iterator[str]:
    """The text of pieces as a person writes it."""
    return (letters.replace(SPACE_MARK, "") or "⁇" for letters, _ in _characters(pieces))


def _unescaped(word: str) -> str:
    return "-" if word == "@-@" else html.unescape(word)


def _matched(pieces: Spelling, words: Spelling) -> list[tuple[int, int]] | None:
    """(piece, word) of each character, None where the two spell different texts.

    Unknown pieces take at least one character each: the fewest that let the rest agree, from the left.
    """
    text = "".join(letter for letter, _ in words)
    pairs: list[tuple[int, int]] = []
    at = 0
    for unknowns, known in _segments(pieces):
        letters = "".join(letter for letter, _ in known)
        is_last = not known or known[-1] is pieces[-1]
        found = at if not unknowns else _place(text, letters, at + len(unknowns), is_last)
        if found < 0 or not text.startswith(letters, found):
            return None
        for number, place in enumerate(range(at, found)):
            owner = unknowns[min(number, len(unknowns) - 1)]
            pairs.append((owner, words[place][1][0]))
        for (_, owners), (_, word) in zip(known, words[found:]):
            pairs += [(owner, word[0]) for owner in owners]
        at = found + len(letters)
    return pairs if at == len(text) else None


def _place(text: str, letters: str, least: int, is_last: bool) -> int:
    """Where a stretch of known characters is, at `least` or later; -1 for nowhere. The last is at the end."""
    if is_last:
        return len(text) - len(letters) if len(text) - len(letters) >= least else -1
    return text.find(letters, least)


def _segments(pieces: Spelling) -> Iterator[tuple[list[int], Spelling]]:
    """Unknown pieces, and the known characters behind them, in turn."""
    unknowns: list[int] = []
    known: Spelling = []
    for letter, owners in pieces:
        if letter:
            known.append((letter, owners))
            continue
        if known:
            yield unknowns, known
            unknowns, known = [], []
        unknowns.append(owners[0])
    yield unknowns, known


def _differs(side: Side, spelled: str, words: str) -> HeadscopeError:
    """The error, with the place where the two texts part."""
    both = zip(spelled, words)
    at = next((n for n, (a, b) in enumerate(both) if a != b), min(len(spelled), len(words)))
    start = max(0, at - _SHOWN_FROM)
    shown = [("…" if start else "") + text[start : start + _SHOWN] for text in (spelled, words)]
    return HeadscopeError(f"align_{side}_differs", text=shown[0], words=shown[1])
