"""A table of the window on paper: what is hidden is left out, what is too much is counted."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from viewer.figures.sheet.text_table import TextTable
from viewer.pages.widgets.table_figure import table_figure


def test_rows_and_columns_are_those_in_view(qtbot: QtBot) -> None:
    model, view = QStandardItemModel(), QTableView()
    qtbot.addWidget(view)
    assert table_figure(view_of(view, model), "Empty", "") is None
    model.setHorizontalHeaderLabels(["head", "hidden", "weight"])
    for row in range(73):
        model.appendRow([QStandardItem(text) for text in (f"h{row}", "no", f"0.{row:02d}")])
    view.setColumnHidden(1, True)
    view.selectRow(70)
    model.sort(0, Qt.SortOrder.DescendingOrder)  # as texts: h9, h8, h72, h71, h70
    figure = table_figure(view, "Heads", "Heads of a sentence.", "By hand.")
    assert figure is not None
    [[table]] = figure.body.lines
    assert isinstance(table, TextTable)
    assert table.header == ("head", "weight")
    assert table.lines[:3] == (("h9", "0.09"), ("h8", "0.08"), ("h72", "0.72"))
    assert len(table.lines) == 60
    assert figure.body.notes == ("By hand.", "13 more rows are not shown.")
    assert (figure.body.title, figure.caption) == ("Heads", "Heads of a sentence.")


def view_of(view: QTableView, model: QStandardItemModel) -> QTableView:
    view.setModel(model)
    return view
