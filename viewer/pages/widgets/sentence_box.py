"""`SentenceBox`: a field that Enter sends off, but never during input-method composition."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QKeyCombination, Qt, Signal
from PySide6.QtGui import QInputMethodEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QLineEdit, QWidget

from viewer.guarded import Guarded

_FOR_WINDOW = tuple(
    QKeyCombination(Qt.KeyboardModifier.ControlModifier, key).toCombined()
    for key in (Qt.Key.Key_E, Qt.Key.Key_D, Qt.Key.Key_K, Qt.Key.Key_U)
)

LONGEST = 1 << 17
"""Characters of a line. Qt's own limit, a quarter of that, would cut the text of a long trace."""


class EnterBox(Guarded, QLineEdit):
    """A line of text.

    Signals:
        entered: Enter was pressed while no input method was composing.
    """

    entered = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setMaxLength(LONGEST)
        self._composing = False

    def event(self, event: QEvent) -> bool:
        """Leave the window its keys: Ctrl+E, D, K and U edit text on some systems, where other keys do too.

        Undo and redo are the text's while it has something to undo or redo, else the window's.
        """
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            undo = event.matches(QKeySequence.StandardKey.Undo) and not self.isUndoAvailable()
            redo = event.matches(QKeySequence.StandardKey.Redo) and not self.isRedoAvailable()
            if undo or redo or event.keyCombination().toCombined() in _FOR_WINDOW:
                event.ignore()
                return False
        return super().event(event)

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Know whether an input method is composing."""
        super().inputMethodEvent(event)
        self._composing = bool(event.preeditString())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter sends the line off; while composing it belongs to the input method."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if not self._composing:
                self.entered.emit()
            event.accept()
            return
        super().keyPressEvent(event)


class SentenceBox(EnterBox):
    """The field a sentence, or its target, is typed into: larger type."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sentence")
