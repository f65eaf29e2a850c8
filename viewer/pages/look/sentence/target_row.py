"""`TargetRow`: the line below the sentence for a translation of one's own, which the model then reads."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton
from viewer.pages.widgets.sentence_box import SentenceBox
from viewer.pages.widgets.worded import Worded


class TargetRow(Worded, QWidget):
    """A field and a button that closes the row.

    Signals:
        entered: Enter was pressed in the field.
        closed: the target is no longer wanted.
    """

    entered = Signal()
    closed = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._continuing = False
        self.box = SentenceBox()
        self.close_button = IconButton(appearance, "close")
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.box, 1)
        row.addWidget(self.close_button)
        self.box.entered.connect(self.entered)
        self.close_button.clicked.connect(self.closed)
        self.retranslate()

    def set_continuing(self, on: bool) -> None:
        """Whether the model goes on with a text, and translates none."""
        self._continuing = on
        self.retranslate()

    def retranslate(self) -> None:
        """Take the language in force."""
        text = self.tr("Type the translation you have in mind and press Enter")
        if self._continuing:
            text = self.tr("Type the continuation you have in mind and press Enter")
        self.box.setPlaceholderText(text)
        self.box.setAccessibleName(self.tr("Target"))
        self.close_button.describe(self.tr("Close the target: let the model choose the words (Esc)"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc closes the row, but first of all it stops what is being decoded."""
        if event.key() == Qt.Key.Key_Escape and self._session.job.state != "decoding":
            self.closed.emit()
        else:
            super().keyPressEvent(event)
