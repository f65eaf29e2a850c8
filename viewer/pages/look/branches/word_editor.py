"""`WordEditor`: the line in the tree in which a word of one's own is typed."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance

_WIDTH = 210


class WordEditor(Guarded, QLineEdit):
    """Lies over a node while one types; Enter ends it, Esc or a click elsewhere takes it away.

    Signals:
        entered: index of the node, whether the text comes after it, the text.
    """

    entered = Signal(int, bool, str)

    def __init__(self, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._index, self._after = -1, False
        self.hide()

    def open_at(self, index: int, after: bool, word: str, text: str) -> None:
        """Begin; the caller has moved it to its place.

        Args:
            word: the node's, to be named.
            text: what was typed already.
        """
        self._index, self._after = index, after
        hint = self.tr("after “{word}” …") if after else self.tr("instead of “{word}” …")
        self.setPlaceholderText(hint.format(word=word))
        self.setAccessibleName(self.placeholderText())
        self.setToolTip(self.tr("Enter: the model continues from what you type. Esc: cancel."))
        self.resize(self._appearance.px(_WIDTH), self.sizeHint().height())
        self.setText(text)
        self.show()
        self.setFocus()

    def event(self, event: QEvent) -> bool:
        """Esc closes the line, before it stops anything else in the window."""
        overrides = event.type() == QEvent.Type.ShortcutOverride
        if overrides and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Esc end here: what lies below knows them too."""
        if event.key() == Qt.Key.Key_Escape:
            self._leave()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._enter()
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Whoever goes elsewhere has changed his mind; a menu or another window takes nothing away."""
        super().focusOutEvent(event)
        if event.reason() not in (Qt.FocusReason.PopupFocusReason, Qt.FocusReason.ActiveWindowFocusReason):
            self.hide()

    def _enter(self) -> None:
        text = self.text()
        if text.strip():
            self._leave()
            self.entered.emit(self._index, self._after, text)

    def _leave(self) -> None:
        parent = self.parentWidget()
        self.hide()
        if parent is not None:
            parent.setFocus()
