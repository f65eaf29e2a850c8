"""`CandidatesTable`: the next-word table as a thing to click: a word goes on from there."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QFocusEvent, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView, QWidget

from viewer.guarded import Guarded
from viewer.pages.widgets.row_table import make_plain


class CandidatesTable(Guarded, QTableView):
    """Rows to be picked by a click, or by the arrow keys and Enter; all other keys are the window's.

    Signals:
        picked: row that was clicked or on which Enter was pressed.
        hovered: row under the pointer, -1 for none.
        menu_asked: row whose menu is wanted, and where on the screen.
    """

    picked = Signal(int)
    hovered = Signal(int)
    menu_asked = Signal(int, QPoint)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pressed = self._under = self._row = -1
        make_plain(self)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Else the rows stay as high as the large type of a presentation made them.
        self.verticalHeader().setMinimumSectionSize(1)
        header = self.horizontalHeader()
        header.setSectionsClickable(False)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.viewport().setMouseTracking(True)

    def reset(self) -> None:
        """Take other rows: a click that began on the old ones picks none of them."""
        super().reset()
        self._pressed = -1
        if self.hasFocus() and self._row >= 0:
            self.selectRow(min(self._row, self.model().rowCount() - 1))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a click begins."""
        super().mousePressEvent(event)
        left = event.button() == Qt.MouseButton.LeftButton
        self._row = self._row_at(event)
        self._pressed = self._row if left else -1

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """A click that ends on the row where it began picks it."""
        super().mouseReleaseEvent(event)
        row, self._pressed = self._pressed, -1
        if row >= 0 and row == self._row_at(event):
            self.picked.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """The second click means nothing more: the first has changed what the rows are."""
        self._pressed = -1
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Say which row is under the pointer; dragging selects nothing."""
        self._say_under(self._row_at(event))

    def leaveEvent(self, event: QEvent) -> None:
        """Nothing is under the pointer any more."""
        super().leaveEvent(event)
        self._say_under(-1)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The arrow keys need a row to begin with."""
        super().focusInEvent(event)
        if event.reason() != Qt.FocusReason.MouseFocusReason and not self.selectedIndexes():
            self._row = max(0, self.currentIndex().row())
            self.selectRow(self._row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move, Enter picks."""
        key, row = event.key(), self.currentIndex().row()
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.picked.emit(row)
        elif key in (Qt.Key.Key_Up, Qt.Key.Key_Down) and not _held(event):
            super().keyPressEvent(event)
            self._row = self.currentIndex().row()
        else:
            event.ignore()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the row under the pointer, or by the menu key of the current one."""
        if event.reason() == QContextMenuEvent.Reason.Keyboard:
            index = self.currentIndex()
            place = self.viewport().mapToGlobal(self.visualRect(index).center())
        else:
            index, place = self.indexAt(event.pos()), event.globalPos()
        if index.isValid():
            self.menu_asked.emit(index.row(), place)

    def _row_at(self, event: QMouseEvent) -> int:
        return self.indexAt(event.position().toPoint()).row()

    def _say_under(self, row: int) -> None:
        if row != self._under:
            self._under = row
            self.hovered.emit(row)


def _held(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier)
