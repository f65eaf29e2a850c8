"""The tokens of one run, step by step, as a table: what a forced target is looked at for."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps
from viewer.document.text.token_text import token_texts
from viewer.guarded import Guarded
from viewer.pages.look.branches.run_words import number
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.wording import percent

Index = QModelIndex | QPersistentModelIndex
STEP, TOKEN, SHARE, LOGPROB, RANK, TOTAL = range(6)


class TokensModel(Guarded, QAbstractTableModel):
    """Columns: step, token, probability, log probability, rank, running total of the log probability."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._trace: Trace | None = None
        self._raw = False
        self._totals: list[float] = []

    def show_trace(self, trace: Trace | None, raw: bool) -> None:
        """Take a trace; one that only grew keeps its rows."""
        if trace is self._trace and raw == self._raw:
            return
        self.beginResetModel()
        self._trace, self._raw = trace, raw
        self._totals = [] if trace is None else _totals(trace)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of steps; a table has no children."""
        return 0 if parent.isValid() else len(self._totals)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """See the class."""
        return 0 if parent.isValid() else 6

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, exact numbers in tooltips, numbers to the right."""
        if not index.isValid() or self._trace is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(self._trace, index.row(), index.column())
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(self._trace, index.row()))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(index.column())
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return _side(section)
        if role == Qt.ItemDataRole.ToolTipRole and section == RANK:
            return self.tr("Rank of the token in the whole vocabulary; 1 is the most probable")
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (
            self.tr("Step"),
            self.tr("Token"),
            self.tr("Probability"),
            self.tr("Log prob."),
            self.tr("Rank"),
            self.tr("Total"),
        )
        return names[section]

    def _text(self, trace: Trace, step: int, column: int) -> str:
        if column == STEP:
            return str(step + 1)
        if column == TOKEN:
            token = token_texts(trace.tgt_out_tokens, raw=self._raw, style=trace.token_style)[step].marked
            return f"({token})" if step < given_steps(trace) else token
        logprob = float(trace.step_logprob[step])
        if column == SHARE:
            return percent(trace.probability(step))
        if column == LOGPROB:
            return number(logprob)
        if column == RANK:
            return "–" if trace.step_rank is None else f"{int(trace.step_rank[step]):,}"
        return number(self._totals[step])

    def _tip(self, trace: Trace, step: int) -> str:
        if not trace.known_steps[step]:
            return trace.tgt_out_tokens[step]
        logprob = float(trace.step_logprob[step])
        text = self.tr("{piece}, token {number}\nprobability {share}\nlog probability {logprob}")
        return text.format(
            piece=trace.tgt_out_tokens[step],
            number=int(trace.tgt_out_ids[step]),
            share=f"{trace.probability(step):.6g}",
            logprob=f"{logprob:.6f}",
        )


def _side(column: int) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignLeft if column == TOKEN else Qt.AlignmentFlag.AlignRight
    return side | Qt.AlignmentFlag.AlignVCenter


def _totals(trace: Trace) -> list[float]:
    """Log probability of all that was produced up to each step; of a prompt nothing was."""
    logprobs = trace.step_logprob.astype(np.float64)
    logprobs[: given_steps(trace)] = 0.0
    totals: list[float] = np.cumsum(logprobs).tolist()
    return totals
