"""`DistancesModel`: how far each piece's encodings in the two orders are apart, as rows of a table."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from model.trace.exploration import OrderExperiment
from viewer.document.text.token_text import token_texts
from viewer.guarded import Guarded
from viewer.pages.learn.order.order_words import small_number
from viewer.pages.widgets.plain_tip import plain

BAR_ROLE = Qt.ItemDataRole.UserRole + 1
"""Length of a cell's bar, 0 to 1 of the room; None for a cell without one."""

Index = QModelIndex | QPersistentModelIndex
_PIECE, _ID, _WITH, _WITHOUT = range(4)
_ROOT = QModelIndex()


class DistanceRow(NamedTuple):
    """One piece; distances with and without positions."""

    text: str
    raw: str
    id: int
    with_positions: float
    without_positions: float


class DistancesModel(Guarded, QAbstractTableModel):
    """Piece, id, distance with positions, distance without; all bars on one scale."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: tuple[DistanceRow, ...] = ()

    def show_experiment(self, experiment: OrderExperiment) -> None:
        """Take the pieces of an experiment, in their own order."""
        self.beginResetModel()
        self.rows = tuple(
            DistanceRow(token.marked, token.raw, token_id, float(own), float(without))
            for token, token_id, own, without in zip(
                token_texts(experiment.pieces),
                experiment.ids,
                experiment.distance[True],
                experiment.distance[False],
            )
        )
        self.endResetModel()

    def retranslate(self) -> None:
        """Headers in the language in force."""
        self.headerDataChanged.emit(Qt.Orientation.Horizontal, 0, self.columnCount() - 1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        """One a piece."""
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        """Piece, id and two distances."""
        return 0 if parent.isValid() else 4

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """A cell's text, tooltip, bar."""
        if not index.isValid():
            return None
        row, column = self.rows[index.row()], index.column()
        number = {_WITH: row.with_positions, _WITHOUT: row.without_positions}.get(column)
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            if number is not None:
                return small_number(number)
            return row.text if column == _PIECE else str(row.id)
        if role == Qt.ItemDataRole.ToolTipRole:
            return plain(row.raw if number is None else f"{number:.9g}")
        if role == BAR_ROLE and number is not None:
            longest = max(max(r.with_positions, r.without_positions) for r in self.rows)
            return number / longest if longest > 0 else 0.0
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """What the columns hold."""
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        names = (self.tr("Piece"), self.tr("Id"), self.tr("With positions"), self.tr("Without positions"))
        return names[section]
