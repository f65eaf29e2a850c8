"""A question is answered by its buttons and by Return, and outlives the dialog that asks it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import shiboken6
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QMessageBox
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.question import agreed


def _yes(box: QMessageBox, _: QDialog) -> None:
    box.button(QMessageBox.StandardButton.Yes).click()


def _return(box: QMessageBox, _: QDialog) -> None:
    QTest.keyClick(box, Qt.Key.Key_Return)


def _destroyed(_: QMessageBox, parent: QDialog) -> None:
    """As a dialog that goes when it is closed. Found by the monkey (seed 1): the process went as well."""
    shiboken6.delete(parent)


@pytest.mark.qt_log_ignore("propagateSizeHints")
@pytest.mark.parametrize(
    ("act", "warns", "answer"),
    [(_yes, False, True), (_yes, True, True), (_return, False, True), (_return, True, False),
     (_destroyed, True, False)],
)  # fmt: skip
def test_a_question_is_answered(
    qtbot: QtBot, act: Callable[[QMessageBox, QDialog], None], warns: bool, answer: bool
) -> None:
    parent = QDialog()
    seen: list[str] = []

    def later() -> None:
        box = QApplication.activeModalWidget()
        assert isinstance(box, QMessageBox)
        seen.append(box.text())
        act(box, parent)

    QTimer.singleShot(0, later)
    assert agreed(parent, "Export", "Replace it?", warns=warns) is answer
    assert seen == ["Replace it?"]
    QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    assert not [box for box in QApplication.topLevelWidgets() if isinstance(box, QMessageBox)]
