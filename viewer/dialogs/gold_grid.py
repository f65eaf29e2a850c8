"""`GoldGrid`: a row a target word, a column a source word, a mark where they are linked."""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from model.alignment.links import Gold, Link
from viewer.guarded import Guarded
from viewer.pages.widgets.plain_tip import plain

SURE, POSSIBLE = "■", "□"
_Index = QModelIndex | QPersistentModelIndex
_CELL = 34


class GoldGridModel(Guarded, QAbstractTableModel):
    """Words and links, to be read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source: tuple[str, ...] = ()
        self._target: tuple[str, ...] = ()
        self._gold = Gold()

    def show(self, source: tuple[str, ...], target: tuple[str, ...], gold: Gold) -> None:
        """Take other words or links; cells stay where they are if only links are others."""
        if (source, target) != (self._source, self._target):
            self.beginResetModel()
            self._source, self._target, self._gold = source, target, gold
            self.endResetModel()
        elif gold != self._gold and source and target:
            self._gold = gold
            last = self.index(len(target) - 1, len(source) - 1)
            self.dataChanged.emit(self.index(0, 0), last)

    def link_at(self, index: _Index) -> Link:
        """The words of a cell."""
        return index.column(), index.row()

    def marks(self) -> Iterator[tuple[int, int, str]]:
        """Column, row and mark of every link that is shown."""
        for links, mark in ((self._gold.sure, SURE), (self._gold.possible, POSSIBLE)):
            for column, row in links:
                if column < len(self._source) and row < len(self._target):
                    yield column, row, mark

    def rowCount(self, parent: _Index | None = None) -> int:
        """Target words."""
        return 0 if parent is not None and parent.isValid() else len(self._target)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Source words."""
        return 0 if parent is not None and parent.isValid() else len(self._source)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The mark of a cell, and what it means."""
        kind = self._gold.kind_of(self.link_at(index))
        if role == Qt.ItemDataRole.DisplayRole:
            return {"sure": SURE, "possible": POSSIBLE, None: ""}[kind]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignCenter
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            texts = {
                "sure": self.tr("“{source}” – “{target}”: sure link"),
                "possible": self.tr("“{source}” – “{target}”: possible link"),
                None: self.tr("“{source}” – “{target}”: no link"),
            }
            words = {"source": self._source[index.column()], "target": self._target[index.row()]}
            said = texts[kind].format(**words)
            return plain(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The words."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        words = self._source if orientation == Qt.Orientation.Horizontal else self._target
        word = words[section] if section < len(words) else None
        return plain(word) if word and role == Qt.ItemDataRole.ToolTipRole else word


class GoldGrid(Guarded, QTableView):
    """The grid; a click, Space or Enter takes a link a step on.

    Signals:
        toggled: the link (source word, target word).
    """

    toggled = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = GoldGridModel(self)
        self.setModel(self.words)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.clicked.connect(self._clicked)
        self.words.modelReset.connect(self._fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter do what a click does."""
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        if event.key() in keys and self.currentIndex().isValid():
            self._clicked(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def _clicked(self, index: QModelIndex) -> None:
        self.toggled.emit(self.words.link_at(index))

    def _fit(self) -> None:
        """Columns as wide as their words, and no narrower than a mark is high.

        Qt would ask every cell of the grid, which for 512 words by 512 takes seconds: all marks of a kind are
        of one size, and so are all empty cells.
        """
        header, words = self.horizontalHeader(), self.words
        header.setMinimumSectionSize(_CELL)
        sizes: dict[str, int] = {}  # of the marks
        widths = [max(header.sectionSizeHint(column), _CELL) for column in range(words.columnCount())]
        for column, row, mark in words.marks():
            if mark not in sizes:
                of_mark = self.sizeHintForIndex(words.index(row, column)).width()
                sizes[mark] = of_mark + int(self.showGrid())
            widths[column] = max(widths[column], sizes[mark])
        for column, width in enumerate(widths):
            header.resizeSection(column, width)
