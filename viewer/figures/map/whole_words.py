"""Whole words: pieces merged along the axes of a map, sums over keys, means over queries."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from weakref import WeakKeyDictionary

import numpy as np

from model.tokens.words import Span, TokenStyle, word_spans
from model.trace.aggregates import any_merged, merged
from model.trace.trace import AttentionKind, Trace
from viewer.document.text.token_text import TokenText, token_texts
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.cells import remembered
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.map.long_map import Block, LongMap


@dataclass(frozen=True, eq=False)
class Words:
    """The axes of a map, word by word.

    A decoder's row is the word that it reads, all of whose pieces are read in turn, and predicts what comes
    next: grouped by what they predict, rows would seem to attend to the word behind the one they are labelled
    with. A word that is only partly read at the step in view is of the pieces that are.

    Attributes:
        rows, columns: one label a word.
        row_spans, column_spans: places of its pieces on the axes of pieces, half-open.
    """

    rows: tuple[AxisLabel, ...]
    columns: tuple[AxisLabel, ...]
    row_spans: tuple[Span, ...]
    column_spans: tuple[Span, ...]

    def merge(self, matrix: Matrix) -> Matrix:
        """The sum over each word's keys, the mean over its queries; words without any row are left out."""
        queries, keys = matrix.shape
        rows, columns = _within(self.row_spans, queries), _within(self.column_spans, keys)
        return merged(matrix, rows, columns).astype(np.float32)

    def merge_long(self, long: LongMap) -> LongMap:
        """The same of a long map, and of its mask, some words at a time."""
        return remembered(long, self, lambda: self._merged(long))

    def _merged(self, long: LongMap) -> LongMap:
        queries, keys = long.shape
        spans, columns = _within(self.row_spans, queries), _within(self.column_spans, keys)

        def read(first: int, last: int) -> Block:
            start, end = spans[first][0], spans[last - 1][1]
            numbers, masked = long.rows(start, end)
            rows = [(a - start, b - start) for a, b in spans[first:last]]
            forbidden: Mask | None = None
            if masked is not None:
                forbidden = ~any_merged(~masked, rows, columns)
            return merged(numbers, rows, columns).astype(np.float32), forbidden

        return LongMap((len(spans), len(columns)), read)

    def merge_mask(self, masked: Mask | None) -> Mask | None:
        """True where every piece's cell is masked."""
        if masked is None:
            return None
        queries, keys = masked.shape
        rows, columns = _within(self.row_spans, queries), _within(self.column_spans, keys)
        result: Mask = ~any_merged(~masked, rows, columns)
        return result if result.any() else None


Labels = tuple[AxisLabel, ...]
_MOST_KNOWN = 4  # of two panes, and of a head whose rows are others
# The words in view, by trace, with what they are made of: another head of the kind has the same.
_known: WeakKeyDictionary[Trace, tuple[tuple[Labels, Labels, int | None, Words], ...]] = WeakKeyDictionary()


def words_of(
    trace: Trace, kind: AttentionKind, step: int, rows: Labels, columns: Labels, *, raw: bool
) -> Words:
    """The words of axes whose labels are pieces.

    Args:
        step: in view; rows of later steps are not merged into a word that has begun.
        rows, columns: labels shown; those left out are specials, which are words of their own.
        raw: as the tokenizer writes them.
    """
    found = _found(trace, kind, step, rows, columns)
    if found is None:
        found = _made(trace, kind, step, rows, columns, raw)
        others = _known.get(trace, ())[: _MOST_KNOWN - 1]
        _known[trace] = ((rows, columns, _step(kind, step), found), *others)
    return found


def are_known(trace: Trace, kind: AttentionKind, step: int, rows: Labels, columns: Labels) -> bool:
    """Whether `words_of` has nothing to work out."""
    return _found(trace, kind, step, rows, columns) is not None


def _found(trace: Trace, kind: AttentionKind, step: int, rows: Labels, columns: Labels) -> Words | None:
    for known in _known.get(trace, ()):
        if known[0] is rows and known[1] is columns and known[2] == _step(kind, step):
            return known[3]
    return None


def _step(kind: AttentionKind, step: int) -> int | None:
    """The step that words depend on: what an encoder reads is there at once."""
    return None if kind is AttentionKind.ENCODER_SELF else step


def find_words(
    trace: Trace, kind: AttentionKind, step: int, rows: Labels, columns: Labels, *, raw: bool
) -> Iterator[None]:
    """Have the words of long axes at hand for `words_of`, whose arguments these are."""
    yield
    words_of(trace, kind, step, rows, columns, raw=raw)


