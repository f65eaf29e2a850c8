"""Which sentence of a pair a token is of, in labels, sentences and pictures."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QLineF, QRectF
from PySide6.QtGui import QColor, QImage, QPainter

from model.trace.trace import AttentionKind, Trace
from tests.model.trace.reading_trace import reading_trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Selection
from viewer.document.text.segments import segments_of
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.segments import segment_spans
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.build import flow_figure
from viewer.figures.flow.layout import FlowGeometry, flow_geometry
from viewer.figures.flow.paint_segments import flow_bracket_lines
from viewer.figures.map.accessible_text import accessible_cell
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry, map_geometry
from viewer.figures.map.paint import paint_map
from viewer.figures.map.paint_segments import boundary_lines, bracket_lines
from viewer.figures.map.spec import MapSpec

KIND = AttentionKind.ENCODER_SELF
ONE = reading_trace(("[CLS]", "a", "b", "[SEP]"))


def figure(trace: Trace, **options: Any) -> FigureSpec:
    return map_figure(trace, Selection(kind=KIND, layer=0, head=0), ViewOptions(**options))


def spec_of(trace: Trace, **options: Any) -> MapSpec:
    body = figure(trace, **options).body
    assert isinstance(body, MapSpec)
    return body


def test_only_a_pair_has_sentences() -> None:
    assert segments_of(reading_trace()) == (0, 0, 0, 0, 0, 1, 1, 1)
    assert segments_of(ONE) == ()
    assert segments_of(replace(ONE, src_segments=None)) == ()
    assert segments_of(replace(ONE, src_segments=np.array([0, 1, 2, 3]))) == ()  # no pair, whatever it is


def test_labels_know_their_sentence_also_merged_and_with_specials_hidden(qapp: object) -> None:
    for options, wanted in (
        ({}, [0, 0, 0, 0, 0, 1, 1, 1]),
        ({"whole_words": True}, [0, 0, 0, 0, 0, 1, 1]),
        ({"hide_specials": True}, [0, 0, 0, 1, 1]),
    ):
        spec = spec_of(reading_trace(), **options)
        for labels in (spec.row_labels, spec.column_labels):
            assert [label.segment for label in labels] == wanted, options
    assert {label.segment for label in spec_of(ONE).row_labels} == {-1}


def test_sentences_say_who_reads_whom(qapp: object) -> None:
    spec = spec_of(reading_trace())
    assert spec.sentence_at(1, 3).endswith("(within sentence A)")
    assert spec.sentence_at(5, 5).endswith("(within sentence B)")
    assert spec.sentence_at(1, 5).endswith("(sentence A reads sentence B)")
    assert accessible_cell(spec, 5, 1).endswith(", sentence B reads sentence A")
    for said in (spec_of(ONE).sentence_at(1, 1), accessible_cell(spec_of(ONE), 1, 1)):
        assert "sentence" not in said


def geometry(trace: Trace, zoom: Zoom | None = None) -> MapGeometry:
    return map_geometry(figure(trace), QRectF(0, 0, 500, 500), DrawOptions(zoom=zoom))


def test_stretches_of_one_sentence() -> None:
    labels = spec_of(reading_trace()).row_labels
    assert segment_spans(labels, 0, 8) == [(0, 5), (5, 8)]
    assert segment_spans(labels, 2, 6) == [(2, 5), (5, 6)]
    assert segment_spans(labels, 6, 8) == [(6, 8)]
    assert segment_spans(spec_of(ONE).row_labels, 0, 4) == []


def test_brackets_and_lines_stand_at_the_boundary(qapp: object) -> None:
    place = geometry(reading_trace())
    area = place.map_rect
    y = area.top() + 5 * place.cell_height
    x = area.left() + 5 * place.cell_width
    across, down = boundary_lines(place)
    assert (across.y1(), across.y2()) == pytest.approx((y, y))
    assert (down.x1(), down.x2()) == pytest.approx((x, x))
    first, second, third, fourth = bracket_lines(place)
    assert area.top() < first.y1() < first.y2() < y < second.y1() < second.y2() < area.bottom()
    assert first.x1() == first.x2() == second.x1() < area.left()
    assert area.left() < third.x1() < third.x2() < x < fourth.x1() < fourth.x2() < area.right()
    assert third.y1() < area.top()
    assert bracket_lines(geometry(ONE)) == boundary_lines(geometry(ONE)) == []


def test_a_flow_has_brackets_between_dots_and_labels(qapp: object) -> None:
    def lines(trace: Trace) -> list[QLineF]:
        return flow_bracket_lines(flow(trace))

    def flow(trace: Trace) -> FlowGeometry:
        spec = flow_figure(trace, Selection(kind=KIND, layer=0, head=0), ViewOptions())
        return flow_geometry(spec, QRectF(0, 0, 500, 500), DrawOptions())

    place = flow(reading_trace())
    boundary = (place.queries.y(4) + place.queries.y(5)) / 2  # [CLS] the cat slept [SEP] | it purred [SEP]
    left, right = lines(reading_trace())[:2], lines(reading_trace())[2:]
    assert len(right) == 2
    for above, below in (left, right):
        assert above.y1() < above.y2() < boundary < below.y1() < below.y2()
        assert above.x1() == above.x2() == below.x1() == below.x2()
    assert (
        max(label.outline().boundingRect().right() for label in place.rows) < left[0].x1() < place.area.left()
    )
    assert place.area.right() < right[0].x1()
    assert lines(ONE) == []


def test_the_picture_has_them(qapp: object) -> None:
    def colours(trace: Trace) -> set[str]:
        place = geometry(trace)
        image = QImage(500, 500, QImage.Format.Format_RGB32)
        image.fill(QColor(LIGHT.panel))
        painter = QPainter(image)
        paint_map(painter, place, LIGHT, DrawOptions())
        painter.end()
        line = bracket_lines(geometry(reading_trace()))[0].center()
        return {image.pixelColor(round(line.x()) + d, round(line.y())).name() for d in (-1, 0)}

    assert LIGHT.faint in colours(reading_trace())
    assert LIGHT.faint not in colours(replace(reading_trace(), src_segments=None))
