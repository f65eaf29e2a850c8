"""The bookmarks as a list: to be renamed, annotated, moved, forgotten, gone to."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.document.document import LONGEST_NAME
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import label


class BookmarkNameDialog(Guarded, QDialog):
    """Suggests where the view is; Enter takes what stands there."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.setWindowTitle(self.tr("Bookmark this view"))
        self.name = QLineEdit(session.bookmarks.default_name())
        self.name.setMaxLength(LONGEST_NAME)
        self.name.setMinimumWidth(340)
        self.name.selectAll()
        caption = label("", self.tr("Name:"))
        caption.setBuddy(self.name)
        self.note = NoteEdit()
        said = label("", self.tr("Note, for a lecture or a handout:"))
        said.setBuddy(self.note)
        buttons = QDialogButtonBox(
            QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel
        )
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        for widget in (caption, self.name, said, self.note, buttons):
            column.addWidget(widget)

    def accept(self) -> None:
        """Make the bookmark."""
        self._session.bookmarks.add(self.name.text(), self.note.toPlainText())
        super().accept()


class NoteEdit(Guarded, QPlainTextEdit):
    """A few lines of plain text; Tab leaves it.

    Signals:
        left: the keys are somebody else's again.
    """

    left = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self.setFixedHeight(4 * self.fontMetrics().lineSpacing() + 20)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """What was typed can be taken."""
        super().focusOutEvent(event)
        self.left.emit()


class BookmarksDialog(Guarded, QDialog):
    """A lecture as a list: every change is made at once, and can be undone like any other."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._marks = session.bookmarks
        self.setWindowTitle(self.tr("Bookmarks"))
        self.list = QListWidget()
        self.list.setAccessibleName(self.windowTitle())
        self.list.setMinimumSize(460, 260)
        self.list.setDragDropMode(QListWidget.DragDropMode.InternalMove)
        self.note = NoteEdit()
        self.note.setAccessibleName(self.tr("Note"))
        self._noted = -1  # whose note it is
        self.show_button = QPushButton(self.tr("Show"))
        self.rename_button = QPushButton(self.tr("Rename"))
        self.up_button = QPushButton(self.tr("Move up"))
        self.down_button = QPushButton(self.tr("Move down"))
        self.delete_button = QPushButton(self.tr("Delete"))
        self._lay_out()
        self.show_button.clicked.connect(self._show)
        self.rename_button.clicked.connect(self._rename)
        self.up_button.clicked.connect(self._up)
        self.down_button.clicked.connect(self._down)
        self.delete_button.clicked.connect(self._delete)
        self.list.itemChanged.connect(self._renamed)
        self.list.currentRowChanged.connect(self._row_changed)
        self.list.model().rowsMoved.connect(self._dragged)
        self.note.left.connect(self._keep_note)
        self._marks.changed.connect(self.refresh)
        self.refresh()
        self.list.setCurrentRow(max(0, self._marks.at))

    def _lay_out(self) -> None:
        buttons = QVBoxLayout()
        for button in (
            self.show_button,
            self.rename_button,
            self.up_button,
            self.down_button,
            self.delete_button,
        ):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        buttons.addStretch(1)
        row = QHBoxLayout()
        row.addWidget(self.list, 1)
        row.addLayout(buttons)
        close = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        close.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(20, 16, 20, 14)
        hint = label(
            "",
            self.tr(
                "F8 goes to the next bookmark, Shift+F8 to the previous one; while presenting, Page "
                "Down at the last step also goes on. Drag to reorder."
            ),
        )
        hint.setWordWrap(True)
        column.addWidget(hint)
        column.addLayout(row)
        said = label("", self.tr("Note, for a lecture or a handout:"))
        said.setBuddy(self.note)
        column.addWidget(said)
        column.addWidget(self.note)
        column.addWidget(close)

    def refresh(self) -> None:
        """Show the bookmarks as they are."""
        row = self.list.currentRow()
        with QSignalBlocker(self.list):
            # Items stay where they can: one of them may be being renamed just now.
            while self.list.count() > len(self._marks.all):
                self.list.takeItem(self.list.count() - 1)
            for place, mark in enumerate(self._marks.all):
                if place == self.list.count():
                    item = QListWidgetItem()
                    item.setFlags(item.flags() | Qt.ItemFlag.ItemIsEditable)
                    self.list.addItem(item)
                self.list.item(place).setText(mark.name)
            self.list.setCurrentRow(min(max(0, row), self.list.count() - 1))
        self._row_changed(self.list.currentRow())

    def _row_changed(self, row: int) -> None:
        self._show_note(row)
        last = self.list.count() - 1
        for button in (self.show_button, self.rename_button, self.delete_button):
            button.setEnabled(row >= 0)
        self.up_button.setEnabled(row > 0)
        self.down_button.setEnabled(0 <= row < last)

    def _show_note(self, row: int) -> None:
        there = 0 <= row < len(self._marks.all)
        if row != self._noted:
            self._keep_note()
        self._noted = row if there else -1
        self.note.setEnabled(there)
        note = self._marks.all[row].note if there else ""
        if note != self.note.toPlainText():
            self.note.setPlainText(note)

    def _keep_note(self) -> None:
        place, self._noted = self._noted, -1
        if 0 <= place < len(self._marks.all):
            self._marks.annotate(place, self.note.toPlainText())
        self._noted = place

    def done(self, result: int) -> None:
        """Keep the note that is being typed."""
        self._keep_note()
        super().done(result)

    def _dragged(self, parent: QModelIndex, first: int, last: int, to: QModelIndex, before: int) -> None:
        self._noted = -1
        self._marks.move(first, before if before < first else before - 1)

    def _show(self) -> None:
        self._marks.show(self.list.currentRow())

    def _rename(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.list.editItem(item)

    def _renamed(self, item: QListWidgetItem) -> None:
        self._marks.rename(self.list.row(item), item.text())
        self.refresh()  # an empty name is none

    def _up(self) -> None:
        self._move(-1)

    def _down(self) -> None:
        self._move(1)

    def _move(self, by: int) -> None:
        row = self.list.currentRow()
        self._keep_note()
        self._noted = -1
        with QSignalBlocker(self.list):
            self.list.setCurrentRow(row + by)
        self._marks.move(row, row + by)

    def _delete(self) -> None:
        self._noted = -1
        self._marks.remove(self.list.currentRow())
