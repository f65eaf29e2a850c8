"""Work that takes long, as a generator: it yields how far it is, may be left there, returns its result."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator
from typing import Any, TypeVar

Sign = TypeVar("Sign")
Told = TypeVar("Told")
Result = TypeVar("Result")

PACE = 0.03  # seconds between two moments at which long work may be left


def due(last: float) -> bool:
    """Whether it is time to say how far long work has come, which was said at `last` (`time.monotonic`)."""
    return time.monotonic() - last >= PACE


def result_of(work: Generator[Any, None, Result]) -> Result:
    """Do the work in one go."""
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result


def retold(
    work: Generator[Sign, None, Result], tell: Callable[[Sign], Told]
) -> Generator[Told, None, Result]:
    """The same work, saying `tell` of what it yields; closing it closes `work`."""
    with contextlib.closing(work):
        while True:
            try:
                sign = next(work)
            except StopIteration as end:
                result: Result = end.value
                return result
            yield tell(sign)
