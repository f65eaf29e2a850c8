"""What was freed leaves the process while the worker has nothing to do."""

from __future__ import annotations

import ctypes
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from viewer.engine.heap import Heap

_BLOCKS, _SIZE = 4000, 16_000


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_what_is_free_between_what_is_kept_is_given_back(qtbot: QtBot) -> None:
    """Of 64 MB in small blocks, each fourth stays: what is free cannot be cut off at the end."""
    library = ctypes.CDLL(None)
    if not hasattr(library, "malloc_trim"):
        pytest.skip("another C library")
    library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]
    blocks = [library.malloc(_SIZE) for _ in range(_BLOCKS)]
    for block in blocks:
        ctypes.memset(block, 1, _SIZE)
    for number, block in enumerate(blocks):
        if number % 4:
            library.free(block)
    full = resident()
    heap = Heap()
    heap.rest()
    qtbot.waitUntil(lambda: resident() < full - _BLOCKS * _SIZE // 3, timeout=20_000)
    for block in blocks[::4]:
        library.free(block)
