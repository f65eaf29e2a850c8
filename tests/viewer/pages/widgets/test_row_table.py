"""Columns of tables are as wide as Qt would make them, without asking every cell for all that Qt asks."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QStringListModel
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QHeaderView, QTableView
from pytestqt.qtbot import QtBot

from viewer.pages.widgets.row_table import FittedTable, make_plain, widest

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")

TEXTS = ("", "1", "Wi", "iiiiiiiiiiiiiiii", "WWWWWWWW", "–0.123", "0.1234", "苹果的颜色", "a\tb", "l" * 300)


@pytest.mark.parametrize("rows", [0, 1, 7, 100, 400])
@pytest.mark.parametrize("shown", [False, True])
def test_a_column_is_as_wide_as_qt_says(qtbot: QtBot, rows: int, shown: bool) -> None:
    table, model = QTableView(), QStandardItemModel(rows, 3)
    for row in range(rows):
        for column in range(3):
            text = TEXTS[(7 * row + 3 * column) % len(TEXTS)] if column else str(row * row)
            model.setItem(row, column, QStandardItem(text))
    qtbot.addWidget(table)
    make_plain(table)
    table.setModel(model)
    table.horizontalHeader().setResizeContentsPrecision(100)
    table.resize(400, 300)
    if shown:
        table.show()
        qtbot.waitUntil(table.isVisible)
    for place in (0, rows // 2, rows - 1):
        if rows:
            table.scrollTo(model.index(place, 0))
        for column in range(3):
            assert widest(table, column) == table.sizeHintForColumn(column)


def test_a_fitted_table_measures_once_until_its_contents_or_its_type_are_others(qtbot: QtBot) -> None:
    table, model = FittedTable(), QStringListModel(["a", "longer"])
    qtbot.addWidget(table)
    table.show_model(model)
    table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.ResizeToContents)

    def right() -> bool:
        return table.sizeHintForColumn(0) == QTableView.sizeHintForColumn(table, 0)

    widths = [table.sizeHintForColumn(0)]
    assert right()
    model.setStringList(["a", "much longer than before"])
    assert right()
    widths.append(table.sizeHintForColumn(0))
    model.setData(model.index(0), "and now it is the first that is the longest of both")
    assert right()
    widths.append(table.sizeHintForColumn(0))
    font = table.font()
    font.setPointSize(2 * font.pointSize())
    table.setFont(font)
    assert right()
    widths.append(table.sizeHintForColumn(0))
    assert widths == sorted(set(widths))
    assert table.columnWidth(0) >= widths[-1]
