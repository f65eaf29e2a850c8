"""Parts of a sheet: where their marks are, what is under a point, and their numbers, by hand."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QApplication

from viewer.figures.canvas.lettering import SMALL, width
from viewer.figures.canvas.plot import Axis
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.drawing import DrawOptions, figure_geometry, figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.rows import figure_rows
from viewer.figures.sheet.bars import Bars, BarSeries, PlacedBars
from viewer.figures.sheet.curves import Curves, Handle, Line, PlacedCurves
from viewer.figures.sheet.grid import Grid, PlacedGrid
from viewer.figures.sheet.lattice import Arch, Lattice
from viewer.figures.sheet.layout import SheetGeometry
from viewer.figures.sheet.panels import Panels, PlacedPanels
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.text_table import TextTable
from viewer.figures.sheet.tree import PlacedTree, Tree, TreeNode
from viewer.figures.sheet.waterfall import PlacedWaterfall, Waterfall
from viewer.figures.sheet.words import PlacedWords, Token, TokenLine, Words

PLACE = QRectF(10, 20, 400, 300)


@pytest.fixture(autouse=True)
def application(qapp: QApplication) -> None:
    """Type is measured."""


def test_bars() -> None:
    bars = Bars("Bars", ["one", "two"], (BarSeries("", [0.25, math.nan]),), 1.0, pick="which")
    assert list(bars.rows()) == [("", "one", 0.25), ("", "two", "")]
    placed = bars.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedBars)
    first = next(y for y in range(20, 320) if placed.row_at(QPointF(50, y)) == 0)
    second = next(y for y in range(20, 320) if placed.row_at(QPointF(50, y)) == 1)
    assert second - first == pytest.approx(bars.row_height(1.0), abs=1)
    assert placed.sentence_at(QPointF(50, first)) == "one · 0.250"
    assert placed.sentence_at(QPointF(50, second)) == "two"
    assert placed.picked_at(QPointF(50, second)) == {"which": 1}
    assert placed.picked_at(QPointF(50, 319)) == {}


def test_the_corner_of_a_grid_is_framed_as_one() -> None:
    """Two rows and columns of four: the frame's right edge is between the second and the third column."""
    grid = Grid("", np.zeros((4, 4), np.float32), levels=(-1.0, 1.0), corner=(2, 2), written=False)
    spec = SheetSpec("", (), ((grid,),))
    options = DrawOptions()
    rect = QRectF(0, 0, 300, 300)
    place = figure_geometry(FigureSpec(spec, "", {}), rect, options)
    assert isinstance(place, SheetGeometry)
    placed = next(each for each in place.parts if isinstance(each, PlacedGrid))
    image = QImage(300, 300, QImage.Format.Format_RGB32)
    image.fill(LIGHT.color("panel"))
    painter = QPainter(image)
    placed.paint(painter, LIGHT, vector=False)
    painter.end()
    accent = LIGHT.color("accent").rgb()

    def framed(row: int, column: int) -> bool:
        cell = placed.cell(row, column)
        x, y = round(cell.right()), round(cell.center().y())
        return any(image.pixel(x + by, y) == accent for by in (-1, 0, 1))

    assert framed(0, 1)
    assert framed(1, 1)
    assert not framed(0, 0)
    assert not framed(2, 1)


def test_waterfall() -> None:
    """3 - 5 + 1 + 0.5 = -0.5: the smallest two together, each bar from where the one before it ended."""
    parts = [("small", 0.5), ("up", 3.0), ("one", 1.0), ("down", -5.0)]
    fall = Waterfall.of_largest("", parts, 2, "sum")
    assert fall.spans() == [(0.0, -5.0), (-5.0, -2.0), (-2.0, -0.5), (0.0, -0.5)]
    assert [row[2] for row in fall.rows()] == [-5.0, 3.0, 1.5, -0.5]
    assert list(Waterfall.of_largest("", parts, 3, "sum").names) == ["down", "up", "one", "small"]
    placed = fall.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedWaterfall)
    down, up, rest, total = map(placed.bar, range(4))
    assert (up.left(), up.right()) == (pytest.approx(down.left()), pytest.approx(rest.left()))
    assert rest.right() == pytest.approx(total.left())
    assert down.right() == pytest.approx(total.right())
    assert down.width() / up.width() == pytest.approx(5 / 3)
    assert PLACE.contains(placed.rect_of(3, 0))
    assert placed.sentence_at(up.center()) == "up: +3.000; so far −2.000"
    assert placed.sentence_at(total.center()) == "sum: −0.500"
    empty = Waterfall("", [], [], "sum").placed(PLACE, 1.0)
    assert empty.sentence_at(empty.rect_of(0, 0).center()) == "sum: 0"


