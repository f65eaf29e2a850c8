"""What was freed leaves the process while the worker has nothing to do."""

from __future__ import annotations

import ctypes
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from viewer.engine.heap import AGAIN_MS, Heap

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


class _Library:
    """The C library as far as it was asked."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.trims = 0
        self.resident = 300 << 20
        monkeypatch.setattr("viewer.engine.heap._function", lambda name: self._trim)
        monkeypatch.setattr("viewer.engine.heap._resident", lambda: self.resident)

    def _trim(self, pad: int) -> int:
        self.trims += 1
        return 1


def test_while_nothing_is_done_what_others_have_freed_is_given_back_too(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A picture is written in a thread of its own, long after the last translation."""
    library, heap = _Library(monkeypatch), Heap()
    heap.rest()
    look = heap._quiet.timeout.emit
    look()
    assert library.trims == 1
    look()
    assert library.trims == 1  # nothing has changed
    library.resident += 20 << 20
    look()
    assert library.trims == 2
    assert heap._quiet.interval() == AGAIN_MS
    heap.stop()
    assert not heap._quiet.isActive()


_THREADS = """
import ctypes, sys, threading
from pathlib import Path
from viewer.engine.heap import Heap, one_arena

if sys.argv[1:] == ["one"]:
    one_arena()
library = ctypes.CDLL(None)
library.malloc.restype, library.free.argtypes = ctypes.c_void_p, [ctypes.c_void_p]

def take(count, size):
    blocks = [library.malloc(size) for _ in range(count)]
    for block in blocks:
        ctypes.memset(block, 1, size)
    for block in blocks:
        library.free(block)

def worked():
    # Once so large a block was freed, glibc keeps twice as much free at the end of each place.
    take(1, 30_000_000)
    take(400, 100_000)

for _ in range(4):
    thread = threading.Thread(target=worked)
    thread.start()
    thread.join()
Heap().give_back()
print(int(Path("/proc/self/statm").read_text().split()[1]) * 4096)
"""


def _left(*words: str) -> int:
    """Bytes in memory of a process whose threads have taken and freed 40 MB each."""
    root = Path(__file__).parents[3]
    command = [sys.executable, "-c", _THREADS, *words]
    return int(subprocess.run(command, cwd=root, check=True, capture_output=True, text=True).stdout)


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_nothing_stays_with_threads_that_have_ended() -> None:
    """They have it from one place: of one of their own the free end would stay, 20 MB here."""
    if not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        pytest.skip("another C library")
    assert _left("one") < _left() - (10 << 20)


_PLACES = """
import ctypes, threading
from viewer.commands.window import prepare

prepare()
from PySide6.QtWidgets import QApplication

application = QApplication([])
thread = threading.Thread(target=lambda: bytearray(100_000))
thread.start()
thread.join()
library = ctypes.CDLL(None)
library.fdopen.restype = ctypes.c_void_p
out = ctypes.c_void_p(library.fdopen(1, b"w"))
library.malloc_info(0, out)
library.fflush(out)
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="glibc's")
def test_the_window_has_one_place_for_memory() -> None:
    """Whatever begins a thread first: on X11 that is Qt, with the application."""
    if not hasattr(ctypes.CDLL(None), "gnu_get_libc_version"):
        pytest.skip("another C library")
    root = Path(__file__).parents[3]
    told = subprocess.run(
        [sys.executable, "-c", _PLACES], cwd=root, check=True, capture_output=True, text=True
    ).stdout
    assert told.count("<heap nr=") == 1, told
