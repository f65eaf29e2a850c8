"""Threads: how many processor threads torch may use."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(eq=False)
class ThreadCount:
    """How many processor threads there are to be; written by the main thread, read by the worker's."""

    count: int


def change_torch(threads: int) -> None:
    """As `prepare_torch`, if torch is imported; else whoever imports it says so."""
    if "torch" in sys.modules:
        prepare_torch(threads)


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
