"""The table of sentences: sorted by any column, Enter or a click opens one."""

from __future__ import annotations

import math

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHeaderView, QWidget

from model.questions.sentence_list import SentenceList, SentenceRow
from viewer.guarded import Guarded
from viewer.pages.look.sentences.sentences_model import (
    COVERAGE,
    EACH,
    ENTROPY,
    LINE,
    LOWEST,
    RATIO,
    SORT_ROLE,
    STEPS,
    TEXT,
    TOTAL,
    TRANSLATION,
    SentencesModel,
)
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.row_table import RowTable

Index = QModelIndex | QPersistentModelIndex

_WIDEST = {
    LINE: "0000000",
    EACH: "−00.000",
    TOTAL: "−0000.000",
    LOWEST: "100.0 %",
    COVERAGE: "100.0 %",
    ENTROPY: "0.000",
    RATIO: "00.000",
    STEPS: "0000",
}
"""What a column has room for: to ask every row again for each that comes would hold up the window."""
_ROOMY, _NARROW = 1150, 800  # widths at 14-pixel type; a narrower table leaves columns out


class SortedSentences(Guarded, QSortFilterProxyModel):
    """What has no number comes last whichever way it is sorted."""

    def __init__(self, sentences: SentencesModel) -> None:
        super().__init__(sentences)
        self._sentences = sentences
        self.setSourceModel(sentences)
        self.setSortRole(SORT_ROLE)
        self.setSortCaseSensitivity(Qt.CaseSensitivity.CaseInsensitive)

    def lessThan(self, left: Index, right: Index) -> bool:
        """See the class."""
        keys = [self._sentences.data(index, SORT_ROLE) for index in (left, right)]
        if not isinstance(keys[0], float):
            return bool(super().lessThan(left, right))
        unknown = [math.isnan(key) for key in keys]
        if any(unknown):
            ascending = self.sortOrder() == Qt.SortOrder.AscendingOrder
            return not all(unknown) and unknown[1 if ascending else 0]
        return bool(keys[0] < keys[1])


class SentencesTable(RowTable):
    """Signals:
    opened: a `SentenceRow`, by click or Enter.
    """

    opened = Signal(object)

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, TRANSLATION, parent)
        self.sentences = SentencesModel(appearance, self)
        self._sorted = SortedSentences(self.sentences)
        self.setModel(self._sorted)
        self.setSortingEnabled(True)
        self.horizontalHeader().setSortIndicator(-1, Qt.SortOrder.AscendingOrder)
        self.clicked.connect(self._open_current)
        self.restyle()

    def show_list(self, sentences: SentenceList | None) -> None:
        """Take what is translated so far."""
        self.sentences.show_list(sentences)

    def mark_trace(self, trace: str) -> None:
        """Mark the sentence whose trace is in that file; none for an empty name."""
        for place, row in enumerate(self.sentences.rows if trace else ()):
            if row.trace == trace:
                self.show_row(self._sorted.mapFromSource(self.sentences.index(place, 0)).row())

    def row_at(self, row: int) -> SentenceRow | None:
        """The sentence in a row of the view."""
        index = self._sorted.mapToSource(self._sorted.index(row, 0))
        return self.sentences.rows[index.row()] if index.isValid() else None

    def sizeHintForColumn(self, column: int) -> int:
        """See `_WIDEST`; sentence and translation take what is left."""
        return self.fontMetrics().horizontalAdvance(_WIDEST.get(column, ""))

    def fit_columns(self) -> None:
        """Sentence and translation share what the numbers leave; a narrow table has fewer of these."""
        super().fit_columns()
        self.horizontalHeader().setSectionResizeMode(TEXT, QHeaderView.ResizeMode.Stretch)
        for column, least in ((LINE, _NARROW), (TOTAL, _ROOMY), (LOWEST, _NARROW), (STEPS, _ROOMY)):
            self.setColumnHidden(column, self.width() < self._appearance.px(least))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take the new width."""
        super().resizeEvent(event)
        self.fit_later(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter opens; the arrows only go through the rows."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._open_current()
        else:
            super().keyPressEvent(event)

    def _open_current(self) -> None:
        row = self.row_at(self.currentIndex().row())
        if row is not None and row.trace and len(self.selectionModel().selectedRows()) <= 1:
            self.opened.emit(row)
