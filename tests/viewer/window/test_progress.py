"""How far something is shown over the window, and nothing else happens meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QApplication, QDialog, QProgressBar
from pytestqt.qtbot import QtBot

from viewer.window.progress import progress_over, show_progress


def test_nothing_else_is_done_while_a_modal_dialog_is_told_how_far_it_is(qtbot: QtBot) -> None:
    """Among what waits may be the end of the work, with which the dialog goes: that ended the program."""
    over = QDialog()
    qtbot.addWidget(over)
    over.show()
    dialog = progress_over(over, "Export", "Writing", "Cancel")
    dialog.setWindowModality(Qt.WindowModality.WindowModal)
    qtbot.waitUntil(dialog.isVisible)  # by itself
    done: list[int] = []
    QTimer.singleShot(0, lambda: done.append(1))

    show_progress(dialog, 2, 5)

    assert done == []
    bar = dialog.findChild(QProgressBar)
    assert bar is not None
    assert (bar.value(), bar.maximum(), dialog.value()) == (2, 5, 2)
    show_progress(dialog, 5, 5)
    assert dialog.isVisible()  # it closes by whoever made it
    QApplication.processEvents()
    assert done == [1]
