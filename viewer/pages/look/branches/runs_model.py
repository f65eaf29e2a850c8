"""`RunsModel`: every run of the document as a table: how it was made, its text, how probable it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QFont

from viewer.document.document import Document, Run
from viewer.document.text.input_text import input_text, produced_logprobs
from viewer.document.text.lists import phrases
from viewer.figures.tree.spec import end_of
from viewer.guarded import Guarded
from viewer.pages.look.branches.run_words import end_text, mode_text, number
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.row_table import WHOLE_ROLE, in_a_row

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole
SENTENCE, TEXT, MADE, TOKENS, TOTAL, EACH = range(6)
COLUMNS = 6
_NUMBERS = (TOKENS, TOTAL, EACH)


@dataclass(frozen=True)
class RunRow:
    """A run in the table: texts, and what the numbers are sorted by."""

    run_id: str
    shown: tuple[str, ...]
    keys: tuple[Any, ...]
    in_view: bool


class RunsModel(Guarded, QAbstractTableModel):
    """Rows: runs in order of birth. Columns: sentence, text, how made, tokens, total, per token."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[RunRow, ...] = ()

    def show_document(self, document: Document, in_view: str) -> None:
        """Take the runs; what is marked stays marked unless runs came or went."""
        rows = tuple(self._row(document, run, run.id == in_view) for run in document.runs)
        before = self.rows
        if [row.run_id for row in rows] != [row.run_id for row in before]:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()
            return
        self.rows = rows
        for place, (old, new) in enumerate(zip(before, rows)):
            if old != new:
                self.dataChanged.emit(self.index(place, 0), self.index(place, EACH))

    def row_of(self, run_id: str) -> int:
        """Where a run is, -1 if it is not."""
        return next((place for place, row in enumerate(self.rows) if row.run_id == run_id), -1)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of runs; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """See the class."""
        return 0 if parent.isValid() else COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, whole ones in tooltips and to be copied, keys to sort by; the run in view is bold."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return in_a_row(row.shown[column])
        if role == WHOLE_ROLE:
            return row.shown[column]
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain("\n".join((row.shown[SENTENCE], row.shown[TEXT], row.shown[MADE])))
        if role == SORT_ROLE:
            return row.keys[column]
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if role == Qt.ItemDataRole.FontRole and row.in_view and column == TEXT:
            font = QFont()
            font.setBold(True)
            return font
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tips()[section])
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def _names(self) -> tuple[str, ...]:
        return (
            self.tr("Sentence"),
            self.tr("Output"),
            self.tr("How"),
            self.tr("Tokens"),
            self.tr("Log prob."),
            self.tr("Per token"),
        )

    def _tips(self) -> tuple[str, ...]:
        tips = [""] * COLUMNS
        tips[TOTAL] = self.tr("Natural log probability of all tokens together")
        tips[EACH] = self.tr("Log probability divided by the number of tokens")
        return tuple(tips)

    def _row(self, document: Document, run: Run, in_view: bool) -> RunRow:
        trace, produced = run.trace, produced_logprobs(run.trace)
        steps, total = len(produced), float(np.sum(produced, dtype=np.float64))
        each = total / steps if steps else 0.0
        end = end_of(run, document.runs)
        marks = [mode_text(run)] if end == "finished" else [mode_text(run), end_text(end)]
        if document.pinned == run.id:
            marks.append(self.tr("pinned"))
        shown = (
            input_text(trace),
            trace.tgt_text,
            phrases(marks),
            str(steps),
            number(total),
            number(each),
        )
        keys = (*shown[:TOKENS], steps, total, each)
        return RunRow(run.id, shown, keys, in_view)


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column in _NUMBERS else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter
