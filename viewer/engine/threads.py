"""Threads: how many processor threads torch may use."""

from __future__ import annotations

import contextlib
import ctypes
import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

_LIBRARIES = {"linux": "libtorch_cpu.so", "darwin": "libtorch_cpu.dylib"}


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

    To be called by the worker's thread before anything else uses torch: how many kernels are remembered is
    read when the first is made, by a translation long before a training run makes hundreds.
    """
    load_library()
    import torch

    from model.network.precision import bound_kernel_cache

    bound_kernel_cache()

    torch.set_num_threads(threads)


def load_library() -> None:
    """Load torch's largest library where nothing waits for it, ahead of the import.

    An import keeps all other Python waiting, the window too, while the system loads a library: 0.2-0.3 s for
    this one. A foreign call does not. Where the library lies elsewhere the import finds it by itself.
    """
    found = None if "torch" in sys.modules else importlib.util.find_spec("torch")
    if found is None or found.origin is None or sys.platform not in ("linux", "darwin"):
        return
    library = Path(found.origin).parent / "lib" / _LIBRARIES[sys.platform]
    if library.exists():
        load = ctypes.CDLL(None).dlopen
        load.argtypes, load.restype = (ctypes.c_char_p, ctypes.c_int), ctypes.c_void_p
        load(os.fsencode(library), os.RTLD_NOW)


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
