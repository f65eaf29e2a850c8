"""`GoldGrid`: a row a target word, a column a source word, a mark where they are linked."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator
from itertools import islice

from PySide6.QtCore import (
    QAbstractTableModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QSize,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from model.alignment.links import Gold, Link
from viewer.guarded import Guarded
from viewer.own_turn import OwnTurn
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.worded import Worded

SURE, POSSIBLE = "■", "□"
_Index = QModelIndex | QPersistentModelIndex
_CELL = 34
_AT_ONCE = 60  # columns of the least width are wider than any screen
_WORDS = 512  # measured at a stretch
_SLICE_S = 0.008


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

    def words(self, orientation: Qt.Orientation) -> tuple[str, ...]:
        """Those of the columns, or of the rows."""
        return self._source if orientation == Qt.Orientation.Horizontal else self._target

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
        words = self.words(orientation)
        word = words[section] if section < len(words) else None
        return plain(word) if word and role == Qt.ItemDataRole.ToolTipRole else word


class _Header(Worded, QHeaderView):
    """Says what it needs for the longest of its words.

    Qt asks up to 200 sections whenever the size of one has changed, each for eight things.
    """

    def __init__(self, orientation: Qt.Orientation, words: GoldGridModel, parent: QWidget) -> None:
        super().__init__(orientation, parent)
        self._words = words
        self._measured: tuple[tuple[str, ...], QSize] | None = None
        self._rooms: dict[str, QSize] = {}  # measured ahead
        self.setSectionsClickable(True)  # as the headers of a table view are
        self.setHighlightSections(True)

    def sizeHint(self) -> QSize:
        """Of the widest word, and of the highest: some scripts have another font."""
        self.ensurePolished()
        words = self._words.words(self.orientation())
        if self._measured is None or self._measured[0] is not words:
            size = QSize()
            deque(self.measuring(words), maxlen=0)
            rooms, self._rooms = self._rooms, {}
            for measure in (QSize.width, QSize.height):
                most = max(rooms, key=lambda word: measure(rooms[word]), default=None)
                if most is not None:
                    size = size.expandedTo(self.sectionSizeFromContents(words.index(most)))
            self._measured = words, size
        return self._measured[1]

    def measuring(self, words: tuple[str, ...]) -> Iterator[None]:
        """Measure words that will be shown, some at a time."""
        self.ensurePolished()
        metrics = self.fontMetrics()
        known, self._rooms = self._rooms, {}
        for word in dict.fromkeys(words):  # of thousands of words many are the same
            self._rooms[word] = known.get(word) or metrics.size(0, word)
            if len(self._rooms) % _WORDS == 0:
                yield

    def remeasure(self) -> None:
        """Words in other type need another room."""
        self._measured = None
        self._rooms = {}


class GoldGrid(Guarded, QTableView):
    """The grid; a click, Space or Enter takes a link a step on.

    Signals:
        toggled: the link (source word, target word).
    """

    toggled = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words = GoldGridModel(self)
        self._columns = _Header(Qt.Orientation.Horizontal, self.words, self)
        self._rows = _Header(Qt.Orientation.Vertical, self.words, self)
        self.setHorizontalHeader(self._columns)
        self.setVerticalHeader(self._rows)
        self.setModel(self.words)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self._fitting: Iterator[None] = iter(())
        self._turn = OwnTurn(self._fit_on, self)
        self.clicked.connect(self._clicked)
        self.words.modelReset.connect(self._fit)

    def measuring(self, source: tuple[str, ...], target: tuple[str, ...]) -> Iterator[None]:
        """Measure words that will be shown, some at a time: a long text has thousands."""
        yield from self._columns.measuring(source)
        yield from self._rows.measuring(target)

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

        Qt would ask every cell of the grid, which for 512 words by 512 takes seconds: all marks of one kind
        are of one size, and so are all empty cells. To ask the words alone takes a tenth of a second: columns
        that may be seen have their width at once, the others soon.
        """
        self._fitting = self._fitted()
        deque(islice(self._fitting, _AT_ONCE), maxlen=0)
        self._turn.ask()

    def _fit_on(self) -> None:
        """Give more columns their width; the rest has a later turn."""
        until = time.monotonic() + _SLICE_S
        for _ in self._fitting:
            if time.monotonic() > until:
                self._turn.ask()
                return

    def _fitted(self) -> Iterator[None]:
        """A column after the other."""
        header, words = self.horizontalHeader(), self.words
        header.setMinimumSectionSize(_CELL)
        sizes: dict[str, int] = {}  # of the marks
        least = [_CELL] * words.columnCount()
        for column, row, mark in words.marks():
            if mark not in sizes:
                of_mark = self.sizeHintForIndex(words.index(row, column)).width()
                sizes[mark] = of_mark + int(self.showGrid())
            least[column] = max(least[column], sizes[mark])
        for column, width in enumerate(least):
            header.resizeSection(column, max(header.sectionSizeHint(column), width))
            yield
