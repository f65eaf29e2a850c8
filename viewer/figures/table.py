"""Tables: lines of a CSV (RFC 4180, UTF-8), and numbers that give every float32 back exactly."""

from __future__ import annotations

import csv
import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np

Rows = Iterator[Sequence[object]]
MEAN = "mean"


def number(value: np.float32) -> str:
    """Nine significant digits: enough to give every float32 back exactly."""
    return f"{float(value):.9g}"


def csv_chunks(lines: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """Lines as UTF-8, some ten thousand bytes at a time."""
    buffer = io.StringIO(newline="")
    writer = csv.writer(buffer)
    for line in lines:
        writer.writerow(line)
        if buffer.tell() > 1 << 16:
            yield buffer.getvalue().encode()
            buffer.seek(0)
            buffer.truncate()
    yield buffer.getvalue().encode()


def quoted(field: object) -> str:
    """One field of a CSV as it stands in a line of several."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerow((field, ""))
    return buffer.getvalue().removesuffix(",\r\n")


def exact(value: float | np.floating[Any]) -> str:
    """Twelve significant digits; empty for what is no number."""
    plain = float(value)
    return f"{plain:.12g}" if math.isfinite(plain) else ""


def noted(rows: Rows, badges: Sequence[str]) -> Rows:
    """Lines with what badges say in a last column `notes`, which is absent where they say nothing."""
    notes = "; ".join(badges)
    for index, line in enumerate(rows):
        yield (*line, "notes" if index == 0 else notes) if notes else line
