"""The most probable next words of one step, as a table; of a drawn step before and after the filters."""

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
CUT_ROLE = Qt.ItemDataRole.UserRole + 2
Index = QModelIndex | QPersistentModelIndex

WORD, MODEL, DRAWN = range(3)
_NEGLIGIBLE = 1e-6


@dataclass(frozen=True)
class Candidate:
    """One row: a word and its probability.

    Attributes:
        token_id: -1 for the rest of the vocabulary.
        logprob: natural log of its probability in the model.
        chosen: it is the token of this step.
        drawn: natural log of what it was drawn with, minus infinity for one that the filters left out; None
            where nothing was drawn.
        rank: place among all words where it is known, 0 where it is not.
    """

    text: str
    raw: str
    token_id: int
    logprob: float
    chosen: bool
    drawn: float | None = None
    rank: int = 0

    @property
    def share(self) -> float:
        """The probability, 0 to 1."""
        return math.exp(min(0.0, self.logprob))

    @property
    def drawn_share(self) -> float:
        """The probability that it was drawn with; 0 where nothing was drawn."""
        return 0.0 if self.drawn is None else math.exp(min(0.0, self.drawn))

    @property
    def cut(self) -> bool:
        """Whether the filters left it out."""
        return self.drawn == -math.inf


class CandidatesModel(QAbstractTableModel):
    """Rows: candidates, then the chosen word if it is none of them, then all other words together.

    Attributes:
        clickable: whether a click goes on with a word; the tooltips say so.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Candidate, ...] = ()
        self.drawn = False
        self.clickable = False

    def show_step(self, trace: Trace | None, step: int, raw: bool) -> None:
        """Take the candidates of a step; none when there is no such step."""
        rows = () if trace is None or not 0 <= step < trace.steps else self._rows_of(trace, step, raw)
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.drawn = any(row.drawn is not None for row in rows)
            self.endResetModel()

    def _rows_of(self, trace: Trace, step: int, raw: bool) -> tuple[Candidate, ...]:
        chosen = int(trace.tgt_out_ids[step])
        drawn = None if trace.candidate_drawn is None else trace.candidate_drawn[step]
        rows = [
            Candidate(
                piece_text(piece, raw=raw).text,
                piece,
                int(trace.candidate_ids[step][place]),
                float(trace.candidate_logprobs[step][place]),
                int(trace.candidate_ids[step][place]) == chosen,
                None if drawn is None else float(drawn[place]),
                place + 1,
            )
            for place, piece in enumerate(trace.candidate_tokens[step])
        ]
        if not any(row.chosen for row in rows):
            rows.append(_chosen_row(trace, step, rows, raw))
        rest = 1.0 - sum(row.share for row in rows)
        if rest > _NEGLIGIBLE:
            left = None if drawn is None else _left_drawn(trace, step, rows)
            rows.append(Candidate(self.tr("all other words"), "", -1, math.log(rest), False, left))
        return tuple(rows)

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of rows; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Word, probability, and of a drawn step what it was drawn with."""
        return 0 if parent.isValid() else 2 + self.drawn

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, and for the delegate the shares and what became of the word."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return row.text if column == WORD else self.number(row, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return self._tip(row)
        if role == SHARE_ROLE:
            return row.drawn_share if column == DRAWN else row.share
        if role == CHOSEN_ROLE:
            return row.chosen
        if role == CUT_ROLE:
            return row.cut
        if role == Qt.ItemDataRole.AccessibleTextRole:
            numbers = (self.number(row, column) for column in range(MODEL, self.columnCount()))
            return " ".join((row.text, *numbers))
        if role == Qt.ItemDataRole.AccessibleDescriptionRole:
            return self._tip(row)
        return None

    def number(self, row: Candidate, column: int) -> str:
        """A probability as it is written."""
        if column == DRAWN:
            return self.tr("left out") if row.cut else percent(row.drawn_share)
        return percent(row.share)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return (self.tr("Word"), self.tr("Model"), self.tr("Drawn with"))[section]

    def _tip(self, row: Candidate) -> str:
        share = f"{row.share:.6g}"
        if row.token_id < 0:
            return self.tr("Every word not listed, together: {share}").format(share=share)
        text = self.tr("{piece}, token {number}\nprobability {share}\nlog probability {logprob}")
        tip = text.format(piece=row.raw, number=row.token_id, share=share, logprob=f"{row.logprob:.6f}")
        if row.cut:
            tip += "\n" + self.tr("left out by the filters")
        elif row.drawn is not None:
            drawn = f"{row.drawn_share:.6g}"
            tip += "\n" + self.tr("drawn with probability {share}").format(share=drawn)
        if row.chosen:
            tip += "\n" + self.tr("chosen at this step")
        elif self.clickable:
            tip += "\n" + self.tr("Click to continue with this word")
        return tip


def _chosen_row(trace: Trace, step: int, rows: list[Candidate], raw: bool) -> Candidate:
    """The row of a chosen word that is none of the candidates."""
    piece, logprob = trace.tgt_out_tokens[step], float(trace.step_logprob[step])
    rank = 0 if trace.step_rank is None else int(trace.step_rank[step])
    drawn = None
    if rows and rows[0].drawn is not None:
        # Filters leave the ratio of two kept words as the temperature makes it; the first is always kept.
        temperature = trace.decoding.get("temperature")
        temperature = temperature if isinstance(temperature, int | float) and temperature > 0 else 1.0
        drawn = min(0.0, rows[0].drawn + (logprob - rows[0].logprob) / temperature)
    text = piece_text(piece, raw=raw).text
    return Candidate(text, piece, int(trace.tgt_out_ids[step]), logprob, True, drawn, rank)


def _left_drawn(trace: Trace, step: int, rows: list[Candidate]) -> float:
    """Natural log of what all words that have no row are drawn with together."""
    kept = sum(not row.cut for row in rows)
    left = 1.0 - sum(row.drawn_share for row in rows)
    none = trace.drawn_count is not None and int(trace.drawn_count[step]) <= kept
    return -math.inf if none or left <= 0 else math.log(left)
