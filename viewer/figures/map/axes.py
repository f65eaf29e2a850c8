"""Axes: the tokens along a map's, and which of them the view shows."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

import numpy as np

from model.tokens.words import is_edge
from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.alteration_text import blocked_keys
from viewer.document.text.input_text import given_steps
from viewer.document.text.segments import segments_of
from viewer.document.text.token_text import TokenText, special_text, token_texts
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.map.head_grid import HeadGrid, Indices


@dataclass(frozen=True, eq=False)
class Axes:
    """Labels of the shown queries and keys, and the weights between them.

    Before the first step of a decoding the decoder has one row (and, in self-attention, one column) to
    show, which the grid does not have yet.
    """

    rows: tuple[AxisLabel, ...]
    columns: tuple[AxisLabel, ...]
    grid: HeadGrid


_MOST_TRACES = 16
# What follows from a trace alone is worked out once; the entries hold no reference to their trace. Only of
# the traces looked at last: what pictures remember with a grid takes more than a short sentence's patterns.
_known: WeakKeyDictionary[Trace, dict[Hashable, Axes]] = WeakKeyDictionary()


def axes_of(trace: Trace, kind: AttentionKind, *, raw: bool, hide: bool) -> Axes:
    """The axes of a kind's maps.

    Args:
        raw: label with the pieces as the tokenizer writes them.
        hide: leave out start, end and padding tokens: their columns, and the rows that read them; a
            decoder's row is left out when it predicts one: reading the start predicts the first word.
    """
    language = special_text("<s>")  # labels are in the language of their time
    return _once(trace, (kind, raw, hide, language), lambda: _build(trace, kind, raw=raw, hide=hide))


def _once(trace: Trace, key: Hashable, build: Callable[[], Axes]) -> Axes:
    known = _known.pop(trace, {})
    _known[trace] = known
    while len(_known) > _MOST_TRACES:
        del _known[next(iter(_known))]
    if key not in known:
        known[key] = build()
    return known[key]


def _build(trace: Trace, kind: AttentionKind, *, raw: bool, hide: bool) -> Axes:
    rows = _row_labels(trace, kind, raw=raw)
    columns = _column_labels(trace, kind, raw=raw)
    kept_rows = kept_columns = None
    if hide:
        kept_rows = _kept(rows, len(trace.query_tokens(kind)))
        kept_columns = _kept(columns, len(trace.key_tokens(kind)))
        rows = rows if kept_rows is None else tuple(rows[index] for index in kept_rows)
        columns = columns if kept_columns is None else tuple(columns[index] for index in kept_columns)
    grid = HeadGrid(
        trace.patterns,
        kind,
        rows=kept_rows,
        columns=kept_columns,
        causal=kind is AttentionKind.DECODER_SELF and trace.is_causal,
        weights=trace.numbers == "pattern",
        blocked=blocked_keys(trace, kind),
    )
    return Axes(rows, columns, grid)


def _row_labels(trace: Trace, kind: AttentionKind, *, raw: bool) -> tuple[AxisLabel, ...]:
    if kind is AttentionKind.ENCODER_SELF:
        return _source_labels(trace, raw=raw)
    if trace.steps == 0:
        return (AxisLabel(token_texts(("<s>",), raw=raw)[0]),)
    read, predicted = _target_texts(trace, raw=raw)
    given = given_steps(trace)
    return tuple(AxisLabel(read[t], predicted[t], t, given=t < given) for t in range(trace.steps))


def _column_labels(trace: Trace, kind: AttentionKind, *, raw: bool) -> tuple[AxisLabel, ...]:
    if kind is not AttentionKind.DECODER_SELF:
        return _source_labels(trace, raw=raw)
    if trace.steps == 0:
        return _labels(token_texts(("<s>",), raw=raw))
    return _labels(_target_texts(trace, raw=raw)[0])


def _source_labels(trace: Trace, *, raw: bool) -> tuple[AxisLabel, ...]:
    labels = _labels(token_texts(trace.src_tokens, raw=raw, style=trace.token_style))
    segments = segments_of(trace)
    if not segments:
        return labels
    return tuple(replace(label, segment=segment) for label, segment in zip(labels, segments, strict=True))


def _target_texts(trace: Trace, *, raw: bool) -> tuple[tuple[TokenText, ...], tuple[TokenText, ...]]:
    """What is read and what is predicted at each step."""
    read, predicted, style = trace.tgt_in_tokens, trace.tgt_out_tokens, trace.token_style
    if read[1:] == predicted[:-1]:
        # As one sentence, so that a character of several bytes is whole where its last byte is predicted.
        texts = token_texts((*read[:1], *predicted), raw=raw, style=style, starts=True)
        return texts[:-1], texts[1:]
    return (
        token_texts(read, raw=raw, style=style, starts=True),
        token_texts(predicted, raw=raw, style=style),
    )


def _labels(texts: Sequence[TokenText]) -> tuple[AxisLabel, ...]:
    return tuple(AxisLabel(text, index=index) for index, text in enumerate(texts))


def _kept(labels: tuple[AxisLabel, ...], existing: int) -> Indices | None:
    """Indices of the labels to show, None for all."""
    kept = [label.index for label in labels if not is_edge((label.predicted or label.token).raw)]
    if len(kept) == len(labels) or existing == 0:
        return None
    return np.array(kept, np.int64)
