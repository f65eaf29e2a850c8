"""The columns of the grid of links are as wide as Qt would make them, without asking every cell."""

from __future__ import annotations

import pytest
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
