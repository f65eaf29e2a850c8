"""Work that is put off until the frame that shows it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QPaintEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget
from pytestqt.exceptions import capture_exceptions
from pytestqt.qtbot import QtBot

from viewer.guarded import Guarded
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
