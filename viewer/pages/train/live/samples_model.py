"""`SamplesModel`: what one held-out sentence was translated to at each evaluation, as a table."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt

from model.training.progress.events import EvalEvent
from viewer.document.training.training import Training
from viewer.guarded import Guarded
from viewer.pages.widgets.plain_tip import plain

Index = QModelIndex | QPersistentModelIndex

BEST_ROLE = Qt.ItemDataRole.UserRole
COLUMNS = 4
HELDOUT_LOSS, TRANSLATION = 1, 3


class SamplesModel(Guarded, QAbstractTableModel):
    """Rows: evaluations, the newest first. Columns: step, held-out loss, BLEU, translation."""

    def __init__(self, training: Training, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._training = training
        self._evals: tuple[EvalEvent, ...] = ()
        self.source = ""

    def refresh(self) -> None:
        """Take what was evaluated since."""
        known, self_evals = self._training.evals, self._evals
        if known[: len(self_evals)] == self_evals and len(known) > len(self_evals):
            self.beginInsertRows(QModelIndex(), 0, len(known) - len(self_evals) - 1)
            self._evals = known
            self.endInsertRows()
        elif known != self_evals:
            self.beginResetModel()
            self._evals = known
            self.endResetModel()

    def show_source(self, source: str) -> None:
        """Show another sentence's translations."""
        if source != self.source:
            self.beginResetModel()
            self.source = source
            self.endResetModel()

    def sources(self) -> list[str]:
        """Every sentence that was translated at some evaluation, in the order of the newest one's."""
        found: dict[str, None] = {}
        for event in reversed(self._training.evals):
            found.update((source, None) for source, _ in event.samples)
        return list(found)

    def evaluation(self, row: int) -> EvalEvent:
        """The evaluation of a row."""
        return self._evals[len(self._evals) - 1 - row]

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008  (Qt's own signature)
        """Number of evaluations; a table has no children."""
        return 0 if parent.isValid() else len(self._evals)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008
        """Step, loss, BLEU, translation."""
        return 0 if parent.isValid() else COLUMNS

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Texts, tooltips, alignment, and whether the evaluation was the best so far."""
        if not index.isValid():
            return None
        event, column = self.evaluation(index.row()), index.column()
        if role == Qt.ItemDataRole.DisplayRole:
            return self._text(event, column)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(self._tip(event))
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return self._side(column)
        if role == BEST_ROLE:
            return event.best
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """Names of the columns."""
        if role == Qt.ItemDataRole.TextAlignmentRole and orientation == Qt.Orientation.Horizontal:
            return self._side(section)
        if role != Qt.ItemDataRole.DisplayRole or orientation != Qt.Orientation.Horizontal:
            return None
        names = (self.tr("Step"), self.tr("Held-out loss"), self.tr("BLEU"), self.tr("Translation"))
        return names[section]

    def _side(self, column: int) -> Qt.AlignmentFlag:
        side = Qt.AlignmentFlag.AlignLeft if column == TRANSLATION else Qt.AlignmentFlag.AlignRight
        return side | Qt.AlignmentFlag.AlignVCenter

    def _text(self, event: EvalEvent, column: int) -> str:
        if column == 0:
            return f"• {event.step:,}" if event.best else f"{event.step:,}"
        if column == 1:
            return f"{event.heldout_loss:.4g}"
        if column == 2:
            return "" if event.bleu is None else f"{event.bleu:.1f}"
        return dict(event.samples).get(self.source, "–")

    def _tip(self, event: EvalEvent) -> str:
        lines = [self._text(event, TRANSLATION)]
        if event.best:
            lines.append(self.tr("The best weights up to this step: they were kept in the model's folder."))
        if event.averaged:
            lines.append(self.tr("Measured with the average of recent weights, which was better."))
        return "\n".join(lines)
