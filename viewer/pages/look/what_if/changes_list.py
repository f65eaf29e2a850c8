"""`ChangesList`: every change in force, each in words with a button that takes it back."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from viewer.document.alterations.alteration_text import change_texts
from viewer.document.alterations.edits import Changes
from viewer.document.what_if.what_if_editor import WhatIfEditor
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, label


class ChangesList(QWidget):
    """The list."""

    def __init__(self, editor: WhatIfEditor, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._editor = editor
        self._appearance = appearance
        self._shown: tuple[str, ...] | None = None
        self.removers: list[IconButton] = []
        self.title = label("title")
        self.none = label("small")
        self.none.setWordWrap(True)
        self._rows = QVBoxLayout()
        self._rows.setSpacing(2)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(self.title)
        column.addWidget(self.none)
        column.addLayout(self._rows)

    def refresh(self) -> None:
        """Show the changes in force."""
        pair, changes = self._editor.pair, self._editor.changes
        trace = self._editor.session.trace() if pair is None else pair.baseline.trace
        texts = tuple(change_texts(changes, trace))
        self.none.setVisible(not texts)
        if texts != self._shown:
            self._shown = texts
            self._build(texts)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.title.setText(self.tr("Current changes"))
        self.none.setText(self.tr("No changes: this is the model as trained."))
        self._shown = None

    def _build(self, texts: tuple[str, ...]) -> None:
        while self._rows.count():
            item = self._rows.takeAt(0)
            widget = None if item is None else item.widget()
            if widget is not None:
                widget.hide()
                widget.deleteLater()
        self.removers = []
        for index, text in enumerate(texts):
            row, words, remove = QWidget(), label("", text), IconButton(self._appearance, "close")
            words.setWordWrap(True)
            remove.describe(self.tr("Remove: {change}").format(change=text))
            remove.setProperty("change", index)
            remove.clicked.connect(self._remove)
            line = QHBoxLayout(row)
            line.setContentsMargins(0, 0, 0, 0)
            line.addWidget(words, 1)
            line.addWidget(remove, 0, Qt.AlignmentFlag.AlignTop)
            self._rows.addWidget(row)
            self.removers.append(remove)

    def _remove(self) -> None:
        index, changes = self.sender().property("change"), self._editor.changes
        kept: Changes = tuple(change for place, change in enumerate(changes) if place != index)
        self._editor.ask(kept)
