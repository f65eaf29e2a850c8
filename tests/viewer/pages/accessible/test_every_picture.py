"""No picture is for the eye alone: whatever paints itself says its cells, at the place where they stand."""

from __future__ import annotations

import importlib
import math
import pkgutil
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

import viewer
from tests.viewer.figures.test_registry import SAMPLES
from tests.viewer.pages.accessible.test_cell_table import cell, table_of
from tests.viewer.pages.positions.samples import table
from viewer.figures import registry
from viewer.figures.drawing import figure_geometry
from viewer.figures.encoding.build import positions_figure
from viewer.figures.figure import FigureSpec
from viewer.pages.accessible.cells import CellHost
from viewer.pages.accessible.factory import install
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.figure_view import FigureView

TEXT = QAccessible.Text
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")

# Painted widgets that show nothing that is not said elsewhere, and where.
SAID_ELSEWHERE = {
    "CellTable": "it is what says the cells",
    "Spotlight": "a shadow",
    "Ring": "a frame about what the bubble beside it names",
    "DropHint": "its name is its text",
    "Callout": "a bubble about a label",
    "MapPane": "a frame about its pictures",
    "ShareBar": "the label beside it says both numbers",
    "FormulaView": "its description is the formula",
}
# Kinds whose view knows more than the figure: which run, what is pointed at elsewhere, what can be done.
THEIR_VIEWS = {
    "heatmap": "map_view.MapView",
    "flow": "flow_view.FlowView",
    "words": "words_view.WordsView",
    "heads": "heads_view.HeadsView",
    "all_heads": "all_heads_view.AllHeadsView",
    "difference": "difference_view.DifferenceView",
    "tree": "tree_view.TreeView",
    "architecture": "blocks_view.BlocksView",
    "curves": "curves_plots.CurvePlots",
}
CROSSING = ("closeness", "sheet")  # whose lines do: one point may lie on another
SPOKEN = [kind for kind in registry.kinds() if kind.drawing is not None and kind.drawing.spoken is not None]


def classes() -> Iterator[type[QWidget]]:
    """Every widget of the program."""
    for module in pkgutil.walk_packages(viewer.__path__, "viewer."):
        importlib.import_module(module.name)
    waiting: list[type[QWidget]] = [QWidget]
    seen: set[type] = set()
    while waiting:
        for each in waiting.pop().__subclasses__():
            if each not in seen:
                seen.add(each)
                waiting.append(each)
                if each.__module__.startswith("viewer."):
                    yield each


def test_all_that_paints_itself_says_its_cells() -> None:
    silent, painted, views = set(), set(), set()
    for each in classes():
        views.add(f"{each.__module__.rsplit('.', 1)[-1]}.{each.__name__}")
        own = next(part for part in each.__mro__ if "paintEvent" in vars(part)).__module__
        if not own.startswith(("viewer.", "pyqtgraph.")):
            continue
        painted.add(each.__name__)
        says = issubclass(each, CellHost) and each.cells is not CellHost.cells
        if not says and each.__name__ not in SAID_ELSEWHERE:
            silent.add(each.__name__)
    assert silent == set()
    assert set(SAID_ELSEWHERE) <= painted
    assert len(painted) > 30
    assert set(THEIR_VIEWS.values()) <= views
    quiet = {kind.name for kind in registry.kinds() if kind.drawing is not None and kind not in SPOKEN}
    assert quiet == set(THEIR_VIEWS)


class Shown(FigureView):  # type: ignore[type-arg]
    """Any figure."""

    def __init__(self, figure: FigureSpec) -> None:
        self.shown = figure
        self.pressed: list[QPointF] = []
        super().__init__(Appearance("light"))

    def build(self) -> FigureSpec:
        return self.shown

    def press(self, point: QPointF) -> None:
        self.pressed.append(point)


@pytest.fixture
def listening(qapp: QApplication) -> Iterator[None]:
    install()
    QAccessible.setActive(True)
    yield
    QAccessible.setActive(False)


@pytest.mark.usefixtures("listening")
@pytest.mark.parametrize("kind", SPOKEN, ids=lambda kind: kind.name)
def test_a_cell_says_what_the_pointer_is_told_there(qtbot: QtBot, kind: registry.FigureKind) -> None:
    figure = SAMPLES[kind.name]()
    assert kind.drawing is not None
    assert kind.drawing.spoken is not None
    told = kind.drawing.spoken(figure.body)
    view = Shown(figure)
    qtbot.addWidget(view)
    view.resize(1100, 900)
    view.show()
    qtbot.waitExposed(view)
    place = figure_geometry(figure, view.figure_rect, view.options())
    said, drawn = set(), []
    for row in range(told.rows):
        assert told.row_name(row)
        for column in range(told.columns):
            name, rect = told.name(row, column), told.rect(place, row, column)
            assert "{" not in name
            said.add(name)
            if not name:
                assert rect.isEmpty()
            elif not rect.isEmpty():
                drawn.append((row, column))
                assert view.rect().toRectF().adjusted(-1, -1, 1, 1).intersects(rect), name
    assert len(said) >= 3
    assert len(drawn) > 2
    for row, column in drawn[:: max(1, len(drawn) // 40)]:
        centre, name = told.rect(place, row, column).center(), told.name(row, column)
        found = told.found(place, centre)
        assert found is not None
        if kind.name not in CROSSING:
            assert told.name(*found) == name
            if hasattr(place, "sentence_at"):
                assert place.sentence_at(centre) == name
    row, column = drawn[-1]
    rows, columns, expected = told.rows, told.columns, told.name(row, column)
    found_table = table_of(view)
    assert found_table.childCount() == (rows + 1) * (columns + 1)
    asked = cell(found_table, columns, row, column)
    assert asked.text(TEXT.Name) == expected
    middle = view.mapToGlobal(told.rect(place, row, column).center().toPoint())
    assert asked.rect().adjusted(-1, -1, 1, 1).contains(middle)
    found_table.selectionInterface().select(asked)
    assert [QRectF(told.rect(place, row, column)).contains(point) for point in view.pressed] == [True]


def test_the_numbers_said_are_those_of_the_formula(qapp: QApplication) -> None:
    figure = positions_figure(table().rows, (0,), count=20)
    drawing = registry.drawing_of(figure.body)
    assert drawing.spoken is not None
    told, wide = drawing.spoken(figure.body), table().rows.shape[1]
    for position, dimension in ((0, 1), (7, 2), (19, 5)):
        angle = position / 10000 ** (2 * (dimension // 2) / wide)
        value = math.cos(angle) if dimension % 2 else math.sin(angle)
        said = told.name(position, dimension)
        assert said == f"position {position}, dimension {dimension}: {value:+.4f}"
