"""The columns of the grid of links are as wide as Qt would make them, without asking every cell."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from model.alignment.links import Gold
from viewer.dialogs.gold_grid import GoldGrid

WORDS = ("a", "little", "incomprehensibilities", "我", "dog", "W")


@pytest.mark.parametrize("points", [8, 11, 30])
@pytest.mark.parametrize("gold", [Gold(), Gold(((0, 0), (3, 2)), ((0, 1), (4, 4), (2, 99)))])
def test_columns_are_as_wide_as_qt_says(qtbot: QtBot, points: int, gold: Gold) -> None:
    grid = GoldGrid()
    qtbot.addWidget(grid)
    font = grid.font()
    font.setPointSize(points)
    grid.setFont(font)
    grid.words.show(WORDS, WORDS, gold)
    fitted = [grid.columnWidth(column) for column in range(len(WORDS))]
    grid.resizeColumnsToContents()
    assert fitted == [grid.columnWidth(column) for column in range(len(WORDS))]


def test_a_large_grid_asks_few_cells(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    grid = GoldGrid()
    qtbot.addWidget(grid)
    asked: list[object] = []
    data = type(grid.words).data
    monkeypatch.setattr(type(grid.words), "data", lambda *given: asked.append(None) or data(*given))
    words = tuple(f"w{number}" for number in range(300))
    grid.words.show(words, words, Gold(((1, 1),)))
    assert len(asked) < 1000


def test_columns_out_of_sight_get_their_width_soon(qtbot: QtBot) -> None:
    grid = GoldGrid()
    qtbot.addWidget(grid)
    words = ("w",) * 200 + ("incomprehensibilities",)
    grid.words.show(words, words, Gold())
    assert grid.columnWidth(59) == grid.columnWidth(0) < grid.columnWidth(199)  # which has the usual one yet
    qtbot.waitUntil(lambda: grid.columnWidth(199) == grid.columnWidth(0))
    qtbot.waitUntil(lambda: not grid._turn.waiting)
    fitted = [grid.columnWidth(column) for column in range(201)]
    grid.resizeColumnsToContents()
    assert fitted == [grid.columnWidth(column) for column in range(201)]


@pytest.mark.parametrize("ahead", [False, True])
@pytest.mark.parametrize("words", [WORDS, ("a",) * 150 + ("incomprehensibilities",)])
def test_headers_take_the_room_that_qt_gives_them(qtbot: QtBot, words: tuple[str, ...], ahead: bool) -> None:
    grid, usual = GoldGrid(), QTableView()
    for view in (grid, usual):
        qtbot.addWidget(view)
    usual.setModel(grid.words)
    usual.verticalHeader().setDefaultAlignment(grid.verticalHeader().defaultAlignment())
    if ahead:
        others = tuple(f"w{number}" for number in range(600))
        assert len(list(grid.measuring((*words, *others), words))) == 1  # a pause after each 512 words
    grid.words.show(words, words, Gold())
    for ours, qts in (
        (grid.verticalHeader(), usual.verticalHeader()),
        (grid.horizontalHeader(), usual.horizontalHeader()),
    ):
        assert ours.sizeHint() == qts.sizeHint()
