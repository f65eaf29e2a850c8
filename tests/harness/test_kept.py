"""A window whose work is done at the first key is there for the last."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from tests.harness.kept import kept

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")  # windows, without a screen


class _Over(QObject):
    came = Signal()


class _Brief(QDialog):
    """Ends, by a queued signal as a job's, once a key is pressed."""

    def __init__(self, parent: QWidget, told: list[str]) -> None:
        super().__init__(parent)
        self._told, self._over = told, _Over(self)
        self._over.came.connect(self._end, Qt.ConnectionType.QueuedConnection)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self._told.append("press")
        if event.key() == Qt.Key.Key_V:
            self._over.came.emit()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self._told.append("release")

    def _end(self) -> None:
        self.deleteLater()


def test_a_window_outlives_what_is_told_to_it(qtbot: QtBot) -> None:
    main = QWidget()
    qtbot.addWidget(main)
    main.show()
    told: list[str] = []
    brief = _Brief(main, told)
    brief.show()
    qtbot.waitExposed(brief)
    brief.destroyed.connect(lambda *_: told.append("gone"))
    handle = brief.windowHandle()
    with kept(handle):
        QTest.keyClick(handle, Qt.Key.Key_V, Qt.KeyboardModifier.ControlModifier)
        # The end of it has been tried by now: without `kept` it had come before the last release.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        assert isValid(brief)
        assert told == ["press", "press", "release", "release"]
    assert told[4:] == ["gone"]


def test_the_window_of_a_menu_that_qt_made_itself_stays_known(qtbot: QtBot) -> None:
    line = QLineEdit()
    qtbot.addWidget(line)
    line.show()
    qtbot.waitExposed(line)
    place = QPoint(4, 4)
    event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, place, line.mapToGlobal(place))
    QApplication.sendEvent(line, event)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is not None)
    (handle,) = (each for each in QGuiApplication.topLevelWindows() if "menu" in each.objectName())

    with kept(handle):
        QTest.keyClick(handle, Qt.Key.Key_Escape)
    assert QApplication.activePopupWidget() is None