def test_panels() -> None:
    """Three maps, two in a line: each in its own half, asked about by its own name."""
    maps = [np.full((2, 2), value, np.float32) for value in (0.1, 0.2, 0.3)]
    names = ("first", "second", "third")
    panels = Panels("All", tuple(Grid(name, own) for name, own in zip(names, maps, strict=True)), 2)
    assert list(panels.rows())[4] == ("second · 1", "1", pytest.approx(0.2))
    first, second, third = panels.places(PLACE, 1.0)
    assert (first.left(), second.right()) == (PLACE.left(), pytest.approx(PLACE.right()))
    assert first.right() < second.left()
    assert (third.left(), third.top() > first.bottom()) == (first.left(), True)
    assert third.bottom() <= PLACE.bottom()
    placed = panels.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedPanels)
    for name, own, where in zip(names, placed.parts, panels.places(PLACE, 1.0), strict=True):
        assert isinstance(own, PlacedGrid)
        said = placed.sentence_at(own.cell(1, 0).center())
        assert said == f"{name} · 2 · 1: {own.part.values[1, 0]:.3f}"
        assert where.contains(own.cell(1, 1).center())
    assert placed.sentence_at(QPointF(PLACE.left() + 1, PLACE.bottom() - 1)) == ""
    assert panels.height(400, 1.0) > 2 * Grid("first", maps[0]).height(194, 1.0)


def test_curves() -> None:
    line = Line("curve", [0.0, 1.0, 2.0], [3.0, math.nan, 5.0])
    curves = Curves(
        "Curves",
        Axis(0, 2, "x"),
        Axis(3, 5, "y"),
        (line,),
        handles=(Handle("a", 0.5, 4.0), Handle("b", 0.6, 4.0)),
    )
    assert list(curves.rows()) == [("curve", 0.0, 3.0), ("curve", 1.0, ""), ("curve", 2.0, 5.0)]
    placed = curves.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedCurves)
    box = placed.plot.box
    assert PLACE.contains(box)
    assert placed.plot.at(0.0, 3.0) == box.bottomLeft()
    assert placed.plot.at(1.0, 4.0) == box.center()
    # The handle that is nearer is grasped.
    left, right = (placed.plot.at(x, 4.0) for x in (0.5, 0.6))
    assert placed.handle_at(left - QPointF(3, 2)) == "a"
    assert placed.handle_at(right + QPointF(3, 2)) == "b"
    assert placed.handle_at(box.center()) == ""
    assert placed.dragged_to("a", box.center()) == pytest.approx(1.0)
    assert placed.dragged_to("a", QPointF(box.left() - box.width(), 0)) == pytest.approx(-2.0)
    assert placed.sentence_at(box.topRight() + QPointF(-3, 3)) == "curve: 2 → 5"
    logarithmic = Curves("", Axis(1, 100, "x", log=True), Axis(0, 1, "y"), ()).placed(PLACE, 1.0)
    assert isinstance(logarithmic, PlacedCurves)
    assert logarithmic.dragged_to("a", logarithmic.plot.box.center()) == pytest.approx(10.0)


def test_grid() -> None:
    values = np.array([[0.5, np.nan, 0.25], [1.0, 0.0, 0.75]], np.float32)
    masked = np.array([[False, False, True], [False, False, False]])
    grid = Grid("Grid", values, ["r", "s"], ["a", "b", "c"], masked=masked, picks=("row", ""))
    assert list(grid.rows()) == [
        ("r", "a", 0.5), ("r", "b", ""), ("r", "c", "masked"),
        ("s", "a", 1.0), ("s", "b", 0.0), ("s", "c", 0.75),
    ]  # fmt: skip
    placed = grid.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedGrid)
    assert PLACE.contains(placed.box)
    for row, column in itertools.product(range(2), range(3)):
        assert placed.cell_at(placed.cell(row, column).center()) == (row, column)
    assert placed.cell(1, 2).bottomRight().x() == pytest.approx(placed.box.right())
    assert placed.sentence_at(placed.cell(0, 0).center()) == "r · a: 0.500"
    assert placed.sentence_at(placed.cell(0, 2).center()) == "r · c: —"
    assert placed.picked_at(placed.cell(1, 2).center()) == {"row": 1}
    assert placed.picked_at(PLACE.topLeft()) == {}


