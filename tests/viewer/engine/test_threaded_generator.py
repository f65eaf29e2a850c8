"""Work in a thread beside the worker lets the window's have the processor."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterator

import pytest

from model.work import result_of
from viewer.engine.threaded_generator import ThreadedGenerator


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux does that for a single thread")
def test_only_the_thread_beside_is_nice() -> None:
    def work() -> Iterator[int]:
        yield os.getpriority(os.PRIO_PROCESS, threading.get_native_id())

    before = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    found = result_of(ThreadedGenerator(work(), lambda: None, 1).next())
    assert found == max(before, 5)
    assert os.getpriority(os.PRIO_PROCESS, threading.get_native_id()) == before
