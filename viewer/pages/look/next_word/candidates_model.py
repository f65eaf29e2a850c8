"""`CandidatesModel`: the most probable words of a step or a masked token, as a table; also after filters."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.trace.trace import Trace
from viewer.document.text.input_text import given_steps
from viewer.document.text.token_text import JOINT, text_after
from viewer.guarded import Guarded
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.wording import percent

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


class CandidatesModel(Guarded, QAbstractTableModel):
    """Rows: candidates, then the chosen word if it is none of them, then all other words together.

    Attributes:
        clickable: whether a click goes on with a word (a double click puts it in the place of a mask); the
            tooltips say so.
        reading: the words are those of a token that is read.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[Candidate, ...] = ()
        self.drawn = False
        self.clickable = False
        self.reading = False

    def show_step(self, trace: Trace | None, step: int, raw: bool) -> None:
        """Take the candidates of a step; none when there is no such step."""
        self.reading = False
        self._show(() if trace is None or not 0 <= step < trace.steps else self._rows_of(trace, step, raw))

    def show_place(self, trace: Trace | None, place: int | None, raw: bool) -> None:
        """Take the candidates of a source token; none where nothing is known of it."""
        self.reading = True
        self._show(() if trace is None or place is None else self._words_at(trace, place, raw))

    def _show(self, rows: tuple[Candidate, ...]) -> None:
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.drawn = any(row.drawn is not None for row in rows)
            self.endResetModel()

    def _rows_of(self, trace: Trace, step: int, raw: bool) -> tuple[Candidate, ...]:
        if not trace.known_steps[step]:
            return ()
        chosen = int(trace.tgt_out_ids[step])
        drawn = None if trace.candidate_drawn is None else trace.candidate_drawn[step]
        before = trace.tgt_out_tokens[:step]
        rows = [
            Candidate(
                text_after(before, piece, raw=raw, style=trace.token_style).marked,
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
        return self._with_rest(rows, None if drawn is None else _left_drawn(trace, step, rows))

    def _words_at(self, trace: Trace, place: int, raw: bool) -> tuple[Candidate, ...]:
        """What stands there is the chosen one, unless it is a mask."""
        ids, logprobs = trace.src_candidate_ids, trace.src_candidate_logprobs
        if ids is None or logprobs is None or not 0 <= place < len(ids):
            return ()
        own = -1 if place in trace.masked else int(trace.src_ids[place])
        rows = [
            Candidate(_word(trace, place, piece, raw), piece, token, logprob, token == own, rank=rank)
            for rank, (piece, token, logprob) in enumerate(
                zip(trace.src_candidate_tokens[place], ids[place].tolist(), logprobs[place].tolist()), start=1
            )
        ]
        if own >= 0 and not any(row.chosen for row in rows) and trace.src_logprob is not None:
            piece, rank = trace.src_tokens[place], 0 if trace.src_rank is None else int(trace.src_rank[place])
            logprob = float(trace.src_logprob[place])
            rows.append(Candidate(_word(trace, place, piece, raw), piece, own, logprob, True, rank=rank))
        return self._with_rest(rows)

    def _with_rest(self, rows: list[Candidate], drawn: float | None = None) -> tuple[Candidate, ...]:
        """The rows, and one for all words that have none."""
        rest = 1.0 - sum(row.share for row in rows)
        if rest > _NEGLIGIBLE:
            rows = [*rows, Candidate(self.tr("all other words"), "", -1, math.log(rest), False, drawn)]
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
            return plain(self._tip(row))
        if role == SHARE_ROLE:
            return row.drawn_share if column == DRAWN else row.share
        if role == CHOSEN_ROLE:
            return row.chosen
        if role == CUT_ROLE:
            return row.cut
        if role == Qt.ItemDataRole.AccessibleTextRole:
            numbers = (self.number(row, column) for column in range(MODEL, self.columnCount()))
            return " ".join((row.text.removeprefix(JOINT), *numbers))
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
        return (self.tr("Word"), self.tr("Model"), self.tr("When sampled"))[section]

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
            tip += "\n" + self.tr("sampling probability {share}").format(share=drawn)
        if self.reading:
            return tip + self._reading_tip(row)
        if row.chosen:
            tip += "\n" + self.tr("chosen at this step")
        elif self.clickable:
            tip += "\n" + self.tr("Click to continue with this word")
        return tip

    def _reading_tip(self, row: Candidate) -> str:
        """Place, and what stands there or could."""
        tip = "\n" + self.tr("rank {rank}").format(rank=f"{row.rank:,}") if row.rank else ""
        if row.chosen:
            return tip + "\n" + self.tr("the token in the text")
        masked = not any(other.chosen for other in self.rows)
        if self.clickable and masked:
            tip += "\n" + self.tr("Double-click to insert this word into the sentence")
        return tip


def _word(trace: Trace, place: int, piece: str, raw: bool) -> str:
    """A piece that could stand at a place of the source, as a person reads it."""
    return text_after(trace.src_tokens[:place], piece, raw=raw, style=trace.token_style).marked


def _chosen_row(trace: Trace, step: int, rows: list[Candidate], raw: bool) -> Candidate:
    """The row of a chosen word that is none of the candidates."""
    piece, logprob = trace.tgt_out_tokens[step], float(trace.step_logprob[step])
    rank = 0 if trace.step_rank is None else int(trace.step_rank[step])
    drawn = None
    kept = next(((row.drawn, row.logprob) for row in rows if row.drawn is not None and not row.cut), None)
    count = 0 if trace.drawn_count is None else int(trace.drawn_count[step])
    if step < _typed_steps(trace) and rank > count > 0:
        drawn = -math.inf  # nobody drew it: it was typed, and the filters leave it out
    elif kept is not None:
        # Filters leave the ratio of two kept words as the temperature makes it.
        temperature = trace.decoding.get("temperature")
        temperature = temperature if isinstance(temperature, int | float) and temperature > 0 else 1.0
        drawn = min(0.0, kept[0] + (logprob - kept[1]) / temperature)
    elif count == 1:
        drawn = 0.0  # a rule of the model left this word alone
    text = text_after(trace.tgt_out_tokens[:step], piece, raw=raw, style=trace.token_style).marked
    return Candidate(text, piece, int(trace.tgt_out_ids[step]), logprob, True, drawn, rank)


def _typed_steps(trace: Trace) -> int:
    """How many steps, from the first on, a person decided about: in a prompt, or before a branch."""
    prefix = trace.decoding.get("prefix_ids")
    return given_steps(trace) + (len(prefix) if isinstance(prefix, list | tuple) else 0)


def _left_drawn(trace: Trace, step: int, rows: list[Candidate]) -> float:
    """Natural log of what all words that have no row are drawn with together."""
    kept = sum(not row.cut for row in rows)
    left = 1.0 - sum(row.drawn_share for row in rows)
    none = trace.drawn_count is not None and int(trace.drawn_count[step]) <= kept
    return -math.inf if none or left <= 0 else math.log(left)