def test_words() -> None:
    tokens = tuple(Token(text, value=0.5 if text == "b" else None) for text in "abcdefghij")
    words = Words(
        "Words", (TokenLine("line", tokens, pick="word"), TokenLine("other", (Token("k", tip="why"),)))
    )
    assert list(words.rows())[:2] == [("line", "a", ""), ("line", "b", 0.5)]
    narrow = words.placed(QRectF(0, 0, 120, 500), 1.0)
    assert isinstance(narrow, PlacedWords)
    boxes = [box for row in narrow.boxes for box in row]
    assert len({box.top() for box in narrow.boxes[0]}) > 1  # wrapped
    assert not any(one.intersects(other) for one, other in itertools.combinations(boxes, 2))
    assert all(0 <= box.left() <= box.right() <= 120 and box.bottom() <= narrow.bottom for box in boxes)
    assert words.height(120, 1.0) == narrow.bottom
    assert narrow.sentence_at(boxes[1].center()) == "b: 0.5"
    assert narrow.sentence_at(boxes[10].center()) == "why"
    assert narrow.picked_at(boxes[4].center()) == {"word": 4}
    assert narrow.picked_at(boxes[10].center()) == {}


def test_text_table() -> None:
    table = TextTable("Table", ("name", "size", "of"), (("x", "1", "u"), ("y", "2", "v")))
    assert list(table.rows()) == [("x", "size", "1"), ("x", "of", "u"), ("y", "size", "2"), ("y", "of", "v")]
    assert table.height(400, 1.0) - TextTable("", ("n",), ()).height(400, 1.0) > 2 * table.line(1.0)


def test_gaps_of_a_table_give_way_before_the_names_of_its_columns() -> None:
    names = ("", "parameters", "cache", "right (%)", "loss")
    line = ("Multi-query (1)", "278,512", "16", "64", "0.254")
    table = TextTable("", names, (line,))

    def room(wide: float) -> list[float]:
        place = table.placed(QRectF(0, 0, wide, 100), 1.0)
        return [place.rect_of(0, column).width() for column in range(len(names))]

    needed = [max(width(text, SMALL, True) for text in column) for column in zip(names, line, strict=True)]
    for wide in (sum(needed) + 7 * len(names), sum(needed) + 12 * len(names), 900):
        assert all(has - 6.9 >= wants for has, wants in zip(room(wide), needed, strict=True))
        assert sum(room(wide)) <= wide + 1e-6


TREE = (
    TreeNode("root"),
    TreeNode("a", 0, "0.6", value=0.6),
    TreeNode("b", 0, "0.4", value=0.4, note="end"),
    TreeNode("c", 1, "0.7", value=0.42, tip="told"),
    TreeNode("d", 1, "0.3", value=0.18),
)


def test_tree() -> None:
    tree = Tree("Tree", TREE)
    assert tree.columns == [0, 1, 1, 2, 2]
    # Leaves from the top: c, d, b; a between c and d, the root between a and b.
    assert tree.places == [1.25, 0.5, 2.0, 0.0, 1.0]
    assert tree.leaves == 3
    assert list(tree.rows()) == [
        ("root", "", ""), ("root a", "0.6", 0.6), ("root b", "0.4", 0.4),
        ("root a c", "0.7", 0.42), ("root a d", "0.3", 0.18),
    ]  # fmt: skip
    placed = tree.placed(PLACE, 1.0)
    assert isinstance(placed, PlacedTree)
    assert placed.sentence_at(placed.chips[2].center()) == "0.4 b end"
    assert placed.sentence_at(placed.edges[3].center()) == "told"
    assert placed.sentence_at(PLACE.bottomRight()) == ""
    rows = [chip.center().y() for chip in placed.chips]
    assert (rows[1] - rows[3], rows[0] - rows[3]) == pytest.approx(
        (0.5 * (rows[4] - rows[3]), 1.25 * (rows[4] - rows[3]))
    )


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(0, 30), max_size=30), st.integers(200, 900), st.integers(80, 700), st.data())
def test_nothing_of_a_tree_overlaps(parents: list[int], wide: int, tall: int, data: st.DataObject) -> None:
    texts = st.sampled_from(["a", "word", "a long piece", ""])
    nodes = [TreeNode("root")]
    for parent in parents:
        nodes.append(TreeNode(data.draw(texts), parent % len(nodes), data.draw(texts), data.draw(texts)))
    tree = Tree("", tuple(nodes))
    placed = tree.placed(QRectF(0, 0, wide, tall), 1.0)
    assert isinstance(placed, PlacedTree)
    boxes = [*placed.chips, *(box for box in placed.edges if box.width() > 0)]
    for one, other in itertools.combinations(boxes, 2):
        shared = one.intersected(other)
        assert shared.width() < 1e-6 or shared.height() < 1e-6
    assert max(box.bottom() for box in boxes) <= tall + 1e-6
    deep = max(tree.columns)
    if wide >= 200 * (deep + 1):  # room for the longest texts in every column
        assert max(box.right() for box in boxes) <= wide + 1e-6


