"""`TextRows`: a small table of texts, numbers at the right, and its view, as high as its rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, QRect, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.row_table import RowTable

Index = QModelIndex | QPersistentModelIndex

_LINES = 6  # of words at most; the whole text is the tooltip
_PADDING = 10
_BROKEN = int(Qt.TextFlag.TextWordWrap) | int(Qt.AlignmentFlag.AlignLeft)


class TextRows(Guarded, QAbstractTableModel):
    """Rows of texts under names.

    Args:
        words: the column that is words; the others are numbers.
    """

    def __init__(self, words: int, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._words = words
        self.names: tuple[str, ...] = ()
        self.rows: tuple[tuple[str, ...], ...] = ()

    def show_rows(self, names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> bool:
        """Take other rows; whether they are others."""
        if (tuple(names), tuple(rows)) == (self.names, self.rows):
            return False
        self.beginResetModel()
        self.names, self.rows = tuple(names), tuple(rows)
        self.endResetModel()
        return True

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of rows; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Number of names."""
        return 0 if parent.isValid() else len(self.names)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts; whole ones as tooltips."""
        if not index.isValid():
            return None
        text = self.rows[index.row()][index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return text
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(text)
        return self._side(index.column()) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """The names."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self.names[section]
        return self._side(section) if role == Qt.ItemDataRole.TextAlignmentRole else None

    def _side(self, column: int) -> int:
        side = Qt.AlignmentFlag.AlignLeft if column == self._words else Qt.AlignmentFlag.AlignRight
        return int(side | Qt.AlignmentFlag.AlignVCenter)


class TextTable(RowTable):
    """Shows `TextRows` without a scroll bar of its own.

    Attributes:
        shown: the rows.
    """

    def __init__(self, appearance: Appearance, words: int, parent: QWidget | None = None) -> None:
        super().__init__(appearance, words, parent)
        self._look, self._words = appearance, words
        self.setWordWrap(True)
        self.shown = TextRows(words, self)
        self.setModel(self.shown)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)

    def show_rows(self, names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Take other rows, and their height."""
        if self.shown.show_rows(names, rows):
            self.restyle()

    def restyle(self) -> None:
        """Take the type scale in force."""
        super().restyle()
        self._fit_rows()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Words have another width to break in."""
        super().resizeEvent(event)
        if event.oldSize().width() != event.size().width():
            self._fit_rows()

    def _fit_rows(self) -> None:
        """Rows as high as their words, up to some lines, and the table as high as its rows."""
        least, line = self.verticalHeader().defaultSectionSize(), self.fontMetrics().lineSpacing()
        room = max(1, self.columnWidth(self._words) - self._look.px(_PADDING))
        high = 0
        for row, texts in enumerate(self.shown.rows):
            wanted = QRect(0, 0, room, 100 * line)
            needed = self.fontMetrics().boundingRect(wanted, _BROKEN, texts[self._words]).height()
            self.setRowHeight(row, max(least, min(needed, _LINES * line) + self._look.px(_PADDING)))
            high += self.rowHeight(row)
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + high + 4)
