"""Watched: whoever waits for a file to be written is told how much of it is, and may end it by raising."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

Report = Callable[[int], None]

_report: ContextVar[tuple[Report, list[int]] | None] = ContextVar("headscope_writing", default=None)


@contextmanager
def watched(report: Report) -> Iterator[None]:
    """Call `report` with the bytes written so far, of all files written inside, in this thread alone.

    Whatever it raises ends the writing; the file is then as it was before.
    """
    token = _report.set((report, [0]))
    try:
        yield
    finally:
        _report.reset(token)


def wrote(count: int) -> None:
    """So many bytes more; 0 to be told only whether to go on."""
    watching = _report.get()
    if watching is not None:
        report, total = watching
        total[0] += count
        report(total[0])
