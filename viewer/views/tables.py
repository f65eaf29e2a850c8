"""What the window's tables share: rows to be read, not cells to be edited."""

from __future__ import annotations

from PySide6.QtWidgets import QAbstractItemView, QFrame, QTableView


def make_plain(table: QTableView) -> None:
    """Show rows without grid, frame or numbers; Tab leaves the table instead of going through its cells."""
    table.setShowGrid(False)
    table.setFrameShape(QFrame.Shape.NoFrame)
    table.setWordWrap(False)
    table.setTabKeyNavigation(False)
    table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
    table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
    table.verticalHeader().hide()
    table.horizontalHeader().setHighlightSections(False)
