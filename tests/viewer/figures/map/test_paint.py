"""Pixels and places of drawn maps; colours expected from the weights by the rule round(255 w)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QImage

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import CROSS, DECODER, picture, sample_trace, square_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry

pytestmark = pytest.mark.usefixtures("qapp")

CHOSEN = Selection(AttentionKind.CROSS, layer=1, head=0, step=2)


def figure(trace: Trace | None = None, selection: Selection = CHOSEN, **view: Any) -> FigureSpec:
    return map_figure(trace or sample_trace(), selection, ViewOptions(**view))


def draw(spec: FigureSpec, *args: Any, **kwargs: Any) -> tuple[QImage, MapGeometry]:
    image, place = picture(spec, *args, **kwargs)
    assert isinstance(place, MapGeometry)
    return image, place


def colour(image: QImage, point: QPointF) -> tuple[int, int, int]:
    scale = image.devicePixelRatio()
    pixel = image.pixelColor(int(point.x() * scale), int(point.y() * scale))
    return pixel.red(), pixel.green(), pixel.blue()


def table_colour(theme: Theme, weight: float, *, sqrt_scale: bool = False) -> tuple[int, int, int]:
    value = int(theme.table[math.floor(255 * (math.sqrt(weight) if sqrt_scale else weight) + 0.5)])
    return value >> 16 & 255, value >> 8 & 255, value & 255


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("scale", [1.0, 2.0])
@pytest.mark.parametrize("sqrt_scale", [False, True])
@pytest.mark.parametrize("vector", [False, True])
def test_every_cell_has_the_colour_of_its_weight_in_its_place(
    theme: Theme, scale: float, sqrt_scale: bool, vector: bool
) -> None:
    spec = figure(sqrt_scale=sqrt_scale)
    image, place = draw(spec, theme=theme, scale=scale, options=DrawOptions(vector=vector))
    for row in range(3):
        for column in range(4):
            centre = place.rect_of(row, column).center()
            assert colour(image, centre) in near_colours(theme, float(CROSS[row, column]), sqrt_scale)
    # Queries go down, keys go right.
    first = place.rect_of(0, 0)
    assert place.rect_of(1, 0).top() > first.top()
    assert place.rect_of(1, 0).left() == first.left()
    assert place.rect_of(0, 1).left() > first.left()


def test_masked_cells_are_hatched_and_differ_from_zero_and_from_later() -> None:
    own = CHOSEN.but(kind=AttentionKind.DECODER_SELF)
    image, place = draw(figure(selection=own))
    masked = colours_in(image, place.rect_of(0, 1).adjusted(3, 3, -3, -3))
    assert LIGHT.masked in masked
    assert len(masked) > 1
    assert LIGHT.panel not in masked
    centre = place.rect_of(2, 0).center()
    assert colour(image, centre) in near_colours(LIGHT, float(DECODER[2, 0]), False)
    image, place = draw(figure(selection=own.but(step=0)))
    later = colours_in(image, place.rect_of(1, 0))
    assert LIGHT.outline in later
    assert not later & {LIGHT.masked, LIGHT.hatch}
    image, place = draw(figure())
    zero = colours_in(image, place.rect_of(0, 3).adjusted(3, 3, -3, -3))
    assert zero == {LIGHT.panel}


def near_colours(theme: Theme, weight: float, sqrt_scale: bool) -> list[tuple[int, int, int]]:
    """The colours one step of 1/255 up and down: 0.7 is not exactly a number of 32 bits."""
    place = math.floor(255 * (math.sqrt(weight) if sqrt_scale else weight) + 0.5)
    values = [int(value) for value in theme.table[max(0, place - 1) : place + 2]]
    return [(value >> 16 & 255, value >> 8 & 255, value & 255) for value in values]


def hex_colour(weight: float) -> str:
    return "#" + "".join(f"{channel:02x}" for channel in table_colour(LIGHT, weight))


def colours_in(image: QImage, rect: QRectF) -> set[str]:
    return {
        image.pixelColor(x, y).name()
        for x in range(int(rect.left()), int(rect.right()))
        for y in range(int(rect.top()), int(rect.bottom()))
    }


def test_rows_of_later_steps_show_no_weights() -> None:
    image, place = draw(figure(selection=CHOSEN.but(step=0)))
    assert colour(image, place.rect_of(0, 0).center()) in near_colours(LIGHT, 0.7, False)
    for row in (1, 2):
        for column in range(4):
            assert colours_in(image, place.rect_of(row, column).adjusted(6, 6, -6, -6)) == {LIGHT.panel}


def test_vector_cells_leave_no_seams() -> None:
    weights = np.full((1, 1, 1, 60), 0.5, np.float32).repeat(60, axis=2)
    names = tuple(f"▁{n}" for n in range(60))
    trace = trace_of({AttentionKind.CROSS: weights}, names, names)
    spec = figure(trace, Selection(AttentionKind.CROSS, step=59))
    for scale in (1.0, 1.37, 3.1):
        image, place = draw(spec, 500, 420, scale=scale, options=DrawOptions(vector=True))
        inside = place.map_rect.adjusted(2, 2, -2, -place.cell_height - 2)
        rect = QRectF(inside.topLeft() * scale, inside.bottomRight() * scale)
        assert colours_in(image, rect) == {hex_colour(0.5)}


def test_equal_figures_are_drawn_alike_as_shapes_and_as_an_image() -> None:
    spec = figure()
    shapes, place = draw(spec, options=DrawOptions(vector=True))
    image, same = draw(spec)
    assert place.map_rect == same.map_rect
    for row in range(3):
        for column in range(4):
            centre = place.rect_of(row, column).center()
            assert colour(shapes, centre) == colour(image, centre)


@pytest.mark.parametrize("vector", [False, True])
def test_a_lone_weight_among_a_thousand_tokens_is_seen(vector: bool) -> None:
    weights = np.zeros((1, 1, 1000, 1000), np.float32)
    weights[0, 0, :, 0] = 1
    weights[0, 0, 517, [0, 333]] = [0, 1]
    names = tuple(f"▁{n}" for n in range(1000))
    trace = trace_of({AttentionKind.CROSS: weights}, names, names)
    spec = figure(trace, Selection(AttentionKind.CROSS, step=999))
    image, place = draw(spec, 500, 420, options=DrawOptions(vector=vector))
    assert place.cell_width < 1
    centre = place.rect_of(517, 333).center()
    near = QRectF(centre.x() - 2, centre.y() - 2, 5, 5)
    dark = hex_colour(1.0) in colours_in(image, near)
    assert dark or vector  # a device that keeps images gets every cell in one that is not sampled here


@pytest.mark.parametrize("tokens", [1, 2, 10, 100, 1000])
@pytest.mark.parametrize("size", [(640, 480), (240, 200), (1400, 500)])
def test_hit_tests_undo_the_layout(tokens: int, size: tuple[int, int]) -> None:
    selection = Selection(AttentionKind.CROSS, step=tokens - 1)
    spec = map_figure(square_trace(tokens), selection, ViewOptions())
    place = figure_geometry(spec, QRectF(7, 9, *size))
    assert isinstance(place, MapGeometry)
    for row, column in {(0, 0), (tokens - 1, 0), (tokens // 2, tokens // 3), (0, tokens - 1)}:
        assert place.cell_at(place.rect_of(row, column).center()) == (row, column)
    area = place.map_rect
    assert place.cell_at(area.topLeft() - QPointF(1, 1)) is None
    assert place.cell_at(area.bottomRight() + QPointF(1, 1)) is None
    assert place.cell_at(QPointF(area.right() + 1, area.center().y())) is None
    assert QRectF(7, 9, *size).contains(area)
    assert 0.49 <= place.cell_width / place.cell_height <= 2.01


def test_the_map_fills_its_room() -> None:
    spec = figure(square_trace(12), Selection(AttentionKind.CROSS, step=11))
    for width, height in ((660, 550), (900, 600), (1200, 900)):
        place = figure_geometry(spec, QRectF(0, 0, width, height))
        assert isinstance(place, MapGeometry)
        assert place.map_rect.height() > 0.7 * height
        assert place.map_rect.width() > 0.55 * width


def test_the_natural_height_makes_square_cells() -> None:
    spec = figure(square_trace(12), Selection(AttentionKind.CROSS, step=11))
    options = DrawOptions(caption=True)
    place = figure_geometry(spec, QRectF(0, 0, 600, figure_height(spec, 600, options)), options)
    assert isinstance(place, MapGeometry)
    assert place.cell_width == pytest.approx(place.cell_height, rel=0.08)


def test_a_zoomed_map_shows_its_part_and_says_so() -> None:
    trace = square_trace(200)
    spec = figure(trace, Selection(AttentionKind.CROSS, step=199))
    options = DrawOptions(zoom=Zoom(40, 60, 38, 70))
    image, place = draw(spec, options=options)
    assert (place.first_row, place.last_row, place.first_column, place.last_column) == (40, 60, 38, 70)
    assert place.cell_at(place.map_rect.topLeft() + QPointF(1, 1)) == (40, 38)
    assert place.cell_at(place.rect_of(50, 50).center()) == (50, 50)
    assert colour(image, place.rect_of(50, 50).center()) == table_colour(LIGHT, 1.0)
    assert colour(image, place.rect_of(50, 51).center()) == table_colour(LIGHT, 0.0)
    assert place.legend.height() > 0


def test_nothing_to_show_is_drawn_without_complaint() -> None:
    only_end = trace_of({AttentionKind.CROSS: np.ones((1, 1, 1, 1), np.float32)}, ("</s>",), ("</s>",))
    spec = figure(only_end, Selection(AttentionKind.CROSS, step=0), hide_specials=True)
    image, place = draw(spec)
    assert place.cell_at(QPointF(300, 200)) is None
    assert not image.isNull()
    none_yet = trace_of({AttentionKind.CROSS: np.zeros((1, 1, 0, 2), np.float32)}, ("▁a", "</s>"), ())
    image, place = draw(figure(none_yet, Selection(AttentionKind.CROSS)))
    assert place.cell_at(place.rect_of(0, 1).center()) == (0, 1)


@pytest.mark.parametrize("size", [(1, 1), (20, 300), (300, 20), (0, 0)])
def test_no_room_is_no_error(size: tuple[int, int]) -> None:
    figure_geometry(figure(), QRectF(0, 0, *size))
    picture(figure(), max(1, size[0]), max(1, size[1]), options=DrawOptions(caption=True))


def test_title_badges_and_caption_are_placed_when_asked_for() -> None:
    spec = figure(sqrt_scale=True, hide_specials=True)
    _, place = draw(spec, options=DrawOptions(caption=True))
    texts = " ".join(run.text for run in place.words.runs)
    assert "Decoder layer 2 of 2, head 1 of 2" in texts
    assert "square-root colour scale, true values" in texts
    assert "special tokens hidden: 12.5 % of the weight" in texts
    for word in spec.caption.split():
        assert word in texts
    assert len(place.words.pills) == 2
    _, bare = draw(spec, options=DrawOptions(title=False, badges=False))
    assert bare.words.runs == ()
    assert bare.map_rect.top() < place.map_rect.top()


def test_the_colour_bar_has_true_values_at_their_colours() -> None:
    for sqrt_scale in (False, True):
        spec = figure(sqrt_scale=sqrt_scale)
        image, place = draw(spec)
        ticks = {text: share for share, text in place.bar.ticks}
        assert {"0", "0.5", "1"} <= set(ticks)
        if sqrt_scale:
            assert {"0.01", "0.1"} <= set(ticks)
        for text, share in ticks.items():
            weight = float(text)
            assert share == pytest.approx(math.sqrt(weight) if sqrt_scale else weight)
            if 0 < weight < 1:
                box = place.bar.box
                point = QPointF(box.center().x(), box.bottom() - share * box.height())
                expected = table_colour(LIGHT, weight, sqrt_scale=sqrt_scale)
                assert colour(image, point) == pytest.approx(expected, abs=4)


def test_the_crosshair_and_the_pointer_are_framed_and_their_labels_stand_out() -> None:
    spec = figure(selection=CHOSEN.but(query=1, key=2))
    image, place = draw(spec, options=DrawOptions(hover=(0, 1)))
    assert LIGHT.accent in colours_in(image, place.rect_of(1, 2).adjusted(-2, -2, 2, 2))
    strong = {run.text for label in place.columns for run in label.runs if run.role == "accent"}
    assert strong == {"⋅les", "app"}
    assert place.label_at(place.columns[0].outline().boundingRect().center()) is not None
    row = next(label for label in place.rows if label.index == 1)
    found = place.label_at(row.outline().boundingRect().center())
    assert found is spec.body.row_labels[1]


def crossing(rows: int, columns: int) -> Trace:
    """A trace whose target has `rows` and whose source has `columns` tokens."""
    weights = np.full((1, 1, rows, columns), 1 / columns, np.float32)
    names = tuple(f"▁w{n}" for n in range(max(rows, columns)))
    return trace_of({AttentionKind.CROSS: weights}, names[:columns], names[:rows])


@pytest.mark.parametrize(("rows", "columns"), [(1, 2), (4, 11), (20, 61), (23, 650), (300, 4), (473, 300)])
def test_a_page_suits_any_shape_of_map(rows: int, columns: int) -> None:
    spec = figure(crossing(rows, columns), Selection(AttentionKind.CROSS, step=rows - 1))
    options = DrawOptions(caption=True)
    height = figure_height(spec, 590, options)
    place = figure_geometry(spec, QRectF(0, 0, 590, height), options)
    assert isinstance(place, MapGeometry)
    assert height < 2 * 590
    assert place.row_title.text == "target tokens (queries): reads → predicts"
    if rows <= 23:
        assert len(place.rows) == rows  # every one of the few has its label
    assert place.map_rect.width() >= min(100, 14 * columns) - 0.1
    assert place.map_rect.bottom() <= height


def test_a_long_source_fills_the_window_too() -> None:
    spec = figure(crossing(23, 650), Selection(AttentionKind.CROSS, step=22))
    place = figure_geometry(spec, QRectF(0, 0, 620, 480))
    assert isinstance(place, MapGeometry)
    assert len(place.rows) == 23
