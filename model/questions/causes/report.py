"""Report: what a command tells of causes, as JSON, CSV, NPZ or lines for people. No torch.

Layers, heads, steps and positions count from 0; a column that ends in `_number` repeats one from 1.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from model.files.files import StrPath, replace_bytes
from model.files.suffixes import suffix_of
from model.trace.npz_write import write_arrays_npz

FORMS = ("json", "csv", "npz")
"""Endings of the files that a report is written as."""

MOST_LINES = 30
"""Of a table that people are shown."""

_NOTED = ("formula", "caveat", "source", "model_sha256")  # the notes say it, or nobody reads it
Cell = str | int | float | None


@dataclass(frozen=True, eq=False)
class Report:
    """Facts, a table and arrays.

    Attributes:
        facts: JSON values: what was asked, the sum that the rows are parts of, whatever belongs to no row.
        columns: names of the table's columns.
        rows: its lines; None for what does not exist.
        arrays: what an NPZ file holds beside `facts` (JSON as text) and the table's columns.
        notes: formula and caveat, which every line of a CSV repeats in a last column.
        told: the columns that people are shown; empty for all.
    """

    facts: Mapping[str, Any]
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[Cell]] = ()
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    def under(self, facts: Mapping[str, Any], notes: tuple[str, ...] = ()) -> Self:
        """The same with further facts and notes before its own."""
        return replace(self, facts={**facts, **self.facts}, notes=(*notes, *self.notes))

    def to_json(self) -> dict[str, Any]:
        """Facts and `rows`, an object a line; numbers that do not exist are null."""
        rows = [dict(zip(self.columns, map(_plain, row), strict=True)) for row in self.rows]
        return {**_plain(self.facts), "rows": rows}

    def to_csv(self) -> str:
        """One line a row (RFC 4180), nine significant digits: enough to give every float32 back."""
        text = io.StringIO(newline="")
        writer = csv.writer(text)
        notes = ["; ".join(self.notes)] if self.notes else []
        writer.writerow([*self.columns, *(["notes"] if notes else [])])
        for row in self.rows:
            writer.writerow([*map(_field, row), *notes])
        return text.getvalue()

    def to_arrays(self) -> dict[str, npt.NDArray[Any]]:
        """`facts`, `notes`, the columns (missing numbers NaN), and the report's own arrays."""
        found = {"facts": np.array(json.dumps(_plain(self.facts), ensure_ascii=False))}
        if self.notes:
            found["notes"] = np.array("; ".join(self.notes))
        for place, name in enumerate(self.columns):
            found[name] = _column([row[place] for row in self.rows])
        return {**found, **self.arrays}

    def lines(self) -> list[str]:
        """For people: facts that are single values, the top of the table, the notes."""
        facts = {name: value for name, value in self.facts.items() if name not in _NOTED}
        told = [f"{name}: {_shown(value)}" for name, value in facts.items() if _is_single(value)]
        places = [self.columns.index(name) for name in self.told or self.columns]
        cells = [[self.columns[place] for place in places]]
        cells += [[_shown(row[place]) for place in places] for row in self.rows[:MOST_LINES]]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        table = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in cells]
        left = len(self.rows) - MOST_LINES
        more = [f"… {left} more rows: --json, --csv or --out"] if left > 0 else []
        return [*told, *(["", *table, *more, ""] if self.columns else []), *self.notes]

    def write(self, path: StrPath, form: str = "") -> None:
        """Write one file as `form` says (one of `FORMS`), or its name does.

        Raises:
            HeadscopeError: it cannot be written; an old file stays.
        """
        form = form or suffix_of(path)
        if form == "npz":
            write_arrays_npz(self.to_arrays(), path)
        elif form == "csv":
            replace_bytes(path, self.to_csv().encode())
        else:
            text = json.dumps(self.to_json(), ensure_ascii=False, allow_nan=False)
            replace_bytes(path, (text + "\n").encode())


def _plain(value: Any) -> Any:
    """As JSON has it."""
    if isinstance(value, Mapping):
        return {str(name): _plain(each) for name, each in value.items()}
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if value is None or isinstance(value, (bool, int)) else str(value)


def _field(value: Any) -> object:
    plain = _plain(value)
    if plain is None:
        return ""
    return f"{plain:.9g}" if isinstance(plain, float) else plain


def _column(cells: Sequence[Any]) -> npt.NDArray[Any]:
    plain = [_plain(cell) for cell in cells]
    if any(isinstance(cell, str) for cell in plain):
        return np.array(["" if cell is None else str(cell) for cell in plain])
    if any(cell is None or isinstance(cell, float) for cell in plain):
        return np.array([math.nan if cell is None else cell for cell in plain], np.float64)
    return np.array(plain)


def _is_single(value: object) -> bool:
    return not isinstance(value, (Mapping, list, tuple, np.ndarray)) and value not in (None, "")


def _shown(value: Any) -> str:
    plain = _plain(value)
    if plain is None:
        return "-"
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)
