"""Pace: with how many threads a step of decoding is computed: all, or half of them while that is quicker.

The threads of a product wait for each other. Beside a busy process one of them soon has no processor to run
on, and all wait for it: with two threads on two cores a step of 9 ms took 13 to 80, with one it still took 9.
Nothing tells that beforehand, so steps are timed, and the other number is tried now and then. Fewer threads
give the same numbers: into how many sums a product of bags is cut was settled when the matrix was prepared,
and with a library's own product they round differently at most.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator
from weakref import WeakKeyDictionary

import torch

# Steps between two trials of the other number of threads, at first and at most; a trial that changes nothing
# doubles them.
_FIRST, _MOST = 4, 128

# How much quicker the other number must be, and how slow a step calls for a trial at once.
_QUICKER, _SLOW = 0.95, 1.5

# Share of the newest step in what is known of a number of threads.
_NEWEST = 0.5


class Pace:
    """Chooses for each step from what the steps before it took.

    Args:
        now: a clock, in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.perf_counter) -> None:
        self._now = now
        self._fewer = False
        self._known: dict[bool, float] = {}
        self._wait = self._left = _FIRST

    @contextlib.contextmanager
    def step(self) -> Iterator[None]:
        """While inside, torch has the threads that are quicker now."""
        threads = torch.get_num_threads()
        if threads == 1:
            yield
            return
        trial = self._left <= 0
        fewer = self._fewer != trial
        if fewer:
            torch.set_num_threads(max(1, threads // 2))
        began = self._now()
        try:
            yield
            self._learn(fewer, trial, self._now() - began)
        finally:
            if fewer:
                torch.set_num_threads(threads)

    def _learn(self, fewer: bool, trial: bool, seconds: float) -> None:
        before = self._known.get(fewer)
        if trial or before is None:  # what was known of it is old
            self._known[fewer] = seconds
        else:
            self._known[fewer] = before + _NEWEST * (seconds - before)
        self._left -= 1
        if trial:
            if seconds < _QUICKER * self._known.get(not fewer, float("inf")):
                self._fewer, self._wait = fewer, _FIRST
            else:
                self._wait = min(_MOST, 2 * self._wait)
            self._left = self._wait
        elif not self._fewer and before is not None and seconds > _SLOW * before:
            self._left = 0


_paces: WeakKeyDictionary[object, dict[int, Pace]] = WeakKeyDictionary()


SOURCE = 0
"""In place of a number of rows: reading a source is a step, too."""


def pace_of(network: object, rows: int = 1) -> Pace:
    """The one of all steps of a network with so many rows: what one sentence finds serves the next."""
    try:
        return _paces.setdefault(network, {}).setdefault(rows, Pace())
    except TypeError:  # an object of somebody else's that nothing can be kept beside
        return Pace()
