"""Encoding tables: a positional encoding as CSV, a line a number, counted from 0."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt

from model.files.files import StrPath, replacing, write_chunks
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.table import Rows, csv_chunks, number

POSITIONS_HEADER = ("position", "dimension", "value")


def write_positions_csv(encoding: npt.NDArray[np.float32], path: StrPath) -> None:
    """Write a positional encoding [position, dimension]; raises as `write_csv`."""

    def lines() -> Iterator[Sequence[object]]:
        yield POSITIONS_HEADER
        for position, row in enumerate(encoding):
            for dimension, value in enumerate(row):
                yield position, dimension, number(value)

    with replacing(path) as temporary:
        write_chunks(temporary, csv_chunks(lines()))


def encoding_rows(spec: PositionsSpec) -> Rows:
    """Header and lines."""
    yield POSITIONS_HEADER
    for position, row in enumerate(spec.encoding):
        for dimension, value in enumerate(row):
            yield position, dimension, number(value)
