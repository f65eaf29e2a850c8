"""Room in PySide's table of classes."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Signal

from viewer.engine import class_table
from viewer.engine.class_table import room_for_classes

_HAS_TABLE = sys.version_info < (3, 12)

_DEFINED_BESIDE = """
import os, sys, threading
from PySide6.QtCore import QObject, QTimer
from PySide6.QtWidgets import QApplication, QLabel, QWidget
from viewer.engine.class_table import room_for_classes

if sys.argv[1:] == ["room"]:
    room_for_classes(32768)
sys.setswitchinterval(1e-5)
application, window = QApplication([]), QWidget()
labels = [type(f"Label{number}", (QLabel,), {})("label", window) for number in range(60)]
window.show()
classes = []

def define():
    for number in range(22_000):
        classes.append(type(f"Class{number}", (QObject,), {}))

def style():  # looks each widget's class up for each rule, in C++
    style.number += 1
    window.setStyleSheet(rules + f"Label1 {{ color: #{style.number:06d} }}")
    if not thread.is_alive():
        application.exit()

style.number = 0
rules = " ".join(f"Other{number} {{ color: red }}" for number in range(300))
thread, timer = threading.Thread(target=define), QTimer()
timer.timeout.connect(style)
timer.start(0)
thread.start()
application.exec()
os._exit(0)
"""


def _status(*words: str) -> int:
    """Of a process one of whose threads defines classes while its window is given one style after another."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen"}
    command, root = [sys.executable, "-c", _DEFINED_BESIDE, *words], Path(__file__).parents[3]
    done = subprocess.run(command, cwd=root, env=environment, capture_output=True, timeout=100, check=False)
    return done.returncode


@pytest.mark.slow
def test_a_thread_may_define_classes_beside_the_window() -> None:
    """Without the room a segmentation fault ends from a fifth to a third of them."""
    assert [_status("room") for _ in range(12)] == [0] * 12


def test_with_the_room_classes_are_what_they_were() -> None:
    class Told(QObject):
        told = Signal(int)

    class Before(Told):
        pass

    assert room_for_classes() is _HAS_TABLE

    class After(Told):
        pass

    heard: list[int] = []
    kinds: tuple[type[Told], ...] = (Before, After)
    for number, kind in enumerate(kinds):
        one = kind()
        one.told.connect(heard.append)
        one.told.emit(number)
        assert one.metaObject().className() == kind.__name__
    assert heard == [0, 1]


@pytest.mark.skipif(not _HAS_TABLE, reason="this Python has no such table")
def test_a_pyside_without_such_a_table_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def none() -> object:
        raise OSError("no such file")

    for library in (lambda: object(), none):
        monkeypatch.setattr(class_table, "_library", library)
        assert not room_for_classes(17)
        room_for_classes.cache_clear()
