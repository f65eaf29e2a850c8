"""Difference table: numbers as CSV and NPZ: of every cell shown, in either run, counted from 0."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from model.tokens.pairing import Pair
from model.trace.npz_write import write_arrays_npz
from model.trace.trace import Trace
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.table import MEAN, csv_chunks, number

HEADER = (
    "kind", "layer", "head", "query_a", "query_b", "key_a", "key_b", "query_token_a", "query_token_b",
    "key_token_a", "key_token_b", "replaced", "weight_a", "weight_b", "difference", "notes",
)  # fmt: skip

Traces = tuple[Trace, Trace]


def write_difference_csv(traces: Traces, figure: FigureSpec[DifferenceSpec], path: StrPath) -> None:
    """One line for each cell that A or B has; what one of them lacks is empty.

    `layer` and `head` are B's; `query_a` … `key_b` index the traces. Tokens are raw pieces; `query_token_a`
    and `query_token_b` are those read at the row. `replaced` is `query`, `key` or `query key` where B's token
    there is another one in the place of A's. `notes` repeats the figure's badges.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(_lines(traces, figure)))


def write_difference_npz(traces: Traces, figure: FigureSpec[DifferenceSpec], path: StrPath) -> None:
    """The same as arrays; raises as `write_difference_csv`.

    `difference`, `weight_a`, `weight_b`: float32 [row, column], NaN where a run lacks the cell; `query_a`,
    `query_b` [row] and `key_a`, `key_b` [column]: int64 indices in the traces, -1 for none; `query_token_a`,
    `query_token_b`, `key_token_a`, `key_token_b`: raw pieces, empty for none; `query_replaced`,
    `key_replaced`: bool, B's token is another one in the place of A's; `facts`: JSON of the figure's facts.
    """
    spec = figure.body
    first, second = _weights(spec)
    difference = np.where(np.isnan(first) | np.isnan(second), np.float32(np.nan), spec.matrix)
    rows, columns = spec.rows_of.pairs, spec.columns_of.pairs
    arrays: dict[str, npt.NDArray[np.generic]] = {
        "difference": difference,
        "weight_a": first,
        "weight_b": second,
        "query_a": np.array([-1 if i is None else i for i, _ in rows], np.int64),
        "query_b": np.array([-1 if j is None else j for _, j in rows], np.int64),
        "key_a": np.array([-1 if i is None else i for i, _ in columns], np.int64),
        "key_b": np.array([-1 if j is None else j for _, j in columns], np.int64),
        **{
            f"{axis}_token_{name}": np.array(_pieces(traces[side], spec, side, rows=axis == "query"), np.str_)
            for axis in ("query", "key")
            for side, name in enumerate("ab")
        },
        "query_replaced": np.array([spec.rows_of.is_replaced(pair) for pair in rows], np.bool_),
        "key_replaced": np.array([spec.columns_of.is_replaced(pair) for pair in columns], np.bool_),
        "facts": np.array(json.dumps(figure.facts, ensure_ascii=False), np.str_),
    }
    write_arrays_npz(arrays, path)


def _lines(traces: Traces, figure: FigureSpec[DifferenceSpec]) -> Iterator[Sequence[object]]:
    spec = figure.body
    yield HEADER
    first, second = _weights(spec)
    queries, keys = (
        [_pieces(trace, spec, side, rows=rows) for side, trace in enumerate(traces)] for rows in (True, False)
    )
    head: object = MEAN if spec.head is None else spec.head
    notes = "; ".join(spec.badges)
    for row, query in enumerate(spec.rows_of.pairs):
        for column, key in enumerate(spec.columns_of.pairs):
            a, b = _text(first[row, column]), _text(second[row, column])
            if not a and not b:
                continue
            difference = _text(spec.matrix[row, column]) if a and b else ""
            yield (
                str(spec.kind), spec.layer, head, *map(_index, (*query, *key)),
                queries[0][row], queries[1][row], keys[0][column], keys[1][column],
                _replaced(spec, query, key), a, b, difference, notes,
            )  # fmt: skip


def _replaced(spec: DifferenceSpec, query: Pair, key: Pair) -> str:
    """Which of the two are tokens in each other's place."""
    which = (("query", spec.rows_of.is_replaced(query)), ("key", spec.columns_of.is_replaced(key)))
    return " ".join(name for name, replaced in which if replaced)


def _weights(spec: DifferenceSpec) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]:
    assert spec.first is not None
    assert spec.second is not None
    return spec.first, spec.second


def _pieces(trace: Trace, spec: DifferenceSpec, side: int, *, rows: bool) -> list[str]:
    """Raw pieces of A (side 0) or B along an axis, empty where it has none."""
    pieces = trace.query_tokens(spec.kind) if rows else trace.key_tokens(spec.kind)
    indices = (pair[side] for pair in (spec.rows_of if rows else spec.columns_of).pairs)
    return ["" if index is None else well_formed(pieces[index]) for index in indices]


def _text(value: np.float32) -> str:
    return "" if np.isnan(value) else number(value)


def _index(index: int | None) -> object:
    return "" if index is None else index
