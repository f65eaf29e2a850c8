"""Weights tables: attention weights of a trace as CSV (RFC 4180, UTF-8), a line a cell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from model.trace.trace import AttentionKind, Trace
from viewer.figures.table import MEAN, csv_chunks, quoted

HEADER = ("kind", "layer", "head", "query", "key", "query_token", "key_token", "weight")
NUMBERED = ("predicted_token", "layer_number", "head_number", "step")
"""What stands behind the weight: the token that a decoder's row predicts, and places counted from 1."""


@dataclass(frozen=True)
class Table:
    """Which weights of a trace to write.

    Attributes:
        heads: (layer, head) pairs; the head None for the mean over the layer's heads.
        queries, keys: indices of the rows and columns, as in the trace.
        notes: what the reader must know of the numbers: of which aggregate they are, what was altered in the
            model, which tokens are left out. Empty for plain attention weights. A note is repeated in a last
            column, since CSV has no comments; the column is absent when there is nothing to say.
    """

    kind: AttentionKind
    heads: tuple[tuple[int, int | None], ...]
    queries: Sequence[int]
    keys: Sequence[int]
    notes: str = ""


def write_csv(trace: Trace, table: Table, path: StrPath) -> None:
    """Write one table; see `write_tables`."""
    write_tables(trace, (table,), path)


def write_tables(trace: Trace, tables: Sequence[Table], path: StrPath) -> None:
    """Write tables under each other; tokens are raw pieces, `query_token` is the one read at the row.

    `layer` to `key` count from 0, as arrays do, the columns of `NUMBERED` from 1; an encoder's row has no
    step. Cells where attention was not allowed are there, with their true weight 0.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, _chunks(trace, tables))


def numbered(place: object) -> object:
    """A layer or a head as people count it; what is no number stays, such as `mean`."""
    return place + 1 if isinstance(place, int) else place


def _chunks(trace: Trace, tables: Sequence[Table]) -> Iterator[bytes]:
    noted = any(table.notes for table in tables)
    yield from csv_chunks([(*HEADER, *NUMBERED, *(("notes",) if noted else ()))])
    for table in tables:
        yield from _weights(trace, table, noted=noted)


def _weights(trace: Trace, table: Table, *, noted: bool) -> Iterator[bytes]:
    """The lines of a row at a time: but for its weight a cell's line is that of its row and of its column."""
    queries = [well_formed(trace.query_tokens(table.kind)[index]) for index in table.queries]
    keys = [(index, quoted(well_formed(trace.key_tokens(table.kind)[index]))) for index in table.keys]
    decodes = table.kind is not AttentionKind.ENCODER_SELF and bool(trace.steps)
    steps = [(well_formed(trace.tgt_out_tokens[q]), q + 1) if decodes else ("", "") for q in table.queries]
    last = (table.notes,) if noted else ()
    columns = np.asarray(table.keys, np.intp)
    for layer, head in table.heads:
        weights = trace.pattern(table.kind, layer, head)
        name: object = MEAN if head is None else head
        places = (numbered(layer), numbered(name))
        for query, query_token, (predicted, step) in zip(table.queries, queries, steps):
            before = _joined(table.kind, layer, name, query)
            token, behind = quoted(query_token), _joined(predicted, *places, step, *last)
            row = weights[query][columns].tolist()
            lines = [
                f"{before},{key},{token},{key_token},{weight:.9g},{behind}\r\n"
                for (key, key_token), weight in zip(keys, row)
            ]
            yield "".join(lines).encode()


def _joined(*fields: object) -> str:
    return ",".join(map(quoted, fields))