def test_room_that_is_left_goes_to_parts_that_gain_by_it() -> None:
    table = TextTable("Table", ("name", "size"), (("x", "1"),))
    plot = Curves("Curves", Axis(0, 1, "x"), Axis(0, 1, "y"), (Line("", [0, 1], [0, 1]),))
    figure = FigureSpec(SheetSpec("Sheet", (), ((table,), (plot,))), "", {})
    plain = DrawOptions(title=False)
    asked = figure_height(figure, 600, plain)
    small, large = (
        figure_geometry(figure, QRectF(0, 0, 600, height), plain) for height in (asked, asked + 100)
    )
    assert isinstance(small, SheetGeometry)
    assert isinstance(large, SheetGeometry)
    heights = [[part.rect.height() for part in one.parts[:1]] for one in (small, large)]  # type: ignore[attr-defined]
    assert heights[0] == heights[1] == [pytest.approx(table.height(600, 1.0))]
    boxes = [one.parts[1].plot.box.height() for one in (small, large)]  # type: ignore[attr-defined]
    assert boxes[1] - boxes[0] == pytest.approx(100)


def test_parts_of_a_narrow_page_stand_under_each_other() -> None:
    parts: tuple[Part, ...] = tuple(Bars(name, ["x"], (BarSeries("", [1.0]),)) for name in ("A", "B"))
    figure = FigureSpec(SheetSpec("Sheet", (), (parts,)), "", {})
    for wide, beside in ((700, True), (400, False)):
        place = figure_geometry(figure, QRectF(0, 0, wide, 400), DrawOptions(title=False))
        assert isinstance(place, SheetGeometry)
        first, second = (part.rect for part in place.parts)  # type: ignore[attr-defined]
        assert (first.top() == second.top()) is beside
        assert not first.intersects(second)
    assert [list(row) for row in figure_rows(figure)] == [
        ["part", "name", "at", "value"],
        ["A", "", "x", 1.0],
        ["B", "", "x", 1.0],
    ]


NODES = (TreeNode("a"), TreeNode("b", 0, "0.5", "end"), TreeNode("c", 0, "0.25", tip="all of c"))
TOLD: dict[str, tuple[Part, list[list[str]]]] = {
    "bars": (
        Bars("", ["one", "two"], (BarSeries("p", [0.25, 1]), BarSeries("q", [0.5, math.nan]))),
        [["one · p: 0.250 · q: 0.500"], ["two · p: 1.000"]],
    ),
    "curves": (
        Curves("", Axis(0, 2, "x"), Axis(3, 5, "y"), (Line("c", [0, 1], [3, 5]), Line("d", [2], [4]))),
        [["c: 0 → 3", "c: 1 → 5"], ["d: 2 → 4", ""]],
    ),
    "grid": (
        Grid("", np.float32([[0.5, 0.25]]), ["chat"], ["the", "cat"], masked=np.array([[True, False]])),
        [["chat · the: —", "chat · cat: 0.250"]],
    ),
    "table": (
        TextTable("", ("word", "n"), (("a", "1"), ("b", "2"))),
        [["word: a", "n: 1"], ["word: b", "n: 2"]],
    ),
    "tree": (Tree("", NODES), [["a"], ["0.5 b end"], ["all of c"]]),
    "words": (
        Words(
            "",
            (TokenLine("l", (Token("x", value=0.5), Token("y"))), TokenLine("m", (Token("z", tip="zed"),))),
        ),
        [["x: 0.5", "y"], ["zed", ""]],
    ),
    "lattice": (
        Lattice("", "abc", (Arch(0, 2, "ab", "−1"), Arch(2, 3, "c", tip="only c"))),
        [["ab −1"], ["only c"]],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_what_a_part_says_is_said_where_it_stands(name: str) -> None:
    part, expected = TOLD[name]
    rows, columns = part.size()
    said = [[part.said(row, column) for column in range(columns)] for row in range(rows)]
    assert said == expected
    placed = part.placed(PLACE, 1.0)
    for row, column in itertools.product(range(rows), range(columns)):
        rect = placed.rect_of(row, column)
        assert rect.isEmpty() == (said[row][column] == "")
        if not rect.isEmpty():
            assert placed.sentence_at(rect.center()) == said[row][column]
