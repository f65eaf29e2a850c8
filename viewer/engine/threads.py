"""Threads: how many processor threads torch may use."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator


def spare_cores() -> int:
    """Cores that this process may use, less one for the window; at least 1."""
    try:
        cores = len(os.sched_getaffinity(0))
    except AttributeError:  # not on macOS or Windows
        cores = os.cpu_count() or 1
    return max(1, cores - 1)


def prepare_torch(threads: int) -> None:
    """Import torch and say how many processor threads the calling thread, and later ones, ask of it.

    To be called by the worker's thread before anything else uses torch.
    """
    import torch

    torch.set_num_threads(threads)


@contextlib.contextmanager
def torch_threads(count: int) -> Iterator[None]:
    """While inside, torch uses so many threads for what the calling thread asks of it; imports torch."""
    import torch

    before = torch.get_num_threads()
    if count != before:
        torch.set_num_threads(count)
    try:
        yield
    finally:
        # Whatever was set meanwhile, too.
        if torch.get_num_threads() != before:
            torch.set_num_threads(before)
