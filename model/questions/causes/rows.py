"""Rows of a report of one map: which layer, which steps, a line a cell. No torch."""

from __future__ import annotations

from collections.abc import Sequence

from model.errors import HeadscopeError
from model.questions.causes.meaning import most
from model.questions.causes.method import Given
from model.questions.causes.report import Cell
from model.trace.trace import AttentionKind, Floats, Trace

COLUMNS = ("query", "query_number", "query_token", "key", "key_number", "key_token", "share")
"""Of `map_rows`."""


def checked_layer(given: Given, kind: AttentionKind) -> int:
    """The layer that was given, else the last; raises `HeadscopeError` for one that there is not."""
    layers, layer = given.trace.layers(kind), given.get("layer")
    if layer is None:
        return layers - 1
    if not 0 <= layer < layers:
        raise HeadscopeError("alteration_layer", value=layer + 1, kind=str(kind), count=layers)
    return int(layer)


def checked_step(given: Given, kind: AttentionKind) -> Sequence[int]:
    """The queries that are told: that of the step given, else all.

    Raises:
        HeadscopeError: there is no such step; or the kind knows of none.
    """
    trace, step = given.trace, given.get("step")
    if step is None:
        return range(len(trace.query_tokens(kind)))
    if kind is AttentionKind.ENCODER_SELF:
        raise HeadscopeError("method_step")
    if not 0 <= step < trace.steps:
        raise HeadscopeError("export_step", value=step + 1, count=trace.steps)
    return (step,)


def map_rows(
    given: Given, kind: AttentionKind, shares: Floats
) -> tuple[tuple[str, ...], list[tuple[Cell, ...]]]:
    """Columns and lines of a map [Q, K]; keys that come later than a query are left out."""
    trace = given.trace
    queries, keys = trace.query_tokens(kind), trace.key_tokens(kind)
    later = kind is AttentionKind.DECODER_SELF and trace.is_causal
    rows: list[tuple[Cell, ...]] = [
        (row, row + 1, queries[row], key, key + 1, token, float(shares[row, key]))
        for row in checked_step(given, kind)
        for key, token in enumerate(keys)
        if not later or key <= row
    ]
    return COLUMNS, rows


def row_meaning(given: Given, kind: AttentionKind, shares: Floats) -> tuple[str, ...]:
    """Of a single row, which keys have most of it; nothing of a whole map [Q, K]."""
    rows = checked_step(given, kind)
    if len(rows) != 1:
        return ()
    query = f"{given.trace.query_tokens(kind)[rows[0]]} (row {rows[0] + 1})"
    return (f"{query}: most of {most(given.trace.key_tokens(kind), shares[rows[0]])}.",)


def read_tokens(trace: Trace) -> Sequence[str]:
    """What the decoder reads, raw pieces."""
    return trace.key_tokens(AttentionKind.DECODER_SELF)
