"""Pieces and words: which pieces of a tokenizer spell which words, however somebody else split these.

Both are compared character by character, without spaces, in Unicode's compatibility decomposition, case
folded and without characters that print nothing: tokenizers normalise texts, and gold links often count the
words `apple` and `.` where the sentence has `apple.`
"""

from __future__ import annotations

import html
import unicodedata
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from itertools import groupby, product

from model.alignment.shares import Shares
from model.errors import HeadscopeError
from model.tokens.spelling import letters
from model.tokens.token_style import SPACE_MARK, UNKNOWNS, TokenStyle, is_edge, is_special
from model.tokens.words import has_unspaced, word_spans
from model.trace.trace import Side
from model.work import result_of

_INVISIBLE = ("Cc", "Cf")
_SHOWN_FROM, _SHOWN = 12, 24  # letters around the place where two texts part
_AT_ONCE = 256  # pieces that are spelled at a stretch

Spelling = list[tuple[str, tuple[int, ...]]]
"""Each character with the pieces (or the word) that it belongs to; "" stands for any characters at all."""


def own_words(
    text: str, pieces: Sequence[str], style: TokenStyle = TokenStyle.SENTENCEPIECE
) -> tuple[str, ...]:
    """The words of a sentence: what stands between its spaces; in a script without spaces each piece.

    The same words as those of `model.tokens.words.word_spans`, as the text has them where it has spaces.
    """
    if not has_unspaced(text):
        return tuple(text.split())
    inside = [piece for piece in pieces if not _is_no_text(piece)]
    words = ("".join(_written(inside[first:last], style)) for first, last in word_spans(inside, style))
    return tuple(word for word in words if word)


def word_shares(
    pieces: Sequence[str],
    words: Sequence[str],
    side: Side,
    style: TokenStyle = TokenStyle.SENTENCEPIECE,
) -> Shares:
    """How much of each piece lies in each word, by characters.

    Args:
        pieces: P raw pieces; specials may be among them.
        words: W words that spell the same text.
        side: which of the two texts, for the message.
        style: how the pieces are written.

    Returns:
        [P, W], those of a piece summing to 1; start, end and padding have none. A piece that is nothing but a
        space belongs to the word that follows it. An unknown piece stands for whatever the others leave, or,
        as some tokenizers leave it out of the text, for nothing: then it belongs to the word that follows.

    Raises:
        HeadscopeError: `align_source_differs`, `align_target_differs`: they spell different texts.
    """
    return result_of(share_steps(pieces, words, side, style))


def share_steps(
    pieces: Sequence[str],
    words: Sequence[str],
    side: Side,
    style: TokenStyle = TokenStyle.SENTENCEPIECE,
) -> Generator[None, None, Shares]:
    """`word_shares` in steps, for who has something else to do between them."""
    spelled: Spelling = []
    for number, (text, places) in enumerate(_characters(pieces, style), 1):
        spelled += [(letter, places) for letter in (_normal(text) if text else ("",))]
        if number % _AT_ONCE == 0:
            yield
    yield
    # Tokenizers of statistical translation escape what has a meaning to them.
    escaped = [_unescaped(word) for word in words]
    spellings = [_spelling_of_words(words)]
    yield
    if escaped != list(words):
        spellings.append(_spelling_of_words(escaped))
    yield
    owners = None
    for least, spelling in product((1, 0), spellings):
        owners = _matched(spelled, spelling, least)
        yield
        if owners is not None:
            break
    if owners is None:
        raise _differs(side, "".join(letter or "⁇" for letter, _ in spelled), "".join(map(_normal, words)))
    counts = _filled(owners, pieces)
    yield
    return Shares.of_counts(counts, (len(pieces), len(words)))


def _filled(owners: Sequence[tuple[int, int]], pieces: Sequence[str]) -> dict[int, dict[int, int]]:
    """How many characters of each piece are in which words.

    A piece that is but a space goes with what follows, at the end with what was before.
    """
    found: dict[int, dict[int, int]] = {}
    for (piece, word), count in sorted(Counter(owners).items()):
        found.setdefault(piece, {})[word] = count
    # Of words with as much of a piece the first.
    most = {piece: max(counts, key=counts.__getitem__) for piece, counts in found.items()}
    following = most[max(most)] if most else None
    for place in range(len(pieces))[::-1]:
        if place in most:
            following = most[place]
        elif not _is_no_text(pieces[place]) and following is not None:
            found[place] = {following: 1}
    return found


def _normal(text: str) -> str:
    plain = text.replace(SPACE_MARK, "")
    if plain.isascii() and plain.isalnum():  # most are, and of a long text there are thousands
        return plain.casefold()
    folded = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", text).casefold())
    return "".join(
        letter
        for letter in folded
        if not letter.isspace() and letter != SPACE_MARK and unicodedata.category(letter) not in _INVISIBLE
    )


def _spelling_of_words(words: Sequence[str]) -> Spelling:
    return [(letter, (place,)) for place, word in enumerate(words) for letter in _normal(word)]


def _characters(pieces: Sequence[str], style: TokenStyle) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Text and the pieces it comes from: those of one character together, the unknown piece as "".

    Bytes that make no character become U+FFFD, as it is shown.
    """
    for broken, group in groupby(
        letters(pieces, style), key=lambda one: one.byte is not None and not one.text
    ):
        members = list(group)
        if broken:
            text = bytes(one.byte or 0 for one in members).decode("utf-8", errors="replace")
            owners = tuple(one.first for one in members)
            yield from ((letter, owners) for letter in text)
            continue
        for one in members:
            owners, piece = tuple(range(one.first, one.end)), pieces[one.first]
            if one.byte is None and piece in UNKNOWNS:
                yield "", owners
            elif one.text.strip(SPACE_MARK) and not (one.byte is None and _is_no_text(piece)):
                yield one.text, owners


def _is_no_text(piece: str) -> bool:
    """Whether a piece is left out when the pieces are read as a text."""
    return is_edge(piece) or (is_special(piece, TokenStyle.BYTE_LEVEL) and piece not in UNKNOWNS)


def _written(pieces: Sequence[str], style: TokenStyle) -> Iterator[str]:
    """The text of pieces as a person writes it."""
    return (text.replace(SPACE_MARK, "") or "⁇" for text, _ in _characters(pieces, style))


def _unescaped(word: str) -> str:
    return "-" if word == "@-@" else html.unescape(word)


def _matched(pieces: Spelling, words: Spelling, least: int) -> list[tuple[int, int]] | None:
    """(piece, word) of each character, None where the two spell different texts.

    Unknown pieces take at least `least` characters each: the fewest that let the rest agree, from the left.
    """
    text = "".join(letter for letter, _ in words)
    pairs: list[tuple[int, int]] = []
    at = 0
    for unknowns, known in _segments(pieces):
        letters = "".join(letter for letter, _ in known)
        is_last = not known or known[-1] is pieces[-1]
        found = at if not unknowns else _place(text, letters, at + least * len(unknowns), is_last)
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
