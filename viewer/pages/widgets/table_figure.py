"""table_figure: a table of the window as a figure, its rows in the order in which they stand there."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtWidgets import QTableView

from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.text_table import TextTable

_MOST = 60  # rows, more would be too small on a page
_TEXT = Qt.ItemDataRole.DisplayRole


def table_figure(table: QTableView, title: str, caption: str, note: str = "") -> FigureSpec[SheetSpec] | None:
    """The columns in view and the first rows; None for an empty table.

    Args:
        caption: what it is of.
        note: a sentence below it.
    """
    model = table.model()
    columns = [column for column in range(model.columnCount()) if not table.isColumnHidden(column)]
    rows = range(min(model.rowCount(), _MOST))
    if not columns or not rows:
        return None
    header = tuple(str(model.headerData(c, Qt.Orientation.Horizontal, _TEXT) or "") for c in columns)
    lines = tuple(tuple(str(model.index(r, c).data(_TEXT) or "") for c in columns) for r in rows)
    strong = tuple(r for r in rows if table.selectionModel().isRowSelected(r, model.index(-1, -1)))
    more = model.rowCount() - len(rows)
    notes = [note] if note else []
    if more:
        text = QCoreApplication.translate("Figure", "{count} more rows are not shown.")
        notes.append(text.format(count=f"{more:,}"))
    spec = SheetSpec(title, (), ((TextTable("", header, lines, strong, dense=True),),), notes=tuple(notes))
    return FigureSpec(spec, caption, {"view": "table"})
