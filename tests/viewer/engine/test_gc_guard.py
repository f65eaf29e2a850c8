"""The collector runs in the main thread only, and is given back as it was."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from viewer.engine.gc_guard import GcGuard


@pytest.fixture
def guard(qtbot: QtBot) -> Iterator[GcGuard]:
    gc.enable()  # as in any program; between tests it is off
    guard = GcGuard(interval_ms=5)
    yield guard
    guard.stop()
    assert gc.isenabled()
    gc.disable()


class Node:
    def __init__(self) -> None:
        self.me = self


def make_garbage(count: int = 5000) -> None:
    for _ in range(count):
        Node()


def test_a_busy_thread_collects_nothing_the_main_thread_does(guard: GcGuard, qtbot: QtBot) -> None:
    guard.start()
    assert not gc.isenabled()
    where: list[int] = []
    node = Node()
    weakref.finalize(node, lambda: where.append(threading.get_ident()))
    del node
    worker = threading.Thread(target=make_garbage)
    worker.start()
    worker.join()
    assert where == []
    qtbot.waitUntil(lambda: len(where) == 1)
    assert where == [threading.get_ident()]


def test_widgets_in_cycles_die_in_their_own_thread(guard: GcGuard, qtbot: QtBot) -> None:
    guard.start()
    where: list[int] = []
    for _ in range(50):
        thing = QObject()
        thing.cycle = thing  # type: ignore[attr-defined]
        weakref.finalize(thing, lambda: where.append(threading.get_ident()))
    del thing
    worker = threading.Thread(target=make_garbage)
    worker.start()
    worker.join()
    qtbot.waitUntil(lambda: len(where) == 50)
    assert set(where) == {threading.get_ident()}


def test_freezing_leaves_what_exists_out_until_the_guard_stops(guard: GcGuard) -> None:
    gc.unfreeze()  # what the tests before left out goes one by one, whoever looks
    guard.freeze()  # not on: nothing happens
    assert gc.get_freeze_count() == 0
    guard.start()
    guard.freeze()
    assert gc.get_freeze_count() > 0
    guard.stop()
    assert gc.get_freeze_count() == 0


def test_what_is_imported_is_not_looked_through_again_and_again(qtbot: QtBot) -> None:
    importing = True
    collected: list[int] = []

    def note(phase: str, info: dict[str, int]) -> None:
        if phase == "start":
            collected.append(info["generation"])

    guard = GcGuard(interval_ms=5, importing=lambda: importing)
    guard.start()
    gc.unfreeze()
    gc.callbacks.append(note)
    try:
        for _ in range(40):
            make_garbage(1000)
            guard.collect()
        assert set(collected) == {0}
        importing = False
        guard.collect()
        assert gc.get_freeze_count() > 0
        collected.clear()
        for _ in range(40):
            make_garbage(1000)
            guard.collect()
        assert set(collected) > {0}  # from then on as ever
    finally:
        gc.callbacks.remove(note)
        guard.stop()
    assert gc.get_freeze_count() == 0


def test_a_collector_that_was_off_stays_off(guard: GcGuard) -> None:
    gc.disable()
    guard.start()
    guard.start()
    guard.stop()
    guard.stop()
    assert not gc.isenabled()
    gc.enable()
