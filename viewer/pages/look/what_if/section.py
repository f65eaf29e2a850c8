"""Section: a part of the What if tab, in which changes of one or several kinds are made."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.widgets.appearance import Appearance


class Section(QWidget):
    """A part of the tab; `viewer.document.alterations.registry` says which there are.

    Attributes:
        editor: what it shows, and asks for changes.

    Signals:
        grew: a widget of it that was asked for and is there now.
    """

    grew = Signal(QWidget)

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.editor = editor

    def refresh(self) -> None:
        """Show the changes in force."""
        raise NotImplementedError

    def retranslate(self) -> None:
        """Take the language in force."""
        raise NotImplementedError
