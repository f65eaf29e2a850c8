"""The page of heads: every thumbnail in its place, on one scale, in its orientation."""

from __future__ import annotations

import dataclasses
import gc
import weakref
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, QRectF

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, picture, sample_trace, square_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.figures.canvas.cell_colours import Codes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.heads import paint as heads_painter
from viewer.figures.heads import thumbnails
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.layout import HeadsGeometry

pytestmark = pytest.mark.usefixtures("qapp")

PLAIN = ViewOptions()
CROSS_KIND = AttentionKind.CROSS


def cell_centre(area: QRectF, row: int, column: int, rows: int, columns: int) -> QPointF:
    x = area.left() + (column + 0.5) * area.width() / columns
    return QPointF(x, area.top() + (row + 0.5) * area.height() / rows)


def steps_apart(theme: Theme, pixel: int, weight: float) -> int:
    """How far the colour is, in the colour table, from that of the weight."""
    found = [index for index in range(256) if int(theme.table[index]) == pixel | 0xFF000000]
    return min((abs(index - round(255 * weight)) for index in found), default=999)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("scale", [1.0, 2.0])
def test_every_head_is_in_its_place_on_the_same_scale(theme: Theme, vector: bool, scale: float) -> None:
    figure = heads_figure(sample_trace(), CROSS_KIND, 2, PLAIN)
    image, place = picture(figure, theme=theme, scale=scale, options=DrawOptions(vector=vector))
    assert isinstance(place, HeadsGeometry)
    even = np.full((3, 4), 0.25, np.float32)
    first = np.eye(4, dtype=np.float32)[[0, 0, 0]]
    for (layer, head), matrix in {(0, 0): first, (0, 1): first, (1, 0): CROSS, (1, 1): even}.items():
        for row in range(3):
            for column in range(4):
                point = cell_centre(place.rect_of(layer, head), row, column, 3, 4)
                pixel = image.pixel(int(point.x() * scale), int(point.y() * scale))
                assert steps_apart(theme, pixel, float(matrix[row, column])) <= 1


def test_later_rows_are_blank_and_masked_cells_are_not() -> None:
    trace = sample_trace()
    image, place = picture(heads_figure(trace, CROSS_KIND, 0, PLAIN))
    assert isinstance(place, HeadsGeometry)
    area = place.rect_of(1, 0)
    later = cell_centre(area, 2, 3, 3, 4).toPoint()
    assert image.pixelColor(later).name() == LIGHT.later
    own, place = picture(heads_figure(trace, AttentionKind.DECODER_SELF, 2, PLAIN))
    assert isinstance(place, HeadsGeometry)
    area = place.rect_of(1, 0)
    masked = {
        own.pixelColor(int(area.left() + x), int(area.top() + y)).name()
        for x in range(int(0.7 * area.width()), int(area.width()) - 2)
        for y in range(2, int(0.3 * area.height()))
    }
    assert masked == {LIGHT.masked, LIGHT.hatch}


def test_a_lone_weight_in_a_large_map_is_seen_on_its_thumbnail() -> None:
    weights = np.zeros((1, 1, 400, 400), np.float32)
    weights[..., 0] = 1
    weights[0, 0, 201, [0, 303]] = [0, 1]
    names = tuple(f"▁{n}" for n in range(400))
    figure = heads_figure(trace_of({CROSS_KIND: weights}, names, names), CROSS_KIND, 399, PLAIN)
    image, place = picture(figure, 120, 160)
    assert isinstance(place, HeadsGeometry)
    assert place.first.width() < 120
    centre = cell_centre(place.first, 201, 303, 400, 400).toPoint()
    near = [image.pixel(centre.x() + dx, centre.y() + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1)]
    assert min(steps_apart(LIGHT, pixel, 1.0) for pixel in near) == 0


