"""Long inputs in the window: the minimap, panning by keys, and going to a token."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind, Trace
from tests.viewer.figure_samples import picture, sample_trace, square_trace
from viewer.document.document import Run, ViewOptions
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import LIGHT
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.map.build import map_figure
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.minimap import centred, minimap_image, minimap_rect, view_rect
from viewer.figures.map.search import Match, find_tokens, match_text, nearest
from viewer.figures.map.spec import MapSpec
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.widgets.appearance import Appearance

TOKENS = 60
E, D, C = AttentionKind.ENCODER_SELF, AttentionKind.DECODER_SELF, AttentionKind.CROSS
pytestmark = [
    pytest.mark.usefixtures("qapp"),
    # Of the platform without a screen, of any tooltip.
    pytest.mark.qt_log_ignore("propagateSizeHints", "raise"),
]


def spec_of(trace: Trace, kind: AttentionKind, **changes: object) -> MapSpec:
    selection = Selection(kind=kind, step=trace.steps - 1).but(**changes)
    body = map_figure(trace, selection, ViewOptions()).body
    assert isinstance(body, MapSpec)
    return body


def geometry(zoom: Zoom | None, kind: AttentionKind = E, **changes: object) -> MapGeometry:
    selection = Selection(kind=kind, step=TOKENS - 1).but(**changes)
    figure = map_figure(square_trace(TOKENS), selection, ViewOptions())
    _, place = picture(figure, 700, 560, options=DrawOptions(zoom=zoom))
    assert isinstance(place, MapGeometry)
    return place


# The minimap.


def test_there_is_a_minimap_only_while_a_part_is_in_view() -> None:
    assert minimap_rect(geometry(None)) is None
    place = geometry(Zoom(10, 30, 20, 40))
    rect = minimap_rect(place)
    assert rect is not None
    assert place.map_rect.contains(rect)
    assert rect.width() == rect.height()


def test_the_frame_is_where_the_part_in_view_is() -> None:
    place = geometry(Zoom(10, 30, 20, 40))
    rect = QRectF(100, 200, 120, 120)
    assert view_rect(place, rect) == QRectF(100 + 40, 200 + 20, 40, 40)


@pytest.mark.parametrize("kind", [E, D, C])
def test_the_minimap_keeps_away_from_the_crosshair(kind: AttentionKind) -> None:
    zoom = Zoom(20, 40, 20, 40)
    for query in (21, 38):
        for key in (20, 21):
            place = geometry(zoom, kind, query=query, key=key)
            rect = minimap_rect(place)
            assert rect is not None
            assert not rect.intersects(place.rect_of(query, key))


def test_a_press_brings_its_place_into_the_middle() -> None:
    place, zoom = geometry(Zoom(10, 30, 20, 40)), Zoom(10.0, 30.0, 20.0, 40.0)
    rect = QRectF(0, 0, 120, 120)
    assert centred(place, rect, zoom, QPointF(60, 80)) == Zoom(30, 50, 20, 40)
    assert centred(place, rect, zoom, QPointF(0, 119)) == Zoom(40, 60, 0, 20)


def test_the_minimap_shows_the_largest_weight_of_the_cells_under_a_pixel() -> None:
    spec = spec_of(square_trace(TOKENS), E)
    image = minimap_image(spec, LIGHT, QRectF(0, 0, 20, 20), 1.0)
    assert (image.width(), image.height()) == (20, 20)
    blocks = spec.matrix.reshape(20, 3, 20, 3).max(axis=(1, 3))
    for (row, column), weight in np.ndenumerate(blocks):
        assert image.pixel(column, row) & 0xFFFFFF == int(LIGHT.table[round(255 * weight)]) & 0xFFFFFF


@pytest.fixture
def pane(qtbot: QtBot) -> MapPane:
    session = Session()
    pane = MapPane(session, Appearance("light"), 0)
    qtbot.addWidget(pane)
    session.add_run(Run("one", square_trace(TOKENS)))
    session.select(0, kind=E, layer=0, head=0)
    pane.resize(800, 640)
    pane.show()
    QApplication.processEvents()
    pane.grab()
    return pane


def window(pane: MapPane) -> tuple[int, int, int, int]:
    place = pane.map.geometry_now()
    assert place is not None
    return place.first_row, place.last_row, place.first_column, place.last_column


def chosen(pane: MapPane) -> Selection:
    selection = pane._session.selection(0)
    assert selection is not None
    return selection


def zoomed(pane: MapPane) -> QRectF:
    """Zoom in, and where the minimap is then."""
    pane.map.zoom_by(3.0)
    pane.map.grab()
    place = pane.map.geometry_now()
    assert place is not None
    rect = minimap_rect(place)
    assert rect is not None
    return rect


def test_dragging_in_the_minimap_pans_and_chooses_nothing(pane: MapPane) -> None:
    rect = zoomed(pane)
    assert window(pane) == (20, 40, 20, 40)
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(pane.map, left, pos=rect.topLeft().toPoint() + QPoint(1, 1))
    assert window(pane) == (0, 20, 0, 20)
    QTest.mouseMove(pane.map, rect.bottomRight().toPoint() - QPoint(2, 2))
    QTest.mouseRelease(pane.map, left, pos=rect.bottomRight().toPoint() - QPoint(2, 2))
    assert chosen(pane).query is None
    pane.map.grab()
    QTest.mouseDClick(pane.map, left, pos=rect.center().toPoint())
    assert window(pane)[0] > 0, "a double click on it is no request for the whole map"


def test_no_cell_is_read_out_under_the_minimap(pane: MapPane) -> None:
    rect = zoomed(pane)
    place = pane.map.geometry_now()
    assert place is not None
    said: list[str] = []
    pane.map.read_out.connect(said.append)
    QTest.mouseMove(pane.map, place.map_rect.topLeft().toPoint() + QPoint(9, 9))
    assert said[-1]
    QTest.mouseMove(pane.map, rect.center().toPoint())
    assert said[-1] == ""


def test_shift_and_arrows_move_the_part_in_view_by_a_quarter(pane: MapPane) -> None:
    zoomed(pane)
    shift = Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(pane.map, Qt.Key.Key_Down, shift)
    assert window(pane) == (25, 45, 20, 40)
    QTest.keyClick(pane.map, Qt.Key.Key_Left, shift)
    assert window(pane) == (25, 45, 15, 35)
    for _ in range(9):
        QTest.keyClick(pane.map, Qt.Key.Key_Up, shift)
    assert window(pane)[:2] == (0, 20)
    assert chosen(pane).query is None


# Go to token.


def test_tokens_are_found_by_a_part_of_their_text_in_rows_and_columns() -> None:
    spec = spec_of(sample_trace(), C)
    assert find_tokens(spec, "ROUG") == (Match(row=1), Match(row=2))  # predicted, then read
    assert find_tokens(spec, "les") == (Match(column=2),)
    assert find_tokens(spec, "▁app") == (Match(column=1),)
    assert find_tokens(spec, " ") == find_tokens(spec, "zebra") == ()


def test_a_number_finds_the_place_first_counted_from_one() -> None:
    spec = spec_of(square_trace(30), E)
    found = find_tokens(spec, "12")
    assert found[:2] == (Match(row=11), Match(column=11))
    assert set(found[2:]) == {Match(row=12), Match(column=12)}  # "…12" is the thirteenth
    assert find_tokens(spec, "1000000") == ()


def test_a_match_is_named_and_the_nearest_comes_first() -> None:
    trace = sample_trace()
    spec = spec_of(trace, C, query=2, key=0)
    assert match_text(spec, Match(row=1)) == "query 2, pommes → rouges"
    assert match_text(spec, Match(column=0)) == "key 1, red"
    assert nearest(find_tokens(spec, "rouges"), spec) == 1
    assert nearest(find_tokens(spec, "red"), spec) == 0


def test_enter_goes_from_match_to_match_and_escape_closes(pane: MapPane) -> None:
    line = pane.go_to
    line.open_line()
    QTest.keyClicks(line.field, "o3")
    rows = [index for index, label in enumerate(pane.map.spec.row_labels) if "o3" in label.token.text]  # type: ignore[union-attr]
    assert rows
    assert line.said.text() == f"{len(rows)} queries, {len(rows)} keys: Enter goes there"
    QTest.keyClick(line.field, Qt.Key.Key_Return)
    assert chosen(pane).query == rows[0]
    assert chosen(pane).key is not None
    assert line.said.text().startswith(f"1 of {2 * len(rows)}: query {rows[0] + 1},")
    first, last, left, right = window(pane)
    assert first <= rows[0] < last
    assert left <= (chosen(pane).key or 0) < right
    assert (first, last) != (0, TOKENS), "tiny cells were brought nearer"
    QTest.keyClick(line.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert line.said.text().startswith(f"{2 * len(rows)} of {2 * len(rows)}: key")
    assert (chosen(pane).query, chosen(pane).key) == (rows[0], rows[-1])
    QTest.keyClick(line.field, Qt.Key.Key_Escape)
    assert line.isHidden()


@pytest.mark.parametrize("view", ["flow", "words"])
def test_flow_and_words_go_there_too(pane: MapPane, view: str) -> None:
    pane._session.select(0, view=view)
    QApplication.processEvents()
    pane.go_to.open_line()
    QTest.keyClicks(pane.go_to.field, "55")
    QTest.keyClick(pane.go_to.field, Qt.Key.Key_Return)
    assert chosen(pane).query == 54
    assert not pane._session.view.incoming
    QTest.keyClick(pane.go_to.field, Qt.Key.Key_Return)
    assert chosen(pane).key == 54
    assert pane._session.view.incoming


def test_what_is_not_there_is_said_and_all_heads_have_no_tokens_to_go_to(pane: MapPane) -> None:
    pane.go_to.open_line()
    QTest.keyClicks(pane.go_to.field, "zebra")
    assert pane.go_to.said.text() == "no such token"
    assert not pane.go_to.forth.isEnabled()
    QTest.keyClick(pane.go_to.field, Qt.Key.Key_Return)
    assert chosen(pane).query is None
    pane.go_to.close_line()
    pane._session.select(0, view="heads")
    pane.go_to.open_line()
    assert pane.go_to.isHidden()
