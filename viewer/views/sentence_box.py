"""The field a sentence is typed into. Enter translates, but never during input-method composition."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_EXPORT = QKeyCombination(Qt.KeyboardModifier.ControlModifier, Qt.Key.Key_E).toCombined()


class SentenceBox(QLineEdit):
    """A line of text.

    Signals:
        entered: Enter was pressed while no input method was composing.
    """

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sentence")
        self._composing = False

    def event(self, event: QEvent) -> bool:
        """Leave Ctrl+E to the window: elsewhere it is End, which has a key of its own."""
        if (
            event.type() == QEvent.Type.ShortcutOverride
            and isinstance(event, QKeyEvent)
            and event.keyCombination().toCombined() == _EXPORT
        ):
            event.ignore()
            return False
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether an input method is composing."""
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter translates; while composing it belongs to the input method."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._composing:
                self.entered.emit()
            event.accept()
            return
        super().keyPressEvent(event)
