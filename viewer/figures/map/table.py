"""Any map as CSV (RFC 4180, UTF-8): one line a cell shown, true numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from model.files.files import StrPath, replacing, write_chunks
from model.files.tensor_file import well_formed
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.map.numbers import layer_and_head
from viewer.figures.map.spec import MapSpec
from viewer.figures.map.weights_table import HEADER, NUMBERED, numbered
from viewer.figures.table import csv_chunks, number

VALUE_HEADER = (*HEADER[:-1], "value")
"""Of numbers that are no attention weights."""

WORDS_HEADER = ("query_last", "key_last")
"""What pieces merged to words have besides."""


def write_map_csv(spec: MapSpec, path: StrPath, notes: Sequence[str] = ()) -> None:
    """Write the cells that the map shows, its rows up to the step in view.

    The columns are those of `write_csv`, and `notes`, which repeats the badges, formula and caveat: what was
    averaged, merged, hidden or altered. The numbers' column is called `weight` only for attention weights,
    else `value`. A weight that is masked is 0; of other numbers a masked cell is empty, never minus infinity.
    `layer` and `head` say `mean`, `max` or `all` where the numbers are of several. Of whole words, `query`
    and `key` are the first piece of each and `query_last` and `key_last` the last one, the pieces of a token
    are joined, and `predicted_token` is what a decoder's row predicts after the word that it reads.

    Args:
        notes: further ones.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(map_lines(spec, notes)))


def map_lines(spec: MapSpec, notes: Sequence[str] = ()) -> Iterator[Sequence[object]]:
    """Header and lines of a map's table; see `write_map_csv`."""
    plain = not spec.quantity
    of_words = WORDS_HEADER if spec.words else ()
    yield (*(HEADER if plain else VALUE_HEADER), *of_words, *NUMBERED, "notes")
    layer, head = layer_and_head(spec.layer, spec.head, spec.numbers)
    places = (numbered(layer), numbered(head))
    said = "; ".join((*spec.badges, *spec.notes, *notes))
    queries, keys = _pieces(spec.row_labels), _pieces(spec.column_labels)
    for row in range(spec.shown_rows):
        label = spec.row_labels[row]
        predicted = "" if label.predicted is None else well_formed(label.predicted.raw)
        step = "" if label.predicted is None else label.last + 1
        for column, (key, value) in enumerate(zip(spec.column_labels, _values(spec, row), strict=True)):
            covered = (label.last, key.last) if spec.words else ()
            yield (
                str(spec.kind), layer, head, label.index, key.index, queries[row], keys[column], value,
                *covered, predicted, *places, step, said,
            )  # fmt: skip


def _values(spec: MapSpec, row: int) -> Iterator[str]:
    """The numbers of a row, read at once; empty where there is none, or one that is no weight is masked."""
    values: Matrix = spec.matrix[row]
    left_out = ~np.isfinite(values)
    if spec.quantity and spec.masked is not None:
        masked = spec.masked[row]
        left_out |= masked if spec.absent is None else masked & ~spec.absent[row]
    return ("" if out else number(value) for value, out in zip(values, left_out))


def _pieces(labels: Sequence[AxisLabel]) -> list[str]:
    return [well_formed(label.raw) for label in labels]