def _made(trace: Trace, kind: AttentionKind, step: int, rows: Labels, columns: Labels, raw: bool) -> Words:
    encoder, style = kind is AttentionKind.ENCODER_SELF, trace.token_style
    queries = trace.src_tokens if encoder else trace.tgt_in_tokens
    row_groups = _groups(rows, queries, style)
    if not encoder and trace.is_causal:
        read = bisect_right(rows, step, key=lambda label: label.index)
        row_groups = [_begun(group, read) for group in row_groups]
    columns_read = _Pieces(trace.key_tokens(kind), style, raw, kind is AttentionKind.DECODER_SELF)
    column_groups = _groups(columns, columns_read.pieces, style)
    if encoder or not trace.steps:
        rows_read = _Pieces(queries, style, raw)
        row_labels = [_label(rows, group, rows_read) for group in row_groups]
    else:
        row_labels = list(_row_labels(trace, rows, row_groups, step, raw))
    last = None if kind is not AttentionKind.DECODER_SELF or not trace.is_causal else step
    column_labels = [_label(columns, group, columns_read, last) for group in column_groups]
    return Words(tuple(row_labels), tuple(column_labels), tuple(row_groups), tuple(column_groups))


@dataclass(frozen=True, eq=False)
class _Pieces:
    """Raw pieces of a sentence, how they are written and shown, and whether a decoder starts with them.

    Words and texts are found once: there are as many questions as pieces.
    """

    pieces: tuple[str, ...]
    style: TokenStyle
    raw: bool
    starts: bool = False

    @cached_property
    def words(self) -> tuple[Span, ...]:
        """Of each piece, the word that it is in."""
        return _words(self.pieces, self.style)

    @cached_property
    def texts(self) -> tuple[TokenText, ...]:
        """The pieces as shown."""
        return token_texts(self.pieces, raw=self.raw, style=self.style, starts=self.starts)


def _groups(labels: Sequence[AxisLabel], pieces: tuple[str, ...], style: TokenStyle) -> list[Span]:
    """Places of the labels of each word."""
    words = _words(pieces, style)
    starts = [
        place
        for place, label in enumerate(labels)
        if place == 0 or label.index >= words[labels[place - 1].index][1]
    ]
    return list(zip(starts, [*starts[1:], len(labels)]))


@lru_cache(maxsize=8)
def _words(pieces: tuple[str, ...], style: TokenStyle) -> tuple[Span, ...]:
    """Of each piece, the word that it is in; a trace without any has a start token to show."""
    return tuple(span for span in word_spans(pieces, style) for _ in range(*span)) or ((0, 1),)


def _begun(group: Span, read: int) -> Span:
    """The group without its rows after the step, unless it begins after it.

    Args:
        read: how many rows are not after the step.
    """
    first, end = group
    return group if first >= read else (first, min(end, read))


def _label(labels: Sequence[AxisLabel], group: Span, pieces: _Pieces, step: int | None = None) -> AxisLabel:
    """The whole word of a group, or as much of it as there is at the step."""
    first, end = group
    label = labels[first]
    span = _until(pieces.words[label.index], step) if pieces.pieces else None
    token = label.token if span is None else _joined(pieces, span)
    if token is label.token and end == first + 1:  # most words of some languages are one piece
        return label
    by_hand = _by_hand(labels, group)
    return AxisLabel(token, label.predicted, label.index, by_hand, end - first, label.given, label.segment)


def _row_labels(
    trace: Trace, labels: Sequence[AxisLabel], groups: Sequence[Span], step: int, raw: bool
) -> Iterator[AxisLabel]:
    """Each reads a word, or what of it is shown, and predicts what follows the last piece of it."""
    read = _Pieces(trace.tgt_in_tokens, trace.token_style, raw, starts=True)
    out = _Pieces(trace.tgt_out_tokens, trace.token_style, raw)
    until = step if trace.is_causal else None
    goes_on = trace.tgt_in_tokens[1:] == trace.tgt_out_tokens[:-1]  # else a round predicts every token anew
    for first, end in groups:
        label, last = labels[first], labels[end - 1]
        following = label.index, last.index + 1
        if goes_on:
            following = _until((last.index, out.words[last.index][1]), until)
        yield AxisLabel(  # by itself: `dataclasses.replace` takes ten times as long, of thousands
            _joined(read, (label.index, last.index + 1)),
            _joined(out, following),
            label.index,
            _by_hand(labels, (first, end)),
            end - first,
            last.given,
            label.segment,
        )


def _by_hand(labels: Sequence[AxisLabel], group: Span) -> bool:
    return any(label.set_by_hand for label in labels[slice(*group)])


def _until(span: Span, step: int | None) -> Span:
    """The span without what is after the step, unless all of it is."""
    first, end = span
    return (first, end) if step is None or first > step else (first, min(end, step + 1))


def _joined(sentence: _Pieces, span: Span) -> TokenText:
    """Pieces of a word as one token, without signs between them."""
    texts = sentence.texts[slice(*span)]
    continues = texts[0].continues and sentence.words[span[0]][0] != span[0]
    if len(texts) == 1:
        return texts[0] if texts[0].continues == continues else replace(texts[0], continues=continues)
    read = [text.text for text in texts if sentence.raw or (text.part == 0 and not text.blank)]
    written = "".join(text.raw for text in texts)
    return TokenText("".join(read) or texts[0].text, written, continues=continues, spaced=texts[0].spaced)


def _within(spans: Sequence[Span], existing: int) -> list[Span]:
    """The spans as far as rows or columns exist."""
    return [(first, min(end, existing)) for first, end in spans if first < existing]