def test_a_head_that_is_read_while_the_page_is_drawn_is_not_left_blank(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The thread that reads may go on between any two statements of the one that draws."""
    trace, lazy = square_trace(8, heads=2, layers=2), DrawOptions(lazy=True)
    whole, _ = picture(heads_figure(trace, CROSS_KIND, 7, PLAIN))
    figure = heads_figure(square_trace(8, heads=2, layers=2), CROSS_KIND, 7, PLAIN)
    blank, place = picture(figure, options=lazy)
    assert isinstance(place, HeadsGeometry)
    assert blank != whole
    seen = heads_painter.thumbnails_of(place, 1.0, 1.0)
    reading, encode = seen.reading(), thumbnails.codes

    def read_one() -> None:
        before = seen.read
        while seen.read == before and not seen.complete:
            next(reading)

    def meanwhile(*args: Any, **options: Any) -> Codes:
        found = encode(*args, **options)
        read_one()
        return found

    read_one()

    monkeypatch.setattr(thumbnails, "codes", meanwhile)
    for _ in range(2 * 2 + 1):
        image, _ = picture(figure, options=lazy)
    assert seen.complete
    assert image == whole


@pytest.mark.parametrize("size", [(268, 548), (900, 500), (200, 200)])
def test_clicks_find_the_head_that_is_drawn_there(size: tuple[int, int]) -> None:
    figure = heads_figure(square_trace(12, heads=8, layers=4), CROSS_KIND, 11, PLAIN)
    place = figure_geometry(figure, QRectF(5, 6, *size))
    assert isinstance(place, HeadsGeometry)
    for layer in range(4):
        for head in range(8):
            assert place.head_at(place.rect_of(layer, head).center()) == (layer, head)
    assert place.head_at(place.first.topLeft() - QPointF(2, 2)) is None
    assert place.head_at(place.grid_rect.bottomRight() + QPointF(9, 9)) is None
    assert place.grid_rect.right() <= 5 + size[0]


def test_thumbnails_use_their_room() -> None:
    figure = heads_figure(square_trace(12, heads=8, layers=4), CROSS_KIND, 11, PLAIN)
    narrow = figure_geometry(figure, QRectF(0, 0, 268, 548))
    assert isinstance(narrow, HeadsGeometry)
    assert narrow.first.width() >= 24
    assert narrow.grid_rect.width() > 0.85 * 268
    wide = figure_geometry(figure, QRectF(0, 0, 900, 500))
    assert isinstance(wide, HeadsGeometry)
    assert wide.grid_rect.width() > 0.8 * 900
    assert wide.grid_rect.height() > 0.75 * 500
    options = DrawOptions(caption=True)
    page = figure_geometry(figure, QRectF(0, 0, 700, figure_height(figure, 700, options)), options)
    assert isinstance(page, HeadsGeometry)
    assert page.first.width() == pytest.approx(page.first.height(), abs=2)
    assert page.grid_rect.bottom() < 700


def test_the_chosen_head_and_the_layer_of_a_mean_are_framed() -> None:
    figure = heads_figure(sample_trace(), CROSS_KIND, 2, PLAIN)
    for selected, outside in (((1, 0), (1, 1)), ((1, None), (0, 1))):
        image, place = picture(figure, options=DrawOptions(selected=selected))
        assert isinstance(place, HeadsGeometry)
        area = place.rect_of(1, 0)
        assert image.pixelColor(int(area.left()) - 1, int(area.center().y())).name() == LIGHT.accent
        other = place.rect_of(*outside)
        right = image.pixelColor(int(other.right()) + 1, int(other.center().y())).name()
        assert right != LIGHT.accent
    mean = place.rect_of(1, 1)
    assert image.pixelColor(int(mean.right()) + 1, int(mean.center().y())).name() == LIGHT.accent


def test_stepping_reads_no_weights_again() -> None:
    trace = sample_trace()
    reads = []

    class Counting:
        shape = trace.patterns.shape
        layer = trace.patterns.layer

        def pattern(self, kind: AttentionKind, layer: int, head: int) -> np.ndarray:
            reads.append((layer, head))
            return trace.patterns.pattern(kind, layer, head)

    counted = dataclasses.replace(trace, patterns=Counting())
    for step in (2, 1, 0):
        picture(heads_figure(counted, CROSS_KIND, step, PLAIN))
    assert sorted(reads) == [(0, 0), (0, 1), (1, 0), (1, 1)]


def test_before_the_first_step_the_page_is_drawn_empty() -> None:
    trace = trace_of({CROSS_KIND: np.zeros((2, 2, 0, 3), np.float32)}, ("▁a", "▁b", "</s>"), ())
    for vector in (False, True):
        image, place = picture(heads_figure(trace, CROSS_KIND, -1, PLAIN), options=DrawOptions(vector=vector))
        assert isinstance(place, HeadsGeometry)
        assert image.pixelColor(place.rect_of(1, 1).center().toPoint()).name() == LIGHT.later


def legend_of(figure: object, monkeypatch: pytest.MonkeyPatch, **kwargs: object) -> dict[str, object]:
    """What the page's legend was asked to say."""
    said: dict[str, object] = {}
    monkeypatch.setattr(heads_painter, "draw_legend", lambda *args, **given: said.update(given))
    picture(figure, 700, 300, **kwargs)  # type: ignore[arg-type]
    return said


@pytest.mark.parametrize("vector", [False, True])
def test_the_legend_speaks_of_masks_where_there_are_some(
    vector: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = DrawOptions(vector=vector)
    weights = np.tile(CROSS, (1, 2, 1, 1))
    words = ("▁a", "▁b", "▁c", "</s>")
    plain = heads_figure(trace_of({CROSS_KIND: weights}, words, words[1:]), CROSS_KIND, 2, PLAIN)
    assert not legend_of(plain, monkeypatch, options=options)["masked"]
    weights[0, 1, 1] = 0
    masked = heads_figure(trace_of({CROSS_KIND: weights}, words, words[1:]), CROSS_KIND, 2, PLAIN)
    assert legend_of(masked, monkeypatch, options=options)["masked"]
    own = heads_figure(sample_trace(), AttentionKind.DECODER_SELF, 2, PLAIN)
    assert legend_of(own, monkeypatch, options=options)["masked"]


def test_pixels_are_said_to_stand_for_several_cells_only_where_they_do(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    figure = heads_figure(square_trace(150, heads=6), CROSS_KIND, 149, PLAIN)
    assert legend_of(figure, monkeypatch)["notes"]
    assert not legend_of(figure, monkeypatch, scale=3.0)["notes"]
    assert not legend_of(figure, monkeypatch, options=DrawOptions(vector=True))["notes"]


def test_a_picture_that_stands_alone_has_a_colour_bar_however_narrow() -> None:
    figure = heads_figure(sample_trace(), CROSS_KIND, 2, PLAIN)
    narrow = QRectF(0, 0, 300, 400)
    place = figure_geometry(figure, narrow, DrawOptions(caption=True))
    assert isinstance(place, HeadsGeometry)
    assert place.bar is not None
    assert narrow.contains(place.bar.box)
    assert {text for _, text in place.bar.ticks} >= {"0", "1"}


def test_what_was_drawn_lets_go_of_the_weights() -> None:
    trace = sample_trace()
    picture(heads_figure(trace, CROSS_KIND, 2, PLAIN))
    picture(heads_figure(trace, CROSS_KIND, 2, PLAIN), scale=2.0)
    weights = weakref.ref(trace.patterns)
    assert weights() is not None
    del trace
    gc.collect()
    assert weights() is None
