"""`KeysTab`: all that has keys, as a list, and giving it others."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHBoxLayout,
    QHeaderView,
    QKeySequenceEdit,
    QLineEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.shown_keys import NO_KEY, written
from viewer.pages.widgets.worded import Worded
from viewer.window.keymap import KEY_ROWS, Keymap, KeyRow

_LEAST_ROWS = 7


class KeysTab(Worded, QWidget):
    """A list to choose from, a field to press the new key in, and a sentence that says whose it is.

    Attributes:
        table: what has keys, and which; `typed` leaves what has these letters in its name or its keys.
        field: takes a key as it is pressed.
        use, none, usual, all_usual: give the pressed key, no key, the one at first; to all the first ones.
        said: what the pressed key does now.
    """

    def __init__(self, keymap: Keymap, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keymap = keymap
        self.typed, self.table, self.field = QLineEdit(), QTableWidget(0, 2), QKeySequenceEdit()
        self._items = [(QTableWidgetItem(), QTableWidgetItem()) for _ in KEY_ROWS]
        self.use, self.none, self.usual, self.all_usual = (QPushButton() for _ in range(4))
        self.said = label("note")
        self.said.setWordWrap(True)
        self.field.setMaximumSequenceLength(1)
        self._lay_out()
        self.typed.textChanged.connect(self._filter)
        self.table.itemSelectionChanged.connect(self._chosen)
        self.field.keySequenceChanged.connect(self._say)
        self.use.clicked.connect(self._use)
        self.none.clicked.connect(self._take_away)
        self.usual.clicked.connect(self._reset)
        self.all_usual.clicked.connect(keymap.reset_all)
        keymap.changed.connect(self.refresh)
        self.retranslate()

    def _lay_out(self) -> None:
        table = self.table
        table.setRowCount(len(KEY_ROWS))
        for row, items in enumerate(self._items):
            for column, item in enumerate(items):
                table.setItem(row, column, item)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setTabKeyNavigation(False)
        table.setWordWrap(False)
        table.verticalHeader().hide()
        table.setMinimumHeight(_LEAST_ROWS * table.fontMetrics().height() * 2)
        header = table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        header.setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        header.setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        pressing, buttons = QHBoxLayout(), QHBoxLayout()
        pressing.addWidget(self.field, 1)
        pressing.addWidget(self.use)
        for button in (self.none, self.usual):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.all_usual)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(16, 14, 16, 14)
        whole.addWidget(self.typed)
        whole.addWidget(table, 1)
        whole.addLayout(pressing)
        whole.addWidget(self.said)
        whole.addLayout(buttons)

    @property
    def chosen(self) -> KeyRow | None:
        """What is marked in the list."""
        marked = self.table.selectionModel().selectedRows()
        return KEY_ROWS[marked[0].row()] if marked else None

    def choose(self, name: str) -> None:
        """Mark something in the list."""
        self.table.selectRow([row.name for row in KEY_ROWS].index(name))

    @property
    def pressed(self) -> str:
        """The key that was pressed, as Qt writes it; empty for none."""
        return self.field.keySequence().toString(QKeySequence.SequenceFormat.PortableText)

    def refresh(self) -> None:
        """Show the keys in force."""
        for number, row in enumerate(KEY_ROWS):
            keys = "   ".join(map(written, self._keymap.keys(row.name))) or NO_KEY
            for column, text in enumerate((row.said(), keys)):
                item = self._items[number][column]
                item.setText(text)
                item.setToolTip(plain(text))
                font = item.font()
                font.setBold(column == 1 and self._keymap.is_changed(row.name))
                item.setFont(font)
        self._filter()
        self._chosen()

    def _filter(self) -> None:
        letters = self.typed.text().casefold()
        for number, items in enumerate(self._items):
            texts = (item.text().casefold() for item in items)
            self.table.setRowHidden(number, not any(letters in text for text in texts))

    def _chosen(self) -> None:
        row = self.chosen
        self.field.setEnabled(row is not None)
        self.none.setEnabled(row is not None and bool(self._keymap.keys(row.name)))
        self.usual.setEnabled(row is not None and self._keymap.is_changed(row.name))
        self.all_usual.setEnabled(any(self._keymap.is_changed(each.name) for each in KEY_ROWS))
        self._say()

    def _say(self) -> None:
        """What the pressed key does now, and what becomes of that."""
        row, key = self.chosen, self.pressed
        text, free = self._verdict(row, key)
        self.said.setText(text)
        self.use.setEnabled(free)

    def _verdict(self, row: KeyRow | None, key: str) -> tuple[str, bool]:
        if row is None:
            return self.tr("Choose a line, then press the key that it is to have."), False
        if not key:
            return self.tr("Press the key that it is to have."), False
        shown, owner = written(key), self._keymap.owner(key)
        if self._keymap.is_reserved(key, row.name):
            return self.tr("{key} belongs to fields, lists and views.").format(key=shown), False
        if owner is None:
            return self.tr("{key} is free.").format(key=shown), True
        if owner.name == row.name:
            return self.tr("{key} is its key already.").format(key=shown), False
        left = [written(other) for other in self._keymap.keys(owner.name) if other != key]
        if left:
            text = self.tr("{key} is a key of “{what}”, which would keep {left} alone.")
        else:
            text = self.tr("{key} is the key of “{what}”, which would have none.")
        return text.format(key=shown, what=owner.said(), left=", ".join(left)), True

    def _use(self) -> None:
        row, key = self.chosen, self.pressed
        if row is not None and key:
            self._keymap.assign(row.name, (key,))
            self.field.clear()

    def _take_away(self) -> None:
        if self.chosen is not None:
            self._keymap.assign(self.chosen.name, ())

    def _reset(self) -> None:
        row = self.chosen
        if row is None:
            return
        others = [(key, self._keymap.owner(key)) for key in row.usual]
        self._keymap.reset(row.name)
        lost = [(key, other) for key, other in others if other is not None and other.name != row.name]
        if lost:
            text = self.tr("{key} is no key of “{what}” any more.")
            said = (text.format(key=written(key), what=other.said()) for key, other in lost)
            self.said.setText(" ".join(said))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.table.setHorizontalHeaderLabels([self.tr("What"), self.tr("Keys")])
        self.table.setAccessibleName(self.tr("Keys"))
        self.typed.setPlaceholderText(self.tr("Find by name or key"))
        self.typed.setAccessibleName(self.typed.placeholderText())
        self.field.setAccessibleName(self.tr("The new key"))
        self.use.setText(self.tr("Use this key"))
        self.none.setText(self.tr("No key"))
        self.usual.setText(self.tr("As at first"))
        self.all_usual.setText(self.tr("All as at first"))
        self.refresh()
