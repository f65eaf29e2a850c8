"""Worded: a widget that is told when it has to say what it says in another language, or in other type."""

from __future__ import annotations

from PySide6.QtCore import QEvent

from viewer.guarded import Guarded, guarded

_LANGUAGE = QEvent.Type.LanguageChange
_TYPE = (QEvent.Type.FontChange, QEvent.Type.StyleChange)


class Worded(Guarded):
    """Stands before the Qt class among the bases of each widget that follows the language or its type.

    A widget with words gives them to its parts in `retranslate`, and calls it once when it is made.

    Attributes:
        is_whole: False while it is made part by part: what changes meanwhile is taken when it is whole.
    """

    is_whole = True

    def retranslate(self) -> None:
        """Take the language in force."""

    def remeasure(self) -> None:
        """Take the type in force: what was measured by it has another size."""

    @guarded
    def changeEvent(self, event: QEvent) -> None:
        """Follow the language and the type."""
        kind = event.type()  # asked once: a change of theme comes through here thousands of times
        if kind is _LANGUAGE and self.is_whole:
            self.retranslate()
        super().changeEvent(event)  # type: ignore[misc]  # Qt's, which stands behind
        if kind in _TYPE:
            self.remeasure()
