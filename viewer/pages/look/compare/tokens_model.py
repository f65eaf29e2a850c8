"""`TokensModel`: two translations token by token, as a table."""

from __future__ import annotations

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt
from PySide6.QtGui import QBrush, QFont

from model.trace.trace import Trace
from viewer.document.text.token_text import TokenText, token_texts
from viewer.figures.difference.tokens import TokenRow, Totals, token_rows, totals
from viewer.guarded import Guarded
from viewer.pages.look.compare.compare_words import log_number, points, probability
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
COLUMNS = 6


class TokensModel(Guarded, QAbstractTableModel):
    """Rows: the tokens of A and of B, those in each other's place in one row; last the sums."""

    def __init__(self, appearance: Appearance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self.rows: tuple[TokenRow, ...] = ()
        self.totals: Totals | None = None
        self._texts: tuple[tuple[TokenText, ...], tuple[TokenText, ...]] = ((), ())

    def show_traces(self, first: Trace | None, second: Trace | None, raw: bool) -> None:
        """Take two decodings; None for none."""
        self.beginResetModel()
        if first is None or second is None:
            self.rows, self.totals, self._texts = (), None, ((), ())
        else:
            self.rows, self.totals = token_rows(first, second), totals(first, second)
            self._texts = (
                token_texts(first.tgt_out_tokens, raw=raw, style=first.token_style),
                token_texts(second.tgt_out_tokens, raw=raw, style=second.token_style),
            )
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Tokens and the line of sums; a table has no children."""
        return 0 if parent.isValid() or self.totals is None else len(self.rows) + 1

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Token and probability of A and of B, difference of logarithms and of probabilities."""
        return 0 if parent.isValid() else COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, and how a row of two different tokens is marked."""
        if not index.isValid():
            return None
        sums = index.row() == len(self.rows)
        if role == Qt.ItemDataRole.DisplayRole:
            column = index.column()
            return self._sum_text(column) if sums else self._text(self.rows[index.row()], column)
        if role == Qt.ItemDataRole.TextAlignmentRole and index.column() not in (0, 2):
            return _RIGHT
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._sum_tip() if sums else self._tip(self.rows[index.row()]))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._sum_tip() if sums else self._tip(self.rows[index.row()]).replace("\n", ", ")
        if sums:
            return QBrush(self._appearance.color("muted")) if role == Qt.ItemDataRole.ForegroundRole else None
        return self._mark(role) if not self.rows[index.row()].same else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft if section in (0, 2) else Qt.AlignmentFlag.AlignRight
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._header_tip(section))
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return ("A", self.tr("p in A"), "B", self.tr("p in B"), "Δ ln p", "Δ p")[section]

    def _header_tip(self, section: int) -> str:
        return (
            self.tr("Token that the pinned run predicts"),
            self.tr("Its probability there"),
            self.tr("Token that the run in view predicts"),
            self.tr("Its probability there"),
            self.tr("Natural log of the probability in B minus that in A; same token only"),
            self.tr("Probability in B minus that in A, in percentage points; same token only"),
        )[section]

    def _token(self, side: int, step: int | None) -> str:
        return "" if step is None else self._texts[side][step].marked

    def _text(self, row: TokenRow, column: int) -> str:
        return (
            self._token(0, row.first),
            probability(row.logprob_first),
            self._token(1, row.second),
            probability(row.logprob_second),
            log_number(row.change, signed=True),
            points(row.points),
        )[column]

    def _sum_text(self, column: int) -> str:
        assert self.totals is not None
        first, second = self.totals.logprob_first, self.totals.logprob_second
        texts = (
            self.tr("Σ ln p"),
            log_number(first),
            "",
            log_number(second),
            log_number(second - first, signed=True),
            "",
        )
        return texts[column]

    def _tip(self, row: TokenRow) -> str:
        lines = []
        for name, side, step, logprob in (
            ("A", 0, row.first, row.logprob_first),
            ("B", 1, row.second, row.logprob_second),
        ):
            if step is not None and logprob is None:
                text = self.tr("{side}, step {step}: no probability was recorded")
                lines.append(text.format(side=name, step=step + 1))
                continue
            if step is None or logprob is None:
                lines.append(self.tr("{side}: no token here").format(side=name))
                continue
            text = self.tr("{side}, step {step}: “{token}”, log probability {logprob}")
            token = self._texts[side][step].marked
            lines.append(text.format(side=name, step=step + 1, token=token, logprob=f"{logprob:.6f}"))
        if not row.same and row.first is not None and row.second is not None:
            lines.append(self.tr("two different tokens: their probabilities are not compared"))
        return "\n".join(lines)

    def _sum_tip(self) -> str:
        assert self.totals is not None
        text = self.tr("Natural log probability of the whole output: A {first}, B {second}")
        first, second = (
            "–" if math.isnan(total) else f"{total:.6f}"
            for total in (self.totals.logprob_first, self.totals.logprob_second)
        )
        return text.format(first=first, second=second)

    def _mark(self, role: int) -> Any:
        """How a row with different tokens looks."""
        if role == Qt.ItemDataRole.BackgroundRole:
            return QBrush(self._appearance.color("soft"))
        if role == Qt.ItemDataRole.FontRole:
            font = QFont()
            font.setBold(True)
            return font
        return None
