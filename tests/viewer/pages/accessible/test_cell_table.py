"""Painted cells are a table to assistive technology: named, placed, chosen, and made one by one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, SOURCE, sample_trace, square_trace
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.pages.accessible.cell_table import CellTable
from viewer.pages.accessible.factory import install
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.token_strip import Chip, TokenStrip

ROLE, TEXT = QAccessible.Role, QAccessible.Text
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture(autouse=True)
def listening(qapp: QApplication) -> Iterator[None]:
    install()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.fixture
def pane(qtbot: QtBot) -> MapPane:
    """Two maps' worth of hand-made weights, the last step, layer 1, head 0."""
    session = Session()
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    session.add_run(Run("one", sample_trace()))
    session.select(0, kind=AttentionKind.CROSS, layer=1, head=0, step=2)
    pane.resize(700, 600)
    pane.show()
    qtbot.waitExposed(pane)
    return pane


def shown(pane: MapPane, view: str) -> FigureView[Any, Any]:
    pane._session.select(0, view=view)
    QApplication.processEvents()
    return pane.views[view]


def table_of(widget: QWidget) -> QAccessibleInterface:
    """The table that is found in a widget."""
    whole = QAccessible.queryAccessibleInterface(widget)
    tables = [whole.child(place) for place in range(whole.childCount())]
    [found] = [table for table in tables if table.role() is ROLE.Table]
    return found


def cell(table: QAccessibleInterface, columns: int, row: int, column: int) -> QAccessibleInterface:
    """Before the cells of a row stands its header, above the rows that of the columns."""
    return table.child((row + 1) * (columns + 1) + column + 1)


@pytest.mark.parametrize("view", ["map", "flow", "words"])
def test_every_weight_is_a_cell(pane: MapPane, view: str) -> None:
    table = table_of(shown(pane, view))
    rows, columns = CROSS.shape
    assert table.childCount() == (rows + 1) * (columns + 1)
    predicted, read = ("pommes", "rouges", "end"), ("red", "app", "les", "end")
    for row in range(rows):
        for column in range(columns):
            found = cell(table, columns, row, column)
            said = found.text(TEXT.Name)
            for word in (predicted[row], read[column]):
                assert word in said
            number = CROSS[row, column]
            assert said.endswith("0" if number == 0 else f"{number:.2f}"), said
            place = found.tableCellInterface()
            assert (place.rowIndex(), place.columnIndex()) == (row, column)
    assert cell(table, columns, 0, 1).text(TEXT.Name) == "predicting pommes, reads app, 0.20"
    assert len(SOURCE) == columns


def test_a_cell_is_where_it_is_drawn(pane: MapPane) -> None:
    view = pane.map
    table = table_of(view)
    place = view.geometry_now()
    assert place is not None
    middle = view.mapToGlobal(place.rect_of(1, 2).center().toPoint())
    found = cell(table, 4, 1, 2)
    assert found.rect().contains(middle)
    assert table.childAt(middle.x(), middle.y()).text(TEXT.Name) == found.text(TEXT.Name)
    assert not found.state().invisible
    assert view.mapFromGlobal(found.rect().topLeft()) == place.rect_of(1, 2).toAlignedRect().topLeft()


def test_the_chosen_cell_follows_and_leads(pane: MapPane, monkeypatch: pytest.MonkeyPatch) -> None:
    view = pane.map
    table = table_of(view)
    told: list[tuple[object, int]] = []
    monkeypatch.setattr(
        "viewer.pages.accessible.cell_table.QAccessible.updateAccessibility",
        lambda event: told.append((event.type(), event.child())),
    )
    monkeypatch.setattr(view, "hasFocus", lambda: True)
    pane._session.select(0, query=1, key=1)
    QApplication.processEvents()
    QTest.keyClick(view, Qt.Key.Key_Right)
    QApplication.processEvents()
    assert told[-1] == (QAccessible.Event.Focus, 2 * 5 + 3)
    found = cell(table, 4, 1, 2)
    assert found.state().focused
    assert found.state().selected
    assert not cell(table, 4, 1, 1).state().selected
    assert table.focusChild().text(TEXT.Name) == found.text(TEXT.Name)
    other = cell(table, 4, 0, 3)
    assert table.selectionInterface().select(other)
    selection = pane._session.selection(0)
    assert selection is not None
    assert (selection.query, selection.key) == (0, 3)


def test_a_large_map_makes_a_cell_when_it_is_asked_for(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    session.add_run(Run("one", square_trace(512)))
    pane.resize(500, 400)
    pane.show()
    qtbot.waitExposed(pane)
    table = table_of(pane.map)
    named: list[tuple[int, int]] = []
    [view] = pane.map.findChildren(CellTable)
    whole = view.shown

    def name(row: int, column: int) -> str:
        named.append((row, column))
        return whole.name(row, column)

    view.shown = replace(whole, name=name)
    assert table.childCount() == 513 * 513
    assert cell(table, 512, 300, 7).text(TEXT.Name)
    assert set(named) == {(300, 7)}


def test_the_table_is_seen_by_nobody(qtbot: QtBot) -> None:
    strip = TokenStrip(Appearance("light"))
    qtbot.addWidget(strip)
    strip.resize(300, strip.height())
    strip.set_clickable(True)
    strip.show_chips((Chip("La", 0.2), Chip("fille", 0.7), Chip("a", 0.1)), 1)
    strip.show()
    qtbot.waitExposed(strip)
    before = strip.grab().toImage()
    table = table_of(strip)
    assert strip.grab().toImage() == before
    assert [cell(table, 3, 0, place).text(TEXT.Name) for place in range(3)] == ["La", "fille", "a"]
    with qtbot.waitSignal(strip.chosen) as heard:
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.chip_center(2))
    assert heard.args == [2]
    with qtbot.waitSignal(strip.chosen) as heard:
        table.selectionInterface().select(cell(table, 3, 0, 0))
    assert heard.args == [0]
    assert cell(table, 3, 0, 2).rect().contains(strip.mapToGlobal(strip.chip_center(2)))
