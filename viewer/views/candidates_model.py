"""The most probable next words of one step, as a table."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.trace import Trace
from viewer.state.token_text import piece_text
from viewer.views.wording import percent

SHARE_ROLE = Qt.ItemDataRole.UserRole
CHOSEN_ROLE = Qt.ItemDataRole.UserRole + 1
Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True)
class Candidate:
    """One row: a word and its probability; `token_id` -1 for the rest of the vocabulary."""

    text: str
    raw: str
    token_id: int
    logprob: float
    chosen: bool

    @property
    def share(self) -> float:
        """The probability, 0 to 1."""
        return math.exp(min(0.0, self.logprob))


class CandidatesModel(QAbstractTableModel):
    """Rows: candidates, then the chosen word if it is none of them, then all other words together."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Candidate, ...] = ()

    def show_step(self, trace: Trace | None, step: int, raw: bool) -> None:
        """Take the candidates of a step; none when there is no such step."""
        rows = () if trace is None or not 0 <= step < trace.steps else self._rows_of(trace, step, raw)
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def _rows_of(self, trace: Trace, step: int, raw: bool) -> tuple[Candidate, ...]:
        chosen = int(trace.tgt_out_ids[step])
        rows = [
            Candidate(
                piece_text(piece, raw=raw).text, piece, int(number), float(logprob), int(number) == chosen
            )
            for piece, number, logprob in zip(
                trace.candidate_tokens[step],
                trace.candidate_ids[step],
                trace.candidate_logprobs[step],
                strict=True,
            )
        ]
        if not any(row.chosen for row in rows):
            piece = trace.tgt_out_tokens[step]
            logprob = float(trace.step_logprob[step])
            rows.append(Candidate(piece_text(piece, raw=raw).text, piece, chosen, logprob, True))
        rest = 1.0 - sum(row.share for row in rows)
        if rest > 1e-6:
            rows.append(Candidate(self.tr("all other words"), "", -1, math.log(rest), False))
        return tuple(rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of rows; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Word and probability."""
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, and for the delegate the share and whether the word was chosen."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text if index.column() == 0 else percent(row.share)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row)
        if role == SHARE_ROLE:
            return row.share
        if role == CHOSEN_ROLE:
            return row.chosen
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.text} {percent(row.share)}"
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (self.tr("Word"), self.tr("Probability"))[section]

    def _tip(self, row: Candidate) -> str:
        share = f"{row.share:.6g}"
        if row.token_id < 0:
            return self.tr("Every word not listed, together: {share}").format(share=share)
        text = self.tr("{piece}, token {number}\nprobability {share}\nlog probability {logprob}")
        tip = text.format(piece=row.raw, number=row.token_id, share=share, logprob=f"{row.logprob:.6f}")
        return tip + "\n" + self.tr("chosen at this step") if row.chosen else tip
