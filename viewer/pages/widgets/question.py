"""`agreed`: a question that is answered with yes or no."""

from __future__ import annotations

from PySide6.QtWidgets import QMessageBox, QWidget
from shiboken6 import isValid

from viewer.pages.widgets.plain_tip import plain


def agreed(parent: QWidget, title: str, text: str, *, warns: bool = False) -> bool:
    """Ask, and wait for the answer; no if what asked goes meanwhile.

    The box is one of its own: those that Qt's `QMessageBox.question` and its like make lie on the stack, so
    that a dialog that is closed and destroyed meanwhile would free what was never allocated.

    Args:
        text: shown as it stands.
        warns: something is lost with yes; Return then says no.
    """
    yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
    icon = QMessageBox.Icon.Warning if warns else QMessageBox.Icon.Question
    box = QMessageBox(icon, title, plain(text), yes | no, parent)
    if warns:
        box.setDefaultButton(no)
    answer = box.exec()
    if isValid(box):
        box.deleteLater()  # it would stay as long as its parent
    return answer == yes
