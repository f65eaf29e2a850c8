"""What the benchmarks share: measuring by turns, medians, the machine's line, the table."""

from __future__ import annotations

import argparse
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

NOT_MEASURED = "not measured"


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        what: what is measured and how large.
        ours: Headscope's figure, None when it could not be measured.
        unit: of `ours` and `peer`.
        peer_name: the program compared with; empty if there is none.
        peer: its figure, None when it was not measured.
        ratio: ours to the peer's, the median over rounds in which both had their turn.
        limit: the budget, None if there is none: the most that `ratio` may be, or `ours` if `absolute`.
        at_least: the budget is the least, not the most.
        absolute: the budget is about `ours`, not about the ratio.
        note: conditions, spread, or why something was not measured.
    """

    what: str
    ours: float | None
    unit: str
    limit: float | None = None
    peer_name: str = ""
    peer: float | None = None
    ratio: float | None = None
    at_least: bool = False
    absolute: bool = False
    note: str = ""

    @property
    def judged(self) -> float | None:
        """The number that the budget is about."""
        return self.ours if self.absolute else self.ratio

    @property
    def within(self) -> bool | None:
        """Whether the budget is kept; None when that is unknown or there is none."""
        if self.limit is None or self.judged is None:
            return None
        return self.judged >= self.limit if self.at_least else self.judged <= self.limit

    def to_json(self) -> dict[str, Any]:
        """Every field, and `within`."""
        return {**asdict(self), "within": self.within}

    @classmethod
    def from_json(cls, values: Mapping[str, Any]) -> Row:
        """The inverse of `to_json`."""
        return cls(**{name: value for name, value in values.items() if name != "within"})


def by_turns(
    sides: Mapping[str, Callable[[], float]], rounds: int, *, warm_up: int = 1, settle: float = 0.0
) -> dict[str, list[float]]:
    """Call every side once a round, so that whatever else the machine does falls on all alike.

    Args:
        settle: seconds before each call, for threads of the side before that spin before they sleep (those
            of Intel's OpenMP do for 0.2 s).

    Returns:
        Each side's figures, one a round; those of the `warm_up` first rounds are dropped.
    """
    figures: dict[str, list[float]] = {name: [] for name in sides}
    names = list(sides)
    for number in range(warm_up + rounds):
        # Every other round backwards: neither side always follows the other.
        for name in names if number % 2 == 0 else reversed(names):
            time.sleep(settle)
            figure = sides[name]()
            if number >= warm_up:
                figures[name].append(figure)
    return figures


def compared(row: Row, ours: Sequence[float], peer: Sequence[float]) -> Row:
    """`row` with medians, the median of the rounds' ratios, and their spread in the note."""
    ratios = [a / b for a, b in zip(ours, peer)]
    spread = f"ratio {min(ratios):.2f} to {max(ratios):.2f} over {len(ratios)} rounds"
    return replace(
        row,
        ours=statistics.median(ours),
        peer=statistics.median(peer),
        ratio=statistics.median(ratios),
        note="; ".join(filter(None, (row.note, spread))),
    )


def machine() -> dict[str, Any]:
    """The processor, its free cores and what torch makes of it; the load is the last minute's.

    One processor is not always as fast: `squares_ms` tells which figures of two days are of one kind.
    """
    import torch

    from model.network.precision import has_fast_bfloat16
    from model.network.processor import processor_name

    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else float("nan")
    return {
        "processor": processor_name(),
        "cores": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "load": round(load, 2),
        "squares_ms": round(_squares_ms(), 1),
        "torch": torch.__version__,
        "torch_threads": torch.get_num_threads(),
        "fast_bfloat16": has_fast_bfloat16(torch.device("cpu")),
        "python": platform.python_version(),
        "system": platform.platform(terse=True),
    }


def _squares_ms() -> float:
    """Milliseconds of plain Python, the median of several tries: a sum of 100,000 squares."""
    figures = []
    for _ in range(15):
        began = time.perf_counter()
        sum(number * number for number in range(100_000))
        figures.append(1000 * (time.perf_counter() - began))
    return statistics.median(figures)


def machine_line(facts: Mapping[str, Any]) -> str:
    """The machine in one line."""
    bfloat16 = "with" if facts["fast_bfloat16"] else "without"
    return (
        f"{facts['processor']}, {facts['cores']} cores (load {facts['load']}; 100,000 squares in "
        f"{facts['squares_ms']} ms), {bfloat16} bfloat16 products; "
        f"torch {facts['torch']}, Python {facts['python']}, {facts['system']}"
    )


def arguments(description: str | None) -> argparse.ArgumentParser:
    """A parser with what every benchmark takes."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--json", action="store_true", help="rows and machine as JSON on stdout")
    return parser


def report(rows: Sequence[Row], *, as_json: bool, facts: Mapping[str, Any] | None = None) -> None:
    """Print rows with the machine they were measured on."""
    facts = machine() if facts is None else facts
    if as_json:
        print(json.dumps({"machine": facts, "rows": [row.to_json() for row in rows]}, indent=1))
        return
    print(machine_line(facts))
    print(table(rows))


def table(rows: Sequence[Row]) -> str:
    """Rows as aligned text, each note on a line of its own."""
    header = ("what", "ours", "peer", "ratio", "budget", "kept")
    lines = [(header, "")] + [(_cells(row), row.note) for row in rows]
    widths = [max(len(cells[i]) for cells, _ in lines) for i in range(len(header))]
    text: list[str] = []
    for cells, note in lines:
        text.append("  ".join(cell.ljust(width) for cell, width in zip(cells, widths)).rstrip())
        if note:
            text.append(f"    {note}")
    return "\n".join(text)


def _cells(row: Row) -> tuple[str, ...]:
    def figure(value: float | None) -> str:
        return NOT_MEASURED if value is None else f"{value:,.4g} {row.unit}".rstrip()

    peer = f"{row.peer_name}: {figure(row.peer)}" if row.peer_name else "–"
    ratio = "–" if row.ratio is None else f"{row.ratio:.2f}"
    unit = f" {row.unit}" if row.absolute else "×"
    budget = "–" if row.limit is None else f"{'≥' if row.at_least else '≤'} {row.limit:g}{unit}"
    kept = {True: "yes", False: "NO", None: "–"}[row.within]
    return row.what, figure(row.ours), peer, ratio, budget, kept


def say(text: str) -> None:
    """Progress, on stderr."""
    print(text, file=sys.stderr, flush=True)
