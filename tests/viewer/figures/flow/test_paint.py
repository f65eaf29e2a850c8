"""The flow's drawing: lines where they belong, as wide as their weights, the same on every device."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QColor, QPainterPath

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, picture, sample_trace, square_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.export.page import figure_picture
from viewer.export.picture import to_bytes
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.layout import FlowGeometry, flow_geometry, flow_height, line_width, widest
from viewer.figures.flow.paint import head_color
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.request import ExportRequest

HAND = Selection(AttentionKind.CROSS, layer=1, head=0, step=2)
ROOM = QRectF(0, 0, 640, 480)
# Machado, Oliveira & Fernandes 2009, severity 1: linear RGB as seen without one kind of cone.
BLINDNESS = {
    "none": np.eye(3),
    "protan": [
        [0.152286, 1.052583, -0.204868],
        [0.114503, 0.786281, 0.099216],
        [-0.003882, -0.048116, 1.051998],
    ],
    "deutan": [
        [0.367322, 0.860646, -0.227968],
        [0.280085, 0.672501, 0.047413],
        [-0.01182, 0.04294, 0.968881],
    ],
    "tritan": [
        [1.255528, -0.076749, -0.178779],
        [-0.078411, 0.930809, 0.147602],
        [0.004733, 0.691367, 0.3039],
    ],
}


def figure(selection: Selection = HAND, **view: object) -> FigureSpec:
    return flow_figure(sample_trace(), selection, ViewOptions(**view))  # type: ignore[arg-type]


def placed(flow: FigureSpec, options: DrawOptions | None = None, room: QRectF = ROOM) -> FlowGeometry:
    return flow_geometry(flow, room, options or DrawOptions())


def curve(place: FlowGeometry, row: int, column: int) -> QPainterPath:
    """A line as Qt draws it, laid down here anew."""
    left, right = place.area.left(), place.area.right()
    y0, y1 = place.queries.y(row), place.keys.y(column)
    path = QPainterPath(QPointF(left, y0))
    path.cubicTo((left + right) / 2, y0, (left + right) / 2, y1, right, y1)
    return path


def test_the_line_under_a_point_is_the_one_that_is_drawn_there(qapp: object) -> None:
    flow = figure(threshold=0.2)
    place, spec = placed(flow), flow.body
    assert isinstance(spec, FlowSpec)
    for row, column in zip(spec.lines.row.tolist(), spec.lines.column.tolist(), strict=True):
        for share in (0.08, 0.92):  # near its ends no other line is as near
            point = curve(place, row, column).pointAtPercent(share)
            assert place.line_at(point, spec.lines) == (0, row, column)
    assert place.line_at(QPointF(place.area.center().x(), place.area.top() + 1), spec.lines) is None


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_lines_are_seen_where_the_geometry_says_and_nowhere_else(qapp: object, theme: Theme) -> None:
    flow = figure(HAND.but(step=0), threshold=0.5)
    image, place = picture(flow, 640, 480, theme=theme, options=DrawOptions(title=False, badges=False))
    assert isinstance(place, FlowGeometry)
    middle = curve(place, 0, 0).pointAtPercent(0.5).toPoint()
    assert image.pixelColor(middle).name() != theme.panel
    column = [image.pixelColor(middle.x(), y).name() for y in range(round(place.area.top()), 430)]
    others = [name for y, name in enumerate(column, round(place.area.top())) if abs(y - middle.y()) > 8]
    assert set(others) == {theme.panel}


def test_widths_are_in_proportion_to_weights(qapp: object) -> None:
    spec = figure(threshold=0.0).body
    assert isinstance(spec, FlowSpec)
    full = line_width(spec, 1.0, 30, 1)
    assert full == widest(spec, 30, 1)
    assert line_width(spec, 0.5, 30, 1) == pytest.approx(full / 2)
    assert line_width(spec, 0.25, 30, 2) == pytest.approx(full / 2)
    image, place = picture(figure(HAND.but(step=0), threshold=0.0), 640, 480, options=DrawOptions())
    assert isinstance(place, FlowGeometry)
    x = round(place.area.left()) + 6
    ys = range(round(place.queries.y(0)) - 12, round(place.queries.y(0)) + 13)
    assert sum(image.pixelColor(x, y).name() != LIGHT.panel for y in ys) >= round(0.7 * full)


def test_labels_name_the_tokens_and_the_titles_the_columns(qapp: object) -> None:
    place = placed(figure())
    for index, label in enumerate(("red", "app", "les", "(end)")):
        found = place.label_at(QPointF(place.area.right() + 14, place.keys.y(index)))
        assert found is not None
        assert found.token.text == label
        assert place.token_at(QPointF(place.area.right() + 14, place.keys.y(index))) == (None, index)
    assert place.token_at(QPointF(place.area.left() - 14, place.queries.y(1))) == (1, None)
    assert place.token_at(place.area.center()) is None
    assert [title.text for title in place.titles] == [
        "target tokens (queries): reads → predicts",
        "attends to: source tokens (keys)",
    ]
    assert place.titles[0].x < place.titles[1].x


def test_the_lines_of_a_lit_token_keep_their_colour_and_the_others_fade(qapp: object) -> None:
    flow = figure(HAND.but(step=1), threshold=0.4)
    plain, place = picture(flow)
    lit, _ = picture(flow, options=DrawOptions(lit=(0, None)))
    assert isinstance(place, FlowGeometry)
    here = curve(place, 0, 0).pointAtPercent(0.3).toPoint()
    there = curve(place, 1, 2).pointAtPercent(0.3).toPoint()
    assert lit.pixelColor(here) == plain.pixelColor(here)
    assert lit.pixelColor(there).lightness() > plain.pixelColor(there).lightness()


def test_only_tokens_in_view_have_labels_and_lines(qapp: object) -> None:
    flow = flow_figure(square_trace(1000), Selection(AttentionKind.ENCODER_SELF), ViewOptions())
    place = placed(flow, DrawOptions(zoom=Zoom(500.0, 530.0, 500.0, 530.0)))
    assert isinstance(flow.body, FlowSpec)
    assert (place.queries.first, place.queries.last) == (500, 530)
    assert {label.index for label in place.rows} == set(range(500, 530))
    seen = place.in_view(flow.body.lines)
    assert set(seen.row.tolist()) == set(range(500, 530))
    assert place.area.top() <= place.queries.y(500) < place.queries.y(529) <= place.area.bottom()
    whole = placed(flow)
    assert 5 < len(whole.rows) < 60, "labels are thinned"


def test_a_page_has_room_for_every_token_unless_there_are_too_many(qapp: object) -> None:
    options = DrawOptions(caption=True)
    few, many = (
        flow_figure(square_trace(n), Selection(AttentionKind.ENCODER_SELF), ViewOptions()) for n in (20, 400)
    )
    room = QRectF(0, 0, 600, flow_height(few, 600, options))
    assert len(placed(few, options, room).rows) == 20
    assert flow_height(many, 600, options) < 1.7 * 600


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", BLINDNESS)
def test_heads_have_colours_that_everybody_can_tell_apart(theme: Theme, kind: str) -> None:
    seen = np.array([lab(QColor(name), np.array(BLINDNESS[kind])) for name in theme.heads])
    distance = np.linalg.norm(seen[:, None] - seen[None], axis=-1)
    assert distance[~np.eye(len(seen), dtype=bool)].min() >= 28
    assert head_color(theme, 3) == QColor(theme.heads[3])


def lab(colour: QColor, seen: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """CIE 1976 L*a*b* (D65) of a colour as somebody sees it."""
    rgb = np.array([colour.redF(), colour.greenF(), colour.blueF()])
    linear = np.where(rgb <= 0.04045, rgb / 12.92, ((rgb + 0.055) / 1.055) ** 2.4)
    linear = np.clip(seen @ linear, 0, 1)
    to_xyz = np.array(
        [
            [0.4124564, 0.3575761, 0.1804375],
            [0.2126729, 0.7151522, 0.072175],
            [0.0193339, 0.119192, 0.9503041],
        ]
    )
    x, y, z = to_xyz @ linear / np.array([0.95047, 1, 1.08883])
    f = [np.cbrt(v) if v > (6 / 29) ** 3 else v / (3 * (6 / 29) ** 2) + 4 / 29 for v in (x, y, z)]
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_flows_are_written_in_every_format_the_same_each_time(qapp: object, suffix: str) -> None:
    flow = figure(HAND.but(more_heads=(1,)), threshold=0.2)
    first, second = (
        to_bytes(figure_picture(flow, ExportRequest(width_mm=120)), suffix, 96) for _ in range(2)
    )
    assert first == second
    assert len(first) > 1000


def test_an_svg_has_a_path_for_each_line_with_its_own_width(qapp: object) -> None:
    flow = figure(threshold=0.2)
    spec = flow.body
    assert isinstance(spec, FlowSpec)
    text = to_bytes(figure_picture(flow, ExportRequest(width_mm=120)), "svg", 96).decode()
    assert "<image" not in text
    widths = {round(float(part.split('"')[0]), 3) for part in text.split('stroke-width="')[1:]}
    for value in set(CROSS[np.float32(0.2) <= CROSS].tolist()):
        assert any(abs(width / widest_of(widths) - value) < 0.02 for width in widths)


def widest_of(widths: set[float]) -> float:
    """The width of weight 1, which the legend shows."""
    return max(widths)
