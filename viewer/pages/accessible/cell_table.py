"""CellTable: a view of Qt's own laid over a painted one, seen by assistive technology alone."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import (
    QAbstractTableModel,
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    QPoint,
    QPointF,
    QRect,
    Qt,
    QTimer,
)
from PySide6.QtGui import QAccessible, QAccessibleEvent, QPaintEvent
from PySide6.QtWidgets import QAbstractScrollArea, QFrame, QTableView, QWidget

from viewer.guarded import Guarded
from viewer.pages.accessible.cells import CellHost, Cells

_Index = QModelIndex | QPersistentModelIndex
_SPOKEN = (Qt.ItemDataRole.AccessibleTextRole, Qt.ItemDataRole.DisplayRole)
_NONE = Cells(0, 0, lambda row, column: "")


class CellTable(Guarded, QTableView):
    """The cells of a widget as a table that paints nothing and takes neither pointer nor keys.

    PySide6 has no `QAccessibleTableInterface` to implement. Qt implements it for its own views, with an
    object for a cell only once somebody asks for that cell, and takes all of them away in time: so this is
    such a view, as a child of the widget, over a model that asks the widget for each name.
    """

    def __init__(self, host: QWidget) -> None:
        """Args: host: a `CellHost`, over which it lies from now on."""
        self._over = host.viewport() if isinstance(host, QAbstractScrollArea) else host
        super().__init__(self._over)
        assert isinstance(host, CellHost)
        self._host, self._cells_host = host, host
        self.shown: Cells = _NONE
        self._following = False  # what the widget does comes here, and not back again
        self._model = _CellModel(self)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setSelectionMode(QTableView.SelectionMode.SingleSelection)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setStyleSheet("QTableView { background: transparent; border: none; }")
        self.viewport().setAutoFillBackground(False)
        for bars in (self.setHorizontalScrollBarPolicy, self.setVerticalScrollBarPolicy):
            bars(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        for header in (self.horizontalHeader(), self.verticalHeader()):
            header.hide()
        self.setModel(self._model)
        self.selectionModel().selectionChanged.connect(self._selected)
        self._over.installEventFilter(self)
        if host is not self._over:
            host.installEventFilter(self)
        self.setGeometry(self._over.rect())
        self.follow()
        self.show()

    def follow(self) -> None:
        """Show what the widget shows now: other cells, or the same with another chosen."""
        self._following = True
        try:
            moved = self._follow()
        finally:
            self._following = False
        if moved:
            self.tell_focus()

    def _follow(self) -> bool:
        """Whether another cell is the chosen one now."""
        self.setAccessibleName(self._host.accessibleName())
        before, now = self.shown, self._cells_host.cells() or _NONE
        if (before.rows, before.columns) == (now.rows, now.columns):
            self.shown = now
            self._model.changed()
        else:
            self._model.replace(now)
        place, chosen = self.current_index(), self.selectionModel()
        if place == chosen.currentIndex():
            return False
        chosen.setCurrentIndex(place, QItemSelectionModel.SelectionFlag.NoUpdate)
        chosen.select(place, QItemSelectionModel.SelectionFlag.ClearAndSelect)
        return True

    def current_index(self) -> QModelIndex:
        """Where the chosen cell stands in the model; an invalid index for none."""
        if self.shown.current is None:
            return QModelIndex()
        return self._model.index(*self.shown.current)

    def tell_focus(self) -> None:
        """Whoever has the widget's keys is at the chosen cell."""
        place = self.selectionModel().currentIndex()
        if not (QAccessible.isActive() and self._host.hasFocus() and place.isValid()):
            return
        event = QAccessibleEvent(self, QAccessible.Event.Focus)
        event.setChild((place.row() + 1) * (self.shown.columns + 1) + place.column() + 1)
        QAccessible.updateAccessibility(event)

    def visualRect(self, index: _Index) -> QRect:
        """Where the widget draws the cell; nowhere if it is not in view, or it is only to be painted."""
        asked = index.isValid() and not self._following
        rect = self.shown.rect(index.row(), index.column()) if asked else None
        return QRect() if rect is None else rect.toAlignedRect()

    def indexAt(self, point: QPoint) -> QModelIndex:
        """The cell drawn at a point."""
        found = self.shown.at(QPointF(point))
        return QModelIndex() if found is None else self._model.index(*found)

    def scrollTo(
        self, index: _Index, hint: QTableView.ScrollHint = QTableView.ScrollHint.EnsureVisible
    ) -> None:
        """What is in view is the widget's business."""

    def paintEvent(self, event: QPaintEvent) -> None:
        """Nothing: the widget below has painted it all."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay over the widget, and say where its keys are once it has them."""
        if event.type() == QEvent.Type.Resize and watched is self._over:
            self.setGeometry(self._over.rect())
        elif event.type() == QEvent.Type.FocusIn and watched is self._host:
            QTimer.singleShot(0, self, self.tell_focus)  # after Qt's own word that the widget has them
        return False

    def _selected(self, now: QItemSelection, before: QItemSelection) -> None:
        """Assistive technology chose a cell."""
        chosen = now.indexes()
        if not self._following and chosen and self.shown.choose is not None:
            self.shown.choose(chosen[0].row(), chosen[0].column())


class _CellModel(Guarded, QAbstractTableModel):
    """The cells that a table shows."""

    def __init__(self, table: CellTable) -> None:
        super().__init__(table)
        self._table = table

    def replace(self, cells: Cells) -> None:
        """Show a table of another shape."""
        self.beginResetModel()
        self._table.shown = cells
        self.endResetModel()

    def changed(self) -> None:
        """Cells may say something else: the chosen one is read anew, others whenever they are asked."""
        place = self._table.current_index()
        if place.isValid():
            self.dataChanged.emit(place, place)

    def rowCount(self, parent: _Index | None = None) -> int:
        """How many rows."""
        return 0 if parent is not None and parent.isValid() else self._table.shown.rows

    def columnCount(self, parent: _Index | None = None) -> int:
        """How many columns."""
        return 0 if parent is not None and parent.isValid() else self._table.shown.columns

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """What a cell says."""
        return self._table.shown.name(index.row(), index.column()) if role in _SPOKEN else None

    def headerData(
        self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole
    ) -> Any:
        """What a row or column is of."""
        if role not in _SPOKEN:
            return None
        shown = self._table.shown
        name = shown.column_name if orientation is Qt.Orientation.Horizontal else shown.row_name
        return name(section)
