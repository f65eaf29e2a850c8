"""A scroll area that takes no keys: it scrolls by wheel and bar; what it holds brings itself into view."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QScrollArea

from viewer.guarded import Guarded


class QuietScrollArea(Guarded, QScrollArea):
    """Leaves the window its keys: a plain one scrolls by arrows, also with Ctrl, and by the page keys."""

    def __init__(self) -> None:
        super().__init__()
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Nothing is meant for it."""
        event.ignore()
