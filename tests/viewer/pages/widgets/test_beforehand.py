"""Making ahead: in idle moments alone, a part at a time, nothing left running, nothing made twice."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from types import SimpleNamespace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from viewer.pages.widgets import beforehand
from viewer.pages.widgets.beforehand import Beforehand, modules
from viewer.pages.widgets.lazy import Lazy, Parts


@pytest.fixture
def window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> QWidget:
    monkeypatch.setattr(beforehand, "_LOOK_MS", 5)
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget


def test_parts_are_made_one_by_one_behind_the_imports_and_only_in_idle_moments(
    qtbot: QtBot, window: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    main = threading.current_thread()

    def imported(name: str) -> None:
        told.append(f"{name} {threading.current_thread() is main}")
        if name == "broken":
            raise ImportError(name)

    def parts() -> Iterator[None]:
        for number in range(3):
            told.append(f"part {number}")
            idle.clear()
            yield

    idle = threading.Event()
    monkeypatch.setattr(beforehand, "importlib", SimpleNamespace(import_module=imported))
    ahead = Beforehand(window, parts(), idle.is_set, lambda: ("broken", "whole"))
    ahead.start()
    qtbot.wait(60)
    assert told == []
    for number in range(3):
        idle.set()
        qtbot.waitUntil(lambda: not idle.is_set())  # the part that was made ended the moment
        qtbot.wait(40)
        assert told == ["broken False", "whole False", *(f"part {done}" for done in range(number + 1))]
    assert not ahead.over
    idle.set()
    qtbot.waitUntil(lambda: ahead.over)


def test_who_acts_or_closes_the_window_is_not_kept_waiting(
    qtbot: QtBot, window: QWidget, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[int] = []
    gate, began = threading.Event(), threading.Event()

    def names() -> Iterator[str]:
        began.set()
        assert gate.wait(10)
        yield "never"

    monkeypatch.setattr(beforehand, "importlib", SimpleNamespace(import_module=lambda name: made.append(0)))
    ahead = Beforehand(window, [0], lambda: True, names)
    ahead.start()
    QTest.keyClick(window.windowHandle(), Qt.Key.Key_A)
    qtbot.wait(60)
    assert not began.is_set()
    ahead._acted = 0.0
    qtbot.waitUntil(began.is_set)
    threading.Timer(0.05, gate.set).start()
    ahead.stop()
    assert ahead._thread is not None
    assert not ahead._thread.is_alive()
    qtbot.wait(30)
    assert made == []


def test_all_that_the_window_may_need_is_known_by_name() -> None:
    found = set(modules())
    assert {"viewer.pages.train.train_page", "viewer.window.preferences.settings_dialog"} <= found
    assert not {name for name in found if name.startswith("viewer.engine")}


def test_what_was_begun_is_finished_when_it_is_wanted(qtbot: QtBot) -> None:
    steps: list[str] = []

    def make() -> Parts[QWidget]:
        steps.append("first")
        yield
        steps.append("second")
        yield
        widget = QWidget()
        qtbot.addWidget(widget)
        return widget

    lazy = Lazy(make)
    next(lazy.ahead())
    assert steps == ["first"]
    assert lazy.made is None
    widget = lazy.get()
    assert lazy.made is widget is lazy.get()
    assert steps == ["first", "second"]
    assert list(lazy.ahead()) == []
