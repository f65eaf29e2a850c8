"""The sentences of a file as a table: text, translation, and what is worth knowing of each."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush

from model.questions.sentence_list import SentenceList, SentenceRow
from viewer.document.messages.notice import error_sentence
from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain

Index = QModelIndex | QPersistentModelIndex
SORT_ROLE = Qt.ItemDataRole.UserRole
LINE, TEXT, TRANSLATION, EACH, TOTAL, LOWEST, COVERAGE, ENTROPY, RATIO, STEPS = range(10)
COLUMNS = 10
_TEXTS = (TEXT, TRANSLATION)
UNKNOWN = "–"


class SentencesModel(Guarded, QAbstractTableModel):
    """Rows: sentences in the order of the file; see `SentenceRow` for the columns."""

    def __init__(self, appearance: Appearance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.rows: tuple[SentenceRow, ...] = ()

    def show_list(self, sentences: SentenceList | None) -> None:
        """Take what is translated so far; what is marked stays while it only grows."""
        rows = () if sentences is None else sentences.rows
        before = self.rows
        if rows[: len(before)] == before:
            if len(rows) > len(before):
                self.beginInsertRows(QModelIndex(), len(before), len(rows) - 1)
                self.rows = rows
                self.endInsertRows()
            return
        self.beginResetModel()
        self.rows = rows
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of sentences; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """See the class."""
        return 0 if parent.isValid() else COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, whole texts in tooltips, keys to sort by; a sentence that failed is quiet and says why."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self.text(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(row))
        if role == SORT_ROLE:
            return _value(row, column)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(column)
        if role == Qt.ItemDataRole.ForegroundRole and row.problem is not None:
            return QBrush(self._appearance.color("muted"))
        return None

    def text(self, row: SentenceRow, column: int) -> str:
        """What a cell says."""
        if column == TEXT:
            return row.text
        if column == TRANSLATION:
            return error_sentence(row.problem) if row.problem is not None else row.translation
        if column in (LINE, STEPS):
            return str(row.line if column == LINE else row.steps)
        return _number(float(_value(row, column)), percent=column in (LOWEST, COVERAGE))

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns, and what their numbers are."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tips()[section])
        return self._names()[section] if role == Qt.ItemDataRole.DisplayRole else None

    def retranslate(self) -> None:
        """Take the language in force."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, COLUMNS - 1)
        if self.rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self.rows) - 1, COLUMNS - 1))

    def _names(self) -> tuple[str, ...]:
        return (
            self.tr("Line"), self.tr("Sentence"), self.tr("Output"), self.tr("Per token"),
            self.tr("Log prob."), self.tr("Lowest"), self.tr("Coverage"), self.tr("Entropy"),
            self.tr("Length ratio"), self.tr("Tokens"),
        )  # fmt: skip

    def _tips(self) -> tuple[str, ...]:
        return (
            self.tr("Line of the file"),
            self.tr("As it stands in the file"),
            self.tr("The model's greedy output, or why a sentence could not be processed"),
            self.tr("Log probability divided by the number of tokens"),
            self.tr("Natural log probability of all tokens together"),
            self.tr("Probability of the least probable token"),
            self.tr(
                "How much of the source was read: mean over its tokens of min(1, Σ weight), cross-attention "
                "averaged over all heads of all layers (after Wu et al. 2016, arXiv 1609.08144)"
            ),
            self.tr(
                "How scattered attention is, in nats: entropy of the averaged cross-attention, mean "
                "over steps (after Rikters and Fishel 2017, arXiv 1710.03743)"
            ),
            self.tr("Output tokens per source token, special tokens not counted"),
            self.tr("Tokens of the output, the end token included"),
        )

    def _tip(self, row: SentenceRow) -> str:
        lines = [row.text, self.text(row, TRANSLATION)]
        if row.problem is None and not row.finished:
            lines.append(self.tr("The length limit stopped it before its end token."))
        return "\n".join(lines)


def _value(row: SentenceRow, column: int) -> Any:
    """A number or a text, which is also sorted by; NaN where it is not known."""
    return {
        LINE: row.line, TEXT: row.text, TRANSLATION: row.translation, EACH: row.mean_logprob,
        TOTAL: row.logprob, LOWEST: row.lowest, COVERAGE: row.coverage, ENTROPY: row.entropy,
        RATIO: row.length_ratio, STEPS: row.steps,
    }[column]  # fmt: skip


def _number(value: float, *, percent: bool) -> str:
    if math.isnan(value):
        return UNKNOWN
    return f"{100 * value:.1f} %" if percent else f"{value:.3f}".replace("-", "−")


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column in _TEXTS else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter
