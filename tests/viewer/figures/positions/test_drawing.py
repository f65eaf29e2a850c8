"""The pictures: nothing leaves its room, every clock and curve is where a click finds it."""

from __future__ import annotations

import math

import pytest
from PySide6.QtCore import QPointF, QRectF

from tests.viewer.figure_samples import picture
from tests.viewer.pages.positions.samples import learned, table
from viewer.document.positions.positions_table import PositionTable, chosen_table
from viewer.export.page import MARGIN, type_scale
from viewer.export.picture import page_width
from viewer.figures.bases.build import bases_figure
from viewer.figures.bases.layout import BasesGeometry
from viewer.figures.bases.spec import BasesSpec
from viewer.figures.canvas.lettering import SMALL, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import Axis, Plot, Series, number_text, place_plot, span
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.clocks.build import clocks_figure
from viewer.figures.clocks.layout import ClocksGeometry, face
from viewer.figures.distance.build import distance_figure
from viewer.figures.distance.layout import DistanceGeometry
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.rotation.build import rotation_figure
from viewer.figures.rotation.layout import RotationGeometry

pytestmark = pytest.mark.usefixtures("qapp")


def figures() -> list[FigureSpec]:
    own = PositionTable(learned(), None, model_name="tiny")
    return [
        clocks_figure(table(), position=5, pair=2),
        rotation_figure(table(halves=True), position=5, offset=3, pair=2),
        distance_figure(table(), count=90, offset=3),
        distance_figure(own, count=40, offset=3),
        bases_figure(chosen_table(10000.0, 512, 30), other=1000.0, count=30, offset=3, pair=2),
    ]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("size", [(1240, 560), (1820, 900), (500, 900), (240, 200), (10, 10)])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_any_size_can_be_drawn(theme: Theme, size: tuple[int, int], scale: float) -> None:
    for figure in figures():
        options = DrawOptions(caption=True, font_scale=scale, vector=scale == 1.0)
        picture(figure, *size, theme=theme, options=options)
        assert figure_height(figure, 700, options) > 300


def plots(place: object) -> list[Plot]:
    if isinstance(place, ClocksGeometry):
        return [place.plot]
    if isinstance(place, DistanceGeometry):
        return [place.by_offset, place.by_position]
    return [place.wavelengths, place.similarity] if isinstance(place, BasesGeometry) else []


@pytest.mark.parametrize("size", [(1240, 560), (1820, 900), (700, 1100)])
def test_numbers_beside_the_axes_are_not_cut_off(size: tuple[int, int]) -> None:
    room = QRectF(0, 0, *size)
    for figure in figures():
        for plot in plots(figure_geometry(figure, room)):
            assert room.contains(plot.box)
            for value in plot.y.ticks(plot.box.height(), 30):
                assert plot.box.left() - 6 - width(number_text(value), SMALL) > plot.head.left()
            half = width(number_text(plot.x.ticks(plot.box.width(), 1)[-1]), SMALL) / 2
            assert plot.box.right() + half <= size[0] + 1
            for series in plot.series:
                for x, y in enumerate(series.values):
                    assert plot.box.adjusted(-1, -1, 1, 1).contains(plot.at(x, y))


def test_every_clock_is_inside_and_found_by_a_click() -> None:
    figure = clocks_figure(table(dimensions=256), position=17, pair=12)
    room = QRectF(0, 0, 1240, 560)
    place = figure_geometry(figure, room)
    assert isinstance(place, ClocksGeometry)
    assert place.clocks.pairs == tuple(range(128))
    for pair, cell in zip(place.clocks.pairs, place.clocks.cells, strict=True):
        assert room.adjusted(-0.01, -0.01, 0.01, 0.01).contains(cell)
        assert place.pair_at(cell.center()) == pair
    assert "Pair 40 " in place.sentence_at(place.clocks.cells[40].center())
    assert place.pair_at(place.plot.at(90, 1000.0)) == 90
    assert place.pair_at(QPointF(1, 1)) is None


def test_very_many_pairs_are_thinned_and_said_to_be() -> None:
    place = figure_geometry(
        clocks_figure(table(count=4, dimensions=1024), position=1, pair=0), QRectF(0, 0, 500, 300)
    )
    assert isinstance(place, ClocksGeometry)
    assert 1 < len(place.clocks.pairs) < 512
    every = place.clocks.pairs[1]
    assert place.clocks.pairs == tuple(range(0, 512, every))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_a_hand_points_where_its_numbers_say(theme: Theme) -> None:
    figure = clocks_figure(table(), position=9, pair=7)
    image, place = picture(figure, 1240, 560, theme=theme)
    assert isinstance(place, ClocksGeometry)
    for pair in (0, 1, 2, 4):
        centre, radius = face(place.clocks.cells[pair], place.clocks.numbered, place.scale)
        angle = 9 / 10000 ** (2 * pair / 16)  # from twelve o'clock, clockwise
        reach = 0.92 * radius
        tip = QPointF(centre.x() + reach * math.sin(angle), centre.y() - reach * math.cos(angle))
        away = QPointF(centre.x() - reach * math.sin(angle), centre.y() + reach * math.cos(angle))
        wanted = theme.curves[0]
        assert image.pixelColor(tip.toPoint()).name() == wanted
        assert image.pixelColor(away.toPoint()).name() != wanted


def test_the_circles_of_the_rotation_are_found_by_a_click() -> None:
    place = figure_geometry(rotation_figure(table(), position=5, offset=3, pair=2), QRectF(0, 0, 1240, 560))
    assert isinstance(place, RotationGeometry)
    assert place.pair_at(place.circle.center()) == 2
    assert [pair for pair, _ in place.strip] == list(place.spec.shown)
    for pair, cell in place.strip:
        assert place.pair_at(cell.center()) == pair
        assert f"Pair {pair}:" in place.sentence_at(cell.center())
    boxes = [each.box for each in place.brackets]
    assert len(boxes) == 6, "once with names, once with numbers"
    for index, box in enumerate(boxes):
        assert QRectF(0, 0, 1240, 560).contains(box)
        assert not any(box.intersects(other) for other in boxes[index + 1 :])
        assert not box.intersects(place.circle)
    said = [run.text for each in place.brackets[3:] for run in each.runs]
    omega = 10000 ** (-4 / 16)
    numbers = [math.sin(8 * omega), math.cos(8 * omega), math.cos(3 * omega), -math.sin(3 * omega)]
    assert [f"{value:+.4f}".replace("-", "−") for value in numbers] == said[:4]


@pytest.mark.parametrize("size", [(870, 240), (1240, 290), (1240, 560)])
def test_what_was_checked_is_said_at_any_height(size: tuple[int, int]) -> None:
    place = figure_geometry(rotation_figure(table(), position=5, offset=3, pair=2), QRectF(0, 0, *size))
    assert isinstance(place, RotationGeometry)
    assert any(run.text.startswith("Checked for all 8 pairs") for run in place.runs)
    assert bool(place.strip) == (size[1] > 400)
    assert len(place.brackets) in (3, 6)
    assert [run.text for run in place.runs if run.text == "R(k)"] == ["R(k)"]


def test_pointing_at_a_curve_reads_its_offset() -> None:
    place = figure_geometry(distance_figure(table(), count=90, offset=3), QRectF(0, 0, 1240, 560))
    assert isinstance(place, DistanceGeometry)
    assert place.offset_at(place.by_offset.at(42, 1.0)) == 42
    assert place.sentence_at(place.by_offset.at(42, 1.0)).startswith("Positions 42 apart")
    assert place.sentence_at(place.by_position.at(7, 1.0)).startswith("Position 7:")
    both = figure_geometry(
        bases_figure(table(), other=500, count=40, offset=3, pair=1), QRectF(0, 0, 1240, 560)
    )
    assert isinstance(both, BasesGeometry)
    assert both.pair_at(both.wavelengths.at(5, 100.0)) == 5
    assert both.offset_at(both.similarity.at(33, 0.5)) == 33


def test_axes_have_round_numbers() -> None:
    assert Axis(0, 95, "").ticks(500, 60) == [0, 20, 40, 60, 80]
    assert Axis(5, 60000, "", log=True).ticks(400, 30) == [10, 100, 1000, 10000]
    assert Axis(6, 40, "", log=True).ticks(400, 30) == [10, 20]
    assert Axis(2, 2, "").ticks(100, 20) == [2]
    assert Axis(1, 100, "", log=True).share(10) == pytest.approx(0.5)
    assert span([1.0, math.inf, 3.0]) == pytest.approx((0.9, 3.1))
    assert span([2.0], zero=True)[0] == 0
    assert span([]) == (0.0, 1.0)


def test_a_legend_names_curves_only_where_there_are_several() -> None:
    axis = Axis(0, 2, "x")
    one = place_plot(QRectF(0, 0, 300, 200), "h", axis, axis, [Series([0, 1, 2], "a")], 1.0)
    two = place_plot(QRectF(0, 0, 300, 200), "h", axis, axis, [Series([0], "a"), Series([1], "b", 1)], 1.0)
    assert len(one.legend) == 0
    assert [number for _, number in two.legend] == [0, 1]


def on_a_page(figure: FigureSpec, mm: float) -> object:
    """The geometry of a figure on an exported page."""
    options, width_px = DrawOptions(caption=True, font_scale=type_scale(mm)), page_width(mm) - 2 * MARGIN
    return figure_geometry(figure, QRectF(0, 0, width_px, figure_height(figure, width_px, options)), options)


@pytest.mark.parametrize("mm", [84.0, 160.0])
def test_the_table_of_two_bases_is_read_in_full_on_a_page(mm: float) -> None:
    figure = bases_figure(chosen_table(10000.0, 64, 128), other=1000.0, count=128, offset=3, pair=2)
    place = on_a_page(figure, mm)
    assert isinstance(place, BasesGeometry)
    said = [run.text for run in place.table]
    assert not any("…" in text for text in said)
    assert {"Longest wavelength, in positions", "Pairs that complete a turn within them"} <= set(said)
    lines: dict[float, list[tuple[float, float]]] = {}
    for run in place.table:
        if run.text:
            end = run.x + width(run.text, run.pixels, run.bold)
            lines.setdefault(run.y, []).append((run.x, end))
    for spans in lines.values():
        edges = [edge for span in sorted(spans) for edge in span]
        assert edges == sorted(edges)
        assert edges[-1] <= place.words.room.right() + 1


@pytest.mark.parametrize("mm", [84.0, 160.0])
def test_every_sentence_of_the_rotation_is_on_a_page(mm: float) -> None:
    place = on_a_page(rotation_figure(table(), position=5, offset=3, pair=2), mm)
    assert isinstance(place, RotationGeometry)
    said = " ".join(run.text for run in place.runs)
    assert "Checked for all 8 pairs" in said
    assert said.endswith("is the same linear map from any position.")
    assert max(run.y for run in place.runs) < place.strip_heading.top()


@pytest.mark.parametrize("dimensions", [1, 3])
def test_two_bases_beside_a_learned_table_of_an_odd_width(dimensions: int) -> None:
    own = PositionTable(learned()[:, :dimensions], None)
    figure = bases_figure(own, other=1000.0, count=8, offset=1, pair=0)
    assert isinstance(figure.body, BasesSpec)
    assert [float(side.cosine[0]) for side in figure.body.sides] == [1.0, 1.0]
