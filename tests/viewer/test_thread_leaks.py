"""The check of conftest.py itself: it finds what is left behind, and where it was started."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.viewer.starts import Starts, left_behind


@pytest.fixture
def starts(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Starts:
    starts = Starts()
    starts.watch(monkeypatch, QThread)
    starts.watch(monkeypatch, QTimer)
    return starts


def test_a_running_thread_is_named(starts: Starts) -> None:
    thread = QThread()
    thread.start()
    assert [name.split(":")[0].rsplit("/", 1)[-1] for name in starts.running()] == ["test_thread_leaks.py"]
    assert "QThread started at" in starts.running()[0]
    thread.quit()
    assert thread.wait(5000)
    assert starts.running() == []


def test_a_running_timer_is_named_until_it_stops_or_dies(starts: Starts) -> None:
    timer, other = QTimer(), QTimer()
    timer.start(1000)
    other.setInterval(1000)
    other.start()
    assert len(starts.running()) == 2
    timer.stop()
    assert len(starts.running()) == 1
    del other
    assert starts.running() == []


def test_what_a_desk_takes_over_is_named_by_it(starts: Starts) -> None:
    timer, of_desk = QTimer(), Starts()
    timer.start(1000)
    of_desk.take_over(starts)
    assert of_desk.running() == starts.running() != []
    timer.stop()
    assert of_desk.running() == []


def test_a_window_is_named(qtbot: QtBot) -> None:
    window = QWidget()
    window.setObjectName("forgotten")
    window.show()
    assert left_behind(set()) == ["QWidget 'forgotten' is still a window"]
    assert left_behind({id(window)}) == []
    window.close()
    window.deleteLater()
