"""Report: what a command tells of causes, as JSON, CSV, NPZ or lines for people. No torch.

Layers, heads, steps and positions count from 0; a column that ends in `_number` repeats one from 1.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping, Sequence
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

_FROM_1 = "_number"  # ends the name of a column that counts from 1
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
        top: the column by whose size people are shown the rows, largest first; empty: in their own order.
        meaning: sentences in which people are told, last, what the numbers say.
    """

    facts: Mapping[str, Any]
    columns: tuple[str, ...] = ()
    rows: Sequence[Sequence[Cell]] = ()
    arrays: Mapping[str, npt.NDArray[Any]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    told: tuple[str, ...] = ()
    top: str = ""
    meaning: tuple[str, ...] = ()

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
        """For people, who count from 1: single facts, the top of the table, the notes, the meaning."""
        facts = [name for name, value in self.facts.items() if name not in _NOTED and _is_single(value)]
        said = [f"{shown}: {_shown(self.facts[name])}" for name, shown in _counted(facts)]
        rows = self.rows
        if self.top:
            place = self.columns.index(self.top)
            rows = sorted(rows, key=lambda row: _largest_first(row[place]))
        columns = [
            _told_column(shown, [row[self.columns.index(name)] for row in rows[:MOST_LINES]])
            for name, shown in _counted(self.told or self.columns)
            if not rows or any(row[self.columns.index(name)] is not None for row in rows)
        ]
        table = ["  ".join(cells).rstrip() for cells in zip(*columns, strict=True)]
        left = len(rows) - MOST_LINES
        more = [f"… {left} more rows: --json, --csv or --out"] if left > 0 else []
        meaning = ["", *self.meaning] if self.meaning else []
        return [*said, *(["", *table, *more, ""] if self.columns else []), *self.notes, *meaning]

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


def _counted(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names, and what people are shown for them: of two that count the same, the one that does from 1."""
    names = list(names)
    return [(name, name.removesuffix(_FROM_1)) for name in names if f"{name}{_FROM_1}" not in names]


def _told_column(name: str, cells: Sequence[Any]) -> list[str]:
    """A name and its cells, equally wide; numbers at the right, of as many decimals as the largest needs."""
    plain = [_plain(cell) for cell in cells]
    largest = max((abs(cell) for cell in plain if isinstance(cell, float)), default=0.0)
    decimals = min(6, max(0, 3 - math.floor(math.log10(largest)))) if largest else 1
    told = [name, *(_in_decimals(cell, decimals) for cell in plain)]
    words = any(isinstance(cell, str) for cell in plain)
    width = max(map(len, told))
    return [text.ljust(width) if words else text.rjust(width) for text in told]


def _in_decimals(cell: Any, decimals: int) -> str:
    return f"{round(cell, decimals) + 0.0:.{decimals}f}" if isinstance(cell, float) else _shown(cell)


def _largest_first(value: object) -> float:
    """To be sorted by: what is no number last."""
    plain = _plain(value)
    return -abs(plain) if isinstance(plain, (int, float)) else math.inf


def _shown(value: Any) -> str:
    plain = _plain(value)
    if plain is None:
        return "-"
    return f"{plain:.6g}" if isinstance(plain, float) else str(plain)
