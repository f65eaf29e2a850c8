"""Token labels: none overlaps another, none is too small to read, what matters is there in full."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFontMetricsF, QPolygonF

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import sample_trace, square_trace, trace_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.document.text.token_text import TokenText
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.axis_labels import PlacedLabel, widest
from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.drawing import figure_geometry
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry

pytestmark = pytest.mark.usefixtures("qapp")

SIZES = [(640, 480), (300, 260), (1400, 900)]


def layout(
    figure: FigureSpec, size: tuple[int, int] = (640, 480), options: DrawOptions | None = None
) -> MapGeometry:
    place = figure_geometry(figure, QRectF(0, 0, *size), options or DrawOptions())
    assert isinstance(place, MapGeometry)
    return place


def square(tokens: int, kind: AttentionKind = AttentionKind.CROSS, **selection: int) -> FigureSpec:
    return map_figure(square_trace(tokens), Selection(kind, step=tokens - 1).but(**selection), ViewOptions())


def overlapping(labels: Sequence[PlacedLabel]) -> list[tuple[int, int]]:
    """Pairs of labels whose boxes share more than a hair."""
    pairs = []
    outlines = [(label.index, label.outline()) for label in labels]
    for (one, first), (other, second) in itertools.combinations(outlines, 2):
        if not first.boundingRect().intersects(second.boundingRect()):
            continue
        if area(first.intersected(second)) > 1.0:
            pairs.append((one, other))
    return pairs


def area(polygon: QPolygonF) -> float:
    points = [(point.x(), point.y()) for point in polygon]
    turns = zip(points, points[1:] + points[:1], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in turns)) / 2


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("tokens", [1, 2, 10, 30, 100, 1000])
@pytest.mark.parametrize("scale", [1.0, 1.6])
def test_labels_never_overlap_nor_shrink_below_nine_pixels(
    size: tuple[int, int], tokens: int, scale: float
) -> None:
    middle = tokens // 2
    figure = square(tokens, query=middle, key=tokens // 3)
    hover = (min(middle + 1, tokens - 1), tokens - 1)
    options = DrawOptions(hover=hover, font_scale=scale, least_type=9 * scale)
    place = layout(figure, size, options)
    assert overlapping(place.rows) == []
    assert overlapping(place.columns) == []
    sizes = {run.pixels for label in (*place.rows, *place.columns) for run in label.runs}
    assert min(sizes) >= 9 * scale - 1e-6
    shown_rows = {label.index for label in place.rows}
    shown_columns = {label.index for label in place.columns}
    assert options.hover is not None
    assert options.hover[0] in shown_rows
    assert options.hover[1] in shown_columns


def test_labels_are_horizontal_when_they_fit_and_slanted_when_not() -> None:
    wide, narrow = layout(square(6), (1200, 900)), layout(square(14), (640, 480))
    assert {label.angle for label in wide.columns} == {0.0}
    assert {label.angle for label in narrow.columns} == {-45.0}
    for label in wide.columns:
        assert label.runs[0].text == wide.spec.column_labels[label.index].text


def test_with_room_every_token_is_labelled_in_full() -> None:
    place = layout(map_figure(sample_trace(), Selection(layer=1, step=2), ViewOptions()))
    assert [label.index for label in sorted(place.columns, key=lambda label: label.index)] == [0, 1, 2, 3]
    texts = {label.index: [run.text for run in label.runs] for label in place.rows}
    assert sorted(texts[0]) == sorted(["(start)", "→", "pommes"])
    assert sorted(texts[2]) == sorted(["rouges", "→", "(end)"])


def test_what_is_read_stands_left_of_its_arrow_and_what_is_predicted_right() -> None:
    place = layout(map_figure(sample_trace(), Selection(layer=1, step=2), ViewOptions()))
    arrows = set()
    for label in place.rows:
        by_text = {run.text: run.x for run in label.runs}
        spec = place.spec.row_labels[label.index]
        assert by_text[spec.text] < by_text["→"] < by_text[spec.second]
        arrows.add(by_text["→"])
    assert len(arrows) == 1


def test_later_rows_do_not_tell_what_is_predicted() -> None:
    place = layout(map_figure(sample_trace(), Selection(layer=1, step=0), ViewOptions()))
    texts = {label.index: [run.text for run in label.runs] for label in place.rows}
    assert "pommes" in texts[0]
    assert texts[1] == ["→", "pommes"]  # known: it was predicted at the step in view
    assert texts[2] == ["→"]
    own = layout(map_figure(sample_trace(), Selection(AttentionKind.DECODER_SELF, 1, step=0), ViewOptions()))
    assert {label.runs[0].text for label in own.columns} == {"(start)", "pommes"}


def test_a_long_token_is_elided_unless_it_is_the_current_one() -> None:
    long = "▁" + "Donaudampfschifffahrt" * 3
    trace = trace_of(
        {AttentionKind.ENCODER_SELF: np.full((1, 1, 3, 3), 1 / 3, np.float32)}, (long, "▁b", "</s>"), ()
    )
    lengths: list[int] = []
    for key in (1, 0):
        figure = map_figure(trace, Selection(AttentionKind.ENCODER_SELF, query=key, key=key), ViewOptions())
        place = layout(figure, (640, 900))
        column = next(label for label in place.columns if label.index == 0)
        row = next(label for label in place.rows if label.index == 0)
        assert column.runs[0].text.endswith("…")
        lengths.append(len(row.runs[0].text))
        centre = row.outline().boundingRect().center()
        label = place.label_at(centre)
        assert label is not None
        assert label.text == long[1:]
    assert lengths[0] < lengths[1]


def test_labels_of_a_zoomed_map_name_the_cells_in_view() -> None:
    place = layout(square(300), options=DrawOptions(zoom=Zoom(100, 120, 50, 60)))
    assert {label.index for label in place.rows} <= set(range(100, 120))
    assert {label.index for label in place.columns} == set(range(50, 60))
    for label in place.columns:
        assert label.runs[0].text == place.spec.column_labels[label.index].text


def test_special_tokens_are_dimmed() -> None:
    place = layout(map_figure(sample_trace(), Selection(layer=1, step=1), ViewOptions()))
    roles = {label.runs[0].text: label.runs[0].role for label in place.columns}
    assert roles == {"red": "text", "app": "text", "⋅les": "text", "(end)": "faint"}


@pytest.mark.parametrize("text", ["Ab-J", "AAAA", "-Q-", "AVATAR", "\u22c5les", "\u6ce8\u610f\u529b"])
@pytest.mark.parametrize("others", [0, 3, 500])
def test_the_longest_label_has_all_the_room_that_qt_draws_it_in(text: str, others: int) -> None:
    """Else it would end in an ellipsis: some pairs of letters stand farther apart together than alone."""
    texts = [text, *("i" * (n % 3 + 1) for n in range(others))]
    labels = tuple(AxisLabel(TokenText(each, each), index=index) for index, each in enumerate(texts))
    for pixels in (11.0, 13.0, 26.0):
        found = widest(labels, range(len(labels)), pixels)
        assert found == max(
            QFontMetricsF(figure_font(pixels, bold=True)).horizontalAdvance(each) for each in texts
        )
