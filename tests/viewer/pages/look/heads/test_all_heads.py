"""All heads of all families on one page: what is where, in which colour, and what clicks and keys do."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from functools import partial
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import (
    CROSS,
    DECODER,
    ENCODER,
    SOURCE,
    picture,
    sample_trace,
    square_trace,
    trace_of,
)
from viewer.document.document import Run, ViewOptions
from viewer.document.hover import Hovered
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.export.page import figure_picture
from viewer.export.picture import to_svg
from viewer.figures.all_heads.build import all_heads_figure, head_name
from viewer.figures.all_heads.layout import AllHeadsGeometry
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.canvas.cell_colours import LATER
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import DARK, LIGHT, Theme
from viewer.figures.drawing import figure_geometry, figure_height
from viewer.figures.heads.paint import thumbnails_of
from viewer.figures.heads.thumbnails import Thumbnails
from viewer.figures.request import ExportRequest
from viewer.pages.look.heads.all_heads_view import AllHeadsView
from viewer.pages.look.heads.heads_view import HeadsView
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

RUN = "one"
PLAIN = ViewOptions()
E, D, C = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
pytestmark = [
    pytest.mark.usefixtures("qapp"),
    # Of the platform without a screen, of any tooltip.
    pytest.mark.qt_log_ignore("propagateSizeHints", "raise"),
]


def placed(width: float = 800, height: float = 500, trace: Trace | None = None) -> AllHeadsGeometry:
    figure = all_heads_figure(trace or sample_trace(), 2, PLAIN)
    place = figure_geometry(figure, QRectF(0, 0, width, height))
    assert isinstance(place, AllHeadsGeometry)
    return place


def centre(place: AllHeadsGeometry, kind: AttentionKind, layer: int, head: int) -> QPointF:
    family = place.of(kind)
    assert family is not None
    return family.rect_of(layer, head).center()


def steps_apart(theme: Theme, pixel: int, weight: float) -> int:
    """How far the colour is, in the colour table, from that of the weight."""
    found = [index for index in range(256) if int(theme.table[index]) == pixel | 0xFF000000]
    return min((abs(index - round(255 * weight)) for index in found), default=999)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("vector", [False, True])
@pytest.mark.parametrize("size", [(900, 400), (420, 900)], ids=["across", "down"])
def test_every_weight_of_every_family_has_its_colour(
    theme: Theme, vector: bool, size: tuple[int, int]
) -> None:
    options = DrawOptions(vector=vector)
    image, place = picture(all_heads_figure(sample_trace(), 2, PLAIN), *size, theme=theme, options=options)
    assert isinstance(place, AllHeadsGeometry)
    assert place.per_line == (3 if size[0] > size[1] else 1)
    for kind, matrix in ((E, ENCODER), (D, DECODER), (C, CROSS)):
        family = place.of(kind)
        assert family is not None
        area = family.rect_of(1, 0)
        for (row, column), weight in np.ndenumerate(matrix):
            if kind is D and column > row:
                continue  # masked
            x = area.left() + (column + 0.5) * area.width() / matrix.shape[1]
            y = area.top() + (row + 0.5) * area.height() / matrix.shape[0]
            assert steps_apart(theme, image.pixel(int(x), int(y)), float(weight)) <= 1


def test_families_never_overlap_and_stay_on_the_page() -> None:
    for width, height in ((900, 300), (640, 440), (300, 900), (1400, 800), (200, 120)):
        place = placed(width, height)
        rects = [family.grid_rect for family in place.pages]
        for index, rect in enumerate(rects):
            assert not any(rect.intersects(other) for other in rects[index + 1 :])
            if width > 200:
                assert QRectF(0, 0, width, height).contains(rect)


@pytest.mark.parametrize("size", [(1080, 500), (700, 420), (300, 900), (1400, 300)])
def test_cells_are_squares_of_one_size(size: tuple[int, int]) -> None:
    rows, columns = {E: 9, D: 6, C: 6}, {E: 9, D: 6, C: 9}
    trace = trace_of(
        {kind: np.full((3, 4, rows[kind], columns[kind]), 1 / 9, np.float32) for kind in (E, D, C)},
        tuple("abcdefghi"),
        tuple("uvwxyz"),
    )
    place = placed(*size, trace=trace)
    sides = []
    for kind in (E, D, C):
        page = place.of(kind)
        assert page is not None
        wide, high = page.first.width() / columns[kind], page.first.height() / rows[kind]
        assert abs(wide - high) <= 1 / 6  # thumbnails begin and end at whole pixels
        sides += [wide, high]
    assert max(sides) - min(sides) <= 1 / 6
    # No other way of placing three kinds has larger cells: width or height is used up.
    right = max(page.grid_rect.right() for page in place.pages)
    bottom = max(page.grid_rect.bottom() for page in place.pages)
    assert right > 0.85 * size[0] - 60 or bottom > 0.85 * size[1] - 40


def test_title_facts_and_badges_say_what_is_shown() -> None:
    figure = all_heads_figure(sample_trace(), 1, ViewOptions(sqrt_scale=True), provenance={"source": "file"})
    spec = figure.body
    assert isinstance(spec, AllHeadsSpec)
    assert spec.title == "All heads: encoder 2 × 2, decoder 2 × 2, cross 2 × 2"
    assert spec.badges == ("square-root colour scale, true values",)
    assert figure.facts["kinds"] == ["encoder_self", "decoder_self", "cross"]
    assert (figure.facts["step"], figure.facts["scale"]) == (1, "sqrt")
    assert spec.title in figure.caption
    assert [page.later_from for page in spec.pages] == [None, 2, 2]
    assert [page.step_row for page in spec.pages] == [None, 1, 1]


def test_the_share_hidden_is_that_of_all_families_together() -> None:
    trace = sample_trace()
    spec = all_heads_figure(trace, 2, ViewOptions(hide_specials=True)).body
    assert isinstance(spec, AllHeadsSpec)
    kept = {E: ([0, 1, 2], [0, 1, 2]), D: ([0, 1], [1, 2]), C: ([0, 1], [0, 1, 2])}
    full = left = 0.0
    for kind, (rows, columns) in kept.items():
        for layer in range(2):
            for head in range(2):
                weights = trace.pattern(kind, layer, head)[rows].astype(np.float64)
                full, left = full + weights.sum(), left + weights[:, columns].sum()
    assert spec.badges == (f"special tokens hidden: {100 * (1 - left / full):.1f} % of the weight",)


def test_a_trace_without_a_family_leaves_it_out() -> None:
    encoder = trace_of({E: np.full((3, 4, 4, 4), 0.25, np.float32)}, SOURCE, ())
    spec = all_heads_figure(encoder, -1, PLAIN).body
    assert isinstance(spec, AllHeadsSpec)
    assert spec.title == "All heads: encoder 3 × 4"
    place = placed(trace=encoder)
    assert place.head_at(centre(place, E, 2, 3)) == (E, 2, 3)


def test_points_and_neighbours() -> None:
    place = placed(900, 300)
    assert place.per_line == 3
    for kind in (E, D, C):
        assert place.head_at(centre(place, kind, 1, 0)) == (kind, 1, 0)
    assert place.head_at(QPointF(1, 1)) is None
    assert place.neighbour((E, 1, 0), 0, 1) == (E, 1, 1)
    assert place.neighbour((E, 1, 1), 0, 1) == (D, 1, 0)
    assert place.neighbour((C, 0, 0), 0, -1) == (D, 0, 1)
    assert place.neighbour((C, 0, 1), 0, 1) == (C, 0, 1)
    assert place.neighbour((D, 1, 1), 1, 0) == (D, 1, 1)
    below = placed(300, 900)
    assert below.per_line == 1
    assert below.neighbour((E, 1, 1), 1, 0) == (D, 0, 1)
    assert below.neighbour((C, 0, 0), -1, 0) == (D, 1, 0)
    assert below.neighbour((E, 0, 1), 0, 1) == (E, 0, 1)


def test_the_step_is_marked_beside_the_maps_and_not_on_them() -> None:
    image, place = picture(all_heads_figure(sample_trace(), 1, PLAIN), 900, 400)
    assert isinstance(place, AllHeadsGeometry)
    family, encoder = place.of(C), place.of(E)
    assert family is not None
    assert encoder is not None
    area = family.rect_of(0, 1)
    y = int(area.top() + 1.5 / 3 * area.height())
    accent = LIGHT.color("accent").rgb()
    marks = [image.pixel(int(area.left()) - dx, y + dy) for dx in (1, 2) for dy in (-1, 0, 1)]
    assert accent in marks
    assert steps_apart(LIGHT, image.pixel(int(area.left() + 0.125 * area.width()), y), 1.0) <= 1
    first = encoder.rect_of(0, 1)
    column = [image.pixel(int(first.left()) - 2, row) for row in range(int(first.top()), int(first.bottom()))]
    assert accent not in column


def test_the_export_has_the_height_that_its_page_needs() -> None:
    figure = all_heads_figure(sample_trace(), 2, PLAIN)
    options = DrawOptions(caption=True)
    height = figure_height(figure, 680, options)
    place = figure_geometry(figure, QRectF(0, 0, 680, height), options)
    assert isinstance(place, AllHeadsGeometry)
    assert place.bar is not None
    assert height - 45 <= place.legend.bottom() <= height  # the caption stands below
    assert max(page.grid_rect.right() for page in place.pages) > 0.85 * 680
    tree = ElementTree.fromstring(to_svg(figure_picture(figure, ExportRequest(width_mm=180))))
    texts = " ".join("".join(node.itertext()) for node in tree.iter() if node.tag.endswith("text"))
    for words in ("All heads: encoder 2 × 2", "encoder self-attention", "cross-attention"):
        assert words in texts


def test_heads_are_named() -> None:
    assert head_name(C, 1, 2) == "Decoder layer 2, head 3, cross-attention"
    assert head_name(E, 0, 0) == "Encoder layer 1, head 1, encoder self-attention"
    assert head_name(D, 1, None) == "Decoder layer 2, mean over heads, decoder self-attention"


# In the window.


@pytest.fixture
def pane(qtbot: QtBot) -> MapPane:
    return shown(qtbot, sample_trace())


def shown(qtbot: QtBot, trace: Trace) -> MapPane:
    session = Session()
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    session.add_run(Run(RUN, trace))
    session.select(0, kind=C, layer=1, head=0, step=1, view="heads")
    pane.resize(1000, 500)
    pane.show()
    qtbot.waitUntil(lambda: pane.views["heads"].complete)
    QApplication.processEvents()
    return pane


def chosen(pane: MapPane) -> Selection:
    selection = pane._session.selection(0)
    assert selection is not None
    return selection


def at(view: AllHeadsView, kind: AttentionKind, layer: int, head: int) -> QPoint:
    place = view.geometry_now()
    assert place is not None
    return centre(place, kind, layer, head).toPoint()


def pointed_at(pane: MapPane) -> Hovered | None:
    return pane._session.hover.at


def test_the_pane_takes_the_title_of_the_page(pane: MapPane) -> None:
    assert pane.title.text() == "All heads: encoder 2 × 2, decoder 2 × 2, cross 2 × 2"


def test_the_heads_appear_as_they_are_read(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    session = Session()
    view = AllHeadsView(session, Appearance("light"), 0)
    qtbot.addWidget(view)
    session.add_run(Run(RUN, square_trace(8, heads=4, layers=3)))
    session.last_step()
    view.resize(900, 400)
    view.show()
    assert not view.complete, "nothing is read before the window is painted"
    view.grab()
    qtbot.waitUntil(lambda: view.complete)
    place = view.geometry_now()
    assert place is not None
    image = view.grab().toImage()
    for kind in AttentionKind:
        family = place.of(kind)
        assert family is not None
        area = family.rect_of(2, 0)
        spot = area.topLeft() + QPointF(area.width() - 2.5, area.height() - 2.5)
        assert steps_apart(LIGHT, image.pixel(spot.toPoint()), 1.0) <= 1, "the last query reads itself"


@pytest.mark.parametrize("large", [False, True])
def test_the_heads_beside_a_map_appear_as_they_are_read_if_it_is_large(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch, large: bool
) -> None:
    read: list[tuple[int, int]] = []
    trace = square_trace(8, heads=4, layers=3)
    pattern = trace.patterns.pattern

    def count(kind: AttentionKind, layer: int, head: int) -> Any:
        read.append((layer, head))
        return pattern(kind, layer, head)

    monkeypatch.setattr(trace.patterns, "pattern", count)
    monkeypatch.setattr("viewer.pages.look.heads.heads_view._MOST_AT_ONCE", 3 * 4 * 8 * 8 - large)
    session = Session()
    view = HeadsView(session, Appearance("light"))
    qtbot.addWidget(view)
    session.add_run(Run(RUN, trace))
    session.last_step()
    view.resize(300, 260)
    view.show()
    view.grab()
    assert len(read) == (0 if large else 12), "nothing is read before the window is painted"
    place = view.geometry_now()
    assert place is not None
    area = place.rect_of(2, 0)
    spot = (area.topLeft() + QPointF(area.width() - 2.5, area.height() - 2.5)).toPoint()
    qtbot.waitUntil(lambda: steps_apart(LIGHT, view.grab().toImage().pixel(spot), 1.0) <= 1)


def test_the_heads_beside_a_map_are_made_before_the_frame_that_shows_them(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[Thumbnails] = []
    encode = Thumbnails._encode

    def count(this: Thumbnails, *args: Any, **named: Any) -> Any:
        made.append(this)
        return encode(this, *args, **named)

    monkeypatch.setattr(Thumbnails, "_encode", count)
    session = Session()
    view = HeadsView(session, Appearance("light"))
    qtbot.addWidget(view)
    session.add_run(Run(RUN, square_trace(8, heads=4, layers=3)))
    session.last_step()
    view.resize(300, 260)
    view.show()
    view.grab()
    for change in (
        partial(session.set_view, sqrt_scale=True),
        partial(session.add_run, Run("2", square_trace(8, heads=4, layers=3))),
    ):
        made.clear()
        change()
        view.settle()
        assert len(made) == 1
        view.grab()
        assert len(made) == 1


def test_another_step_or_scale_reads_no_file_again(
    pane: MapPane, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = pane._session
    view = AllHeadsView(session, Appearance("light"), 0)
    qtbot.addWidget(view)
    view.resize(900, 400)
    view.show()
    qtbot.waitUntil(lambda: view.complete)

    def never(*_: object) -> None:
        raise AssertionError("read again")

    pane.hide()
    monkeypatch.setattr("viewer.figures.map.head_grid.HeadGrid.map", never)
    before = view.grab().toImage()
    session.set_view(sqrt_scale=True)
    assert view.grab().toImage() != before
    session.set_view(sqrt_scale=False)
    assert view.grab().toImage() == before
    session.select(0, step=2)
    assert view.grab().toImage() != before


def test_at_another_size_the_old_picture_stands_until_the_heads_are_read(pane: MapPane) -> None:
    view = pane.views["heads"]
    pane.resize(1100, 560)
    QApplication.processEvents()
    place = view.geometry_now()
    assert place is not None
    family = place.of(C)
    assert family is not None
    seen = thumbnails_of(family, 1.0, 1.0)
    assert seen.codes((0.0, 1.0), sqrt_scale=False)[1].max() < LATER, "none is blank"


def test_a_click_selects_and_a_double_click_shows_the_map(pane: MapPane) -> None:
    view = pane.views["heads"]
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at(view, E, 0, 1))
    assert (chosen(pane).kind, chosen(pane).layer, chosen(pane).head) == (E, 0, 1)
    assert chosen(pane).view == "heads"
    QTest.mouseDClick(view, Qt.MouseButton.LeftButton, pos=at(view, D, 1, 1))
    assert chosen(pane).view == "map"


def test_the_arrows_walk_from_family_to_family_and_enter_shows_the_map(pane: MapPane) -> None:
    view = pane.views["heads"]
    place = view.geometry_now()
    assert place is not None
    assert place.per_line == 3
    walked = []
    for _ in range(4):
        QTest.keyClick(view, Qt.Key.Key_Left)
        walked.append((chosen(pane).kind, chosen(pane).layer, chosen(pane).head))
    assert walked == [(D, 1, 1), (D, 1, 0), (E, 1, 1), (E, 1, 0)]
    QTest.keyClick(view, Qt.Key.Key_Up)
    assert chosen(pane).layer == 0
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen(pane).view == "map"


def test_from_the_mean_the_first_arrow_takes_the_first_head(pane: MapPane) -> None:
    pane._session.select(0, head=None)
    QTest.keyClick(pane.views["heads"], Qt.Key.Key_Down)
    assert (chosen(pane).layer, chosen(pane).head) == (1, 0)


def test_the_pointer_names_a_head_here_and_in_the_other_views(pane: MapPane) -> None:
    view = pane.views["heads"]
    said: list[str] = []
    view.read_out.connect(said.append)
    QTest.mouseMove(view, at(view, C, 0, 1))
    assert said[-1] == "Decoder layer 1, head 2, cross-attention"
    assert pointed_at(pane) == Hovered(RUN, C, layer=0, head=1)
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert pointed_at(pane) is None
    assert said[-1] == "Decoder layer 2, head 1, cross-attention"


def test_a_screen_reader_hears_the_chosen_head(qtbot: QtBot, pane: MapPane) -> None:
    QTest.mouseClick(pane.views["heads"], Qt.MouseButton.LeftButton, pos=at(pane.views["heads"], E, 1, 1))
    heard = QAccessible.queryAccessibleInterface(pane.views["heads"])
    told = "Encoder layer 2, head 2, encoder self-attention"
    qtbot.waitUntil(lambda: heard.text(QAccessible.Text.Description) == told)
