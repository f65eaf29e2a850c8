"""The candidates of a masked word as a thing to choose from: a click marks one, a double click takes it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent

from viewer.views.candidates_table import CandidatesTable


class WordsTable(CandidatesTable):
    """See `CandidatesTable`; `picked` is of a click alone.

    Signals:
        taken: row that was double-clicked or on which Enter was pressed.
    """

    taken = Signal(int)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Take the row, which the first click has marked."""
        super().mouseDoubleClickEvent(event)
        row = self.indexAt(event.position().toPoint()).row()
        if row >= 0 and event.button() == Qt.MouseButton.LeftButton:
            self.taken.emit(row)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Up and down move, Enter takes."""
        row = self.currentIndex().row()
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and row >= 0:
            self.taken.emit(row)
        else:
            super().keyPressEvent(event)
