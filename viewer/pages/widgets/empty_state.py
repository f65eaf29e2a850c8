"""`EmptyState`: what stands where there is nothing to see yet: one sentence, one button."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.worded import Worded


class EmptyState(Worded, QWidget):
    """One sentence that says what to do, and one button that does it.

    Signals:
        asked: the button was pressed.
    """

    asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.sentence = label("large")
        self.sentence.setWordWrap(True)
        self.sentence.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.button = QPushButton()
        self.button.setProperty("role", "primary")
        self.button.clicked.connect(self.asked)
        column = QVBoxLayout(self)
        column.setContentsMargins(32, 8, 32, 8)  # the stretches keep it in the middle
        column.addStretch(1)
        column.addWidget(self.sentence)
        column.addSpacing(12)
        column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addStretch(1)

    def say(self, sentence: str, button: str = "") -> None:
        """Set the sentence and the button's label; no label, no button."""
        self.sentence.setText(sentence)
        self.button.setText(button)
        self.button.setVisible(bool(button))
