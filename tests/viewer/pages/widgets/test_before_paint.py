"""Work that is put off until the frame that shows it."""

from __future__ import annotations

import time
from functools import partial

import pytest
from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from viewer.guarded import Guarded
from viewer.own_turn import OwnTurn
from viewer.pages.widgets.before_paint import BeforePaint

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


class Painted(Guarded, QWidget):
    """Notes its work and its frames."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.late = BeforePaint(self, lambda: self.seen.append("work"))

    def paintEvent(self, event: QPaintEvent) -> None:
        self.seen.append("frame")


def shown(qtbot: QtBot) -> tuple[QWidget, Painted]:
    window, painted = QWidget(), Painted()
    QVBoxLayout(window).addWidget(painted)
    qtbot.addWidget(window)
    window.resize(200, 200)
    window.show()
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    painted.seen.clear()
    return window, painted


def test_it_is_done_once_before_the_frame(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)
    for _ in range(3):
        painted.late.ask()
    assert painted.seen == []
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    assert painted.seen == ["work", "frame"]
    painted.late.ask()
    painted.late.now()
    painted.late.now()
    qtbot.waitUntil(lambda: painted.seen[-1] == "frame")
    assert painted.seen == ["work", "frame", "work", "frame"]
    window.hide()


def test_what_is_not_seen_does_nothing(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)
    painted.hide()
    painted.late.ask()
    window.showMinimized()
    painted.show()
    painted.late.shown()
    assert "work" not in painted.seen
    assert painted.late.waiting
    window.showNormal()
    qtbot.waitUntil(lambda: "work" in painted.seen)
    assert painted.seen.count("work") == 1


def test_what_fails_takes_nothing_along(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)
    failing = QWidget()
    window.layout().addWidget(failing)
    qtbot.waitUntil(failing.isVisible)
    late = BeforePaint(failing, lambda: [][0])
    gone = BeforePaint(QWidget(window), lambda: painted.seen.append("gone"))
    gone.widget.show()
    with capture_exceptions() as caught:
        late.ask()
        gone.ask()
        painted.late.ask()
        gone.widget.setParent(None)
        qtbot.waitUntil(lambda: "work" in painted.seen)
    assert [kind for kind, _, _ in caught] == [IndexError]
    assert "gone" not in painted.seen


LONG_S = 0.05


def heard(painted: Painted) -> None:
    """Somebody does something, which is heard in the next turn of the loop."""
    QTimer.singleShot(0, painted, lambda: painted.seen.append("heard"))


@pytest.mark.parametrize("asks", [True, False])
def test_between_what_was_done_and_its_frame_somebody_is_heard(qtbot: QtBot, asks: bool) -> None:
    window, painted = shown(qtbot)
    painted.late.ask()
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    painted.seen.clear()

    def change() -> None:
        painted.late.ask() if asks else painted.update()
        heard(painted)
        time.sleep(LONG_S)

    QTimer.singleShot(0, painted, change)
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    assert painted.seen == ["heard", *["work"] * asks, "frame"]
    window.hide()


def test_long_work_of_many_is_done_in_slices_and_painted_once(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)
    others = [QWidget(window) for _ in range(3)]
    turns: list[int] = []
    beat = QTimer(painted)
    beat.timeout.connect(lambda: painted.seen.append("heard"))

    def work(number: int) -> None:
        time.sleep(LONG_S / 2)
        turns.append(number)
        painted.seen.append("work")

    late = [BeforePaint(each, partial(work, number)) for number, each in enumerate(others)]
    for each, waits in zip(others, late, strict=True):
        each.show()
        waits.ask()
    beat.start(1)
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    beat.stop()
    assert turns == [0, 1, 2]
    told = [one for one, before in zip(painted.seen, ["", *painted.seen]) if one != before]
    assert told[told.index("work") : told.index("frame") + 1] == [*["work", "heard"] * 3, "frame"]
    window.hide()


def test_a_frame_gives_way_to_what_shares_its_turn(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)

    def long() -> None:
        heard(painted)
        time.sleep(LONG_S)
        painted.seen.append("long")

    painted.late.ask()
    QTimer.singleShot(0, painted, long)
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    assert painted.seen.index("heard") < painted.seen.index("frame")
    window.hide()


def test_what_is_asked_for_again_and_again_keeps_no_frame_from_coming(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)

    def again() -> None:
        time.sleep(LONG_S)
        painted.seen.append("again")
        if painted.seen.count("again") < 20:
            QTimer.singleShot(0, painted, late.ask)

    late = BeforePaint(painted, again)
    late.ask()
    qtbot.waitUntil(lambda: "frame" in painted.seen)
    assert painted.seen.count("again") < 10
    qtbot.waitUntil(lambda: painted.seen.count("again") == 20)
    window.hide()


def test_whoever_has_events_handled_without_a_loop_has_the_frame(qtbot: QtBot) -> None:
    window, painted = shown(qtbot)
    painted.late.ask()
    time.sleep(LONG_S)
    QApplication.processEvents()
    assert painted.seen == ["work", "frame"]
    window.hide()


def test_a_turn_of_its_own_is_given_up_to_what_took_long(qtbot: QtBot) -> None:
    told: list[str] = []
    parent = QObject()
    turn = OwnTurn(lambda: told.append("work"), parent)

    def long() -> None:
        turn.ask()
        turn.ask()
        time.sleep(0.02)
        told.append("long")
        QTimer.singleShot(0, parent, lambda: told.append("heard"))

    QTimer.singleShot(0, parent, long)
    qtbot.waitUntil(lambda: "work" in told)
    qtbot.wait(5)
    assert told == ["long", "heard", "work"]
    assert not turn.waiting


def test_a_turn_that_is_asked_for_may_be_taken_back(qtbot: QtBot) -> None:
    told: list[str] = []
    turn = OwnTurn(lambda: told.append("work"), parent := QObject())
    turn.ask()
    assert turn.waiting
    turn.stop()
    qtbot.wait(5)
    assert told == []
    assert parent is turn.parent()


@pytest.mark.parametrize(("seconds", "least"), [(0.006, 2), (0.02, 5)])
def test_a_turn_comes_however_much_others_have_to_do(qtbot: QtBot, seconds: float, least: int) -> None:
    told: list[str] = []
    turn = OwnTurn(lambda: told.append("work"), parent := QObject())
    others = QTimer(parent)

    def other() -> None:
        turn.ask()
        time.sleep(seconds)
        told.append("other")

    others.timeout.connect(other)
    others.start(0)
    qtbot.waitUntil(lambda: "work" in told)
    others.stop()
    turn.stop()
    assert least <= told.index("work") <= 8
