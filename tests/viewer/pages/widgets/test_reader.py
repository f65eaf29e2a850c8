"""A view's readings go on in a thread: the most urgent first, what was dropped not at all, errors told."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from viewer import giving_way
from viewer.pages.widgets.reader import Reader


def test_the_most_urgent_is_read_first_and_what_was_dropped_no_further(qtbot: QtBot) -> None:
    parent, gate, order = QObject(), threading.Event(), list[str]()
    first, urgent, later = Reader(parent), Reader(parent), Reader(parent, urgency=1)

    def slow() -> Iterator[None]:
        gate.wait(5)
        yield

    def saying(name: str) -> Iterator[None]:
        order.append(name)
        yield
        order.append(name + " went on")

    first.read("slow", slow)
    later.read("mosaic", lambda: saying("mosaic"))
    urgent.read("old", lambda: saying("old"))
    urgent.read("map", lambda: saying("map"))
    urgent.read("map", lambda: saying("twice"))
    gate.set()
    qtbot.waitUntil(lambda: not (first.busy or urgent.busy or later.busy))
    assert order == ["map", "map went on", "mosaic", "mosaic went on"]


def test_an_error_is_told_before_the_end(qtbot: QtBot) -> None:
    parent, told = QObject(), list[object]()
    reader = Reader(parent)
    reader.failed.connect(told.append)
    reader.done.connect(lambda: told.append("done"))

    def failing() -> Iterator[None]:
        yield
        raise HeadscopeError("file_missing", path="gone")

    reader.read("gone", failing)
    qtbot.waitUntil(lambda: not reader.busy)
    assert [getattr(each, "code", each) for each in told] == ["file_missing", "done"]


def test_a_window_that_rested_long_is_not_disturbed_as_soon_as_it_works_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 100.0
    monkeypatch.setattr(giving_way.time, "monotonic", lambda: now)
    rest = giving_way._Rest()
    assert not rest.ahead()
    now = 200.0
    rest.put_off()
    assert rest.ahead()
    for _ in range(10):  # it works on and on: a little of what waits is read all the same
        now += 0.03
        rest.put_off()
    assert not rest.ahead()
    assert rest.ahead()


def test_nothing_is_read_while_a_frame_is_painted_unless_it_lasts_too_long(qtbot: QtBot) -> None:
    parent, read = QObject(), threading.Event()
    reader = Reader(parent)

    def reading() -> Iterator[None]:
        read.set()
        yield

    with giving_way.frame():
        reader.read("map", reading)
        assert not read.wait(giving_way._PATIENCE_S / 4)
        assert read.wait(5)  # a dialog within a frame holds up nobody
    qtbot.waitUntil(lambda: not reader.busy)
