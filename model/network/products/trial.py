"""Trial: which of two ways is quicker on this machine, timed once and remembered like every choice."""

from __future__ import annotations

import time
from collections.abc import Callable

from model.network.products.remembered import recall, remember

# Each way is called once to get ready, then this often; the best counts.
_TRIES = 5

# How much of the time the processor must have been ours.
_OURS = 0.9


def is_quicker(
    question: str,
    other: Callable[[], object],
    plain: Callable[[], object],
    share: float,
    tries: int = _TRIES,
) -> bool:
    """Whether `other` takes less than `share` of the time of `plain`.

    What was found beside a busy neighbour serves this process alone; else all later ones compute alike.

    Args:
        question: under which it is remembered: whatever the answer depends on, besides the machine.
        tries: of each way; the more, the closer the two may be.
    """
    found = recall(question)
    if isinstance(found, bool):
        return found
    for way in (plain, other):
        way()
    began, own = time.perf_counter(), time.thread_time()
    least = [float("inf"), float("inf")]
    for _ in range(tries):
        for place, way in enumerate((plain, other)):
            least[place] = min(least[place], seconds_of(way))
    result = least[1] < share * least[0]
    if time.thread_time() - own >= _OURS * (time.perf_counter() - began):
        remember({question: result})
    return result


def seconds_of(work: Callable[[], object]) -> float:
    """How long one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
