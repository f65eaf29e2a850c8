"""The classes of a model that sorts texts, the most probable first, as a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.trace.trace import Trace
from viewer.guarded import Guarded
from viewer.pages.look.next_word.candidates_model import CHOSEN_ROLE, MODEL, SHARE_ROLE, WORD
from viewer.pages.widgets.wording import percent

Index = QModelIndex | QPersistentModelIndex

_HALF = 0.5


@dataclass(frozen=True)
class ClassRow:
    """One class.

    Attributes:
        share: its probability, None where the model gives mere numbers.
        chosen: the model's answer: the most probable, or of labels that do not exclude each other any that is
            likelier than not.
    """

    name: str
    logit: float
    share: float | None
    chosen: bool


def rows_of(trace: Trace | None) -> tuple[ClassRow, ...]:
    """What a trace says of classes; nothing where it is of another model."""
    if trace is None or trace.class_logits is None:
        return ()
    logits = trace.class_logits.tolist()
    shares = [None] * len(logits) if trace.class_shares is None else trace.class_shares.tolist()
    order = sorted(range(len(logits)), key=lambda place: -logits[place])
    apart = trace.class_rule == "sigmoid"
    return tuple(
        ClassRow(
            trace.class_names[place],
            logits[place],
            share := shares[place],
            share is not None and (share >= _HALF if apart else rank == 0),
        )
        for rank, place in enumerate(order)
    )


class ClassesModel(Guarded, QAbstractTableModel):
    """Rows: classes; columns: name and probability."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.rows: tuple[ClassRow, ...] = ()

    def show_trace(self, trace: Trace | None) -> None:
        """Take the classes of a trace; none when there is no such."""
        rows = rows_of(trace)
        if rows != self.rows:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of rows; a table has no children."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Name and probability."""
        return 0 if parent.isValid() else 2

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, and for the delegate the shares and which is the answer."""
        if not index.isValid():
            return None
        row = self.rows[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return row.name if index.column() == WORD else self.number(row)
        if role == SHARE_ROLE:
            return row.share
        if role == CHOSEN_ROLE:
            return row.chosen
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{row.name} {self.number(row)}"
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole):
            return self._tip(row)
        return None

    def number(self, row: ClassRow) -> str:
        """A probability as it is written, or the model's number."""
        return f"{row.logit:.4g}" if row.share is None else percent(row.share)

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        return self.tr("Class") if section < MODEL else self.tr("Model")

    def _tip(self, row: ClassRow) -> str:
        logit = f"{row.logit:.6g}"
        if row.share is None:
            return self.tr("{name}\nmodel output: {logit}").format(name=row.name, logit=logit)
        text = self.tr("{name}\nprobability {share}\nlogit {logit}")
        return text.format(name=row.name, share=f"{row.share:.6g}", logit=logit)
