"""`DrawingGrid`: a pattern being drawn: a row a query, a column a key of the sentence in view."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QAbstractTableModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QBrush, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import plain

Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]
_Index = QModelIndex | QPersistentModelIndex
_CELL, _LOW = 26, 22


class DrawingModel(Guarded, QAbstractTableModel):
    """The cells.

    Attributes:
        cells: float64 [Q, K], 0 where nothing is drawn. seen: which of them a query may see.

    Signals:
        drawn: a person changed a cell.
    """

    drawn = Signal()

    def __init__(self, appearance: Appearance, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._queries: tuple[str, ...] = ()
        self._keys: tuple[str, ...] = ()
        self.cells: Doubles = np.zeros((0, 0))
        self.seen: Flags = np.zeros((0, 0), bool)

    def show(self, queries: tuple[str, ...], keys: tuple[str, ...], cells: Doubles, seen: Flags) -> None:
        """Take other tokens and cells."""
        self.beginResetModel()
        self._queries, self._keys = queries, keys
        self.cells, self.seen = np.where(seen, cells, 0.0), seen
        self.endResetModel()

    def put(self, row: int, column: int, on: bool) -> None:
        """Draw a cell, or leave it empty; what nobody sees stays empty."""
        if self.seen[row, column] and bool(self.cells[row, column]) != on:
            self.cells[row, column] = float(on)
            index = self.index(row, column)
            self.dataChanged.emit(index, index)
            self.drawn.emit()

    def rowCount(self, parent: _Index | None = None) -> int:
        """Queries."""
        return 0 if parent is not None and parent.isValid() else len(self._queries)

    def columnCount(self, parent: _Index | None = None) -> int:
        """Keys."""
        return 0 if parent is not None and parent.isValid() else len(self._keys)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """The colour of a cell, and what it means."""
        row, column = index.row(), index.column()
        if role == Qt.ItemDataRole.BackgroundRole:
            if not self.seen[row, column]:
                return QBrush(self._appearance.color("muted"), Qt.BrushStyle.BDiagPattern)
            return QBrush(self._appearance.color("accent")) if self.cells[row, column] else None
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            text = self.tr("{query} looks at {key}: not drawn")
            if not self.seen[row, column]:
                text = self.tr("{query} cannot see {key}")
            elif self.cells[row, column]:
                text = self.tr("{query} looks at {key}: drawn")
            said = text.format(query=self._queries[row], key=self._keys[column])
            return plain(said) if role == Qt.ItemDataRole.ToolTipRole else said
        return None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> object:
        """The tokens."""
        if role not in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole):
            return None
        tokens = self._keys if orientation == Qt.Orientation.Horizontal else self._queries
        token = tokens[section] if section < len(tokens) else None
        return plain(token) if token and role == Qt.ItemDataRole.ToolTipRole else token


class DrawingGrid(Guarded, QTableView):
    """Press and drag to draw, or to wipe out where it began on a drawn cell; Space does so by key."""

    def __init__(self, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._putting: bool | None = None
        self._last: tuple[int, int] | None = None
        self.pattern = DrawingModel(appearance, self)
        self.setModel(self.pattern)
        self.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setTabKeyNavigation(False)
        self.setCornerButtonEnabled(False)
        self.setMouseTracking(False)
        self.verticalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        self.pattern.modelReset.connect(self._fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Space and Enter draw the cell that the arrows came to, or wipe it out."""
        keys = (Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
        index = self.currentIndex()
        if event.key() in keys and index.isValid():
            self.pattern.put(index.row(), index.column(), not self.pattern.cells[index.row(), index.column()])
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a stroke."""
        index = self.indexAt(event.position().toPoint())
        if not index.isValid() or event.button() != Qt.MouseButton.LeftButton:
            return
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._putting = not self.pattern.cells[index.row(), index.column()]
        self._last = None
        self._stroke(index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Go on with it."""
        index = self.indexAt(event.position().toPoint())
        if self._putting is not None and index.isValid():
            self._stroke(index)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End it."""
        self._putting = None

    def _stroke(self, index: QModelIndex) -> None:
        """To a cell, and over those that the pointer jumped."""
        assert self._putting is not None
        row, column = index.row(), index.column()
        first = self._last or (row, column)
        steps = max(abs(row - first[0]), abs(column - first[1]), 1)
        for step in range(1, steps + 1):
            at = (
                round(first[0] + (row - first[0]) * step / steps),
                round(first[1] + (column - first[1]) * step / steps),
            )
            self.pattern.put(*at, self._putting)
        self._last = (row, column)
        self.setCurrentIndex(index)

    def _fit(self) -> None:
        """Columns as wide as their words."""
        self.horizontalHeader().setMinimumSectionSize(self._appearance.px(_CELL))
        self.verticalHeader().setMinimumSectionSize(1)
        self.verticalHeader().setDefaultSectionSize(self._appearance.px(_LOW))
        self.resizeColumnsToContents()
        if self.pattern.rowCount() and self.pattern.columnCount():
            self.setCurrentIndex(self.pattern.index(0, 0))
