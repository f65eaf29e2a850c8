"""`PreviewModel`: the first pairs of a corpus as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.data.pairs.survey import PreviewPair
from viewer.guarded import Guarded
from viewer.pages.train.preview.preview_text import problem_word, separator
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain

NUMBER, SOURCE, TARGET, LENGTHS, PROBLEM = range(5)
Index = QModelIndex | QPersistentModelIndex


class PreviewModel(Guarded, QAbstractTableModel):
    """Rows: pairs. Columns: line number, sentence, translation, characters of both, why it is left out."""

    def __init__(self, appearance: Appearance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.pairs: tuple[PreviewPair, ...] = ()

    def show_pairs(self, pairs: tuple[PreviewPair, ...]) -> None:
        """Take other pairs; a list that only grew keeps the view where it is."""
        if pairs[: len(self.pairs)] == self.pairs:
            if len(pairs) > len(self.pairs):
                self.beginInsertRows(QModelIndex(), len(self.pairs), len(pairs) - 1)
                self.pairs = pairs
                self.endInsertRows()
            return
        self.beginResetModel()
        self.pairs = pairs
        self.endResetModel()

    @property
    def faulty(self) -> bool:
        """Whether any of the pairs is left out."""
        return any(pair.problems for pair in self.pairs)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of pairs; a table has no children."""
        return 0 if parent.isValid() else len(self.pairs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Five."""
        return 0 if parent.isValid() else 5

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts; what is left out is dimmed."""
        if not index.isValid():
            return None
        pair, column = self.pairs[index.row()], index.column()
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return self.text(index.row(), column)
        if role == Qt.ItemDataRole.ToolTipRole and column in (SOURCE, TARGET):
            return plain(self.text(index.row(), column))
        if role == Qt.ItemDataRole.ForegroundRole:
            if column == PROBLEM:
                return self._appearance.color("problem")
            if pair.problems or column in (NUMBER, LENGTHS):
                return self._appearance.color("muted")
        if role == Qt.ItemDataRole.TextAlignmentRole and column in (NUMBER, LENGTHS):
            return Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            right = section in (NUMBER, LENGTHS)
            side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
            return side | Qt.AlignmentFlag.AlignVCenter
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (
            self.tr("Line"), self.tr("Sentence"), self.tr("Translation"), self.tr("Characters"),
            self.tr("Left out"),
        )  # fmt: skip
        return names[section]

    def text(self, row: int, column: int) -> str:
        """What a row tells in a column."""
        pair = self.pairs[row]
        if column == NUMBER:
            return f"{pair.number:,}"
        if column == LENGTHS:
            return f"{pair.source_length} → {pair.target_length}"
        if column == PROBLEM:
            return separator().join(map(problem_word, pair.problems))
        return pair.source if column == SOURCE else pair.target
