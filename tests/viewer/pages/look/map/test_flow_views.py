"""Flow, words and the tabs in a page: pointer, clicks and keys, and what one view says in the others."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.figure_samples import CROSS, sample_trace
from viewer.document.document import Run
from viewer.document.hover import Hovered
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.flow.spec import FlowSpec
from viewer.figures.words.spec import Axis, WordsSpec
from viewer.pages.look.look_page import LookPage
from viewer.pages.look.map.flow_tools import STOPS, FlowTools
from viewer.pages.look.map.map_pane import MapPane
from viewer.pages.look.map.pane_head import Needs, PaneRoom, pane_room
from viewer.pages.look.map.words_view import WordsTools, WordsView
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.look.sentence.strip_link import source_tokens, target_tokens
from viewer.pages.widgets.appearance import Appearance
from viewer.window.keys import handle_key

RUN = "one"
# Of the platform without a screen, of any tooltip.
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def page(qtbot: QtBot) -> LookPage:
    session = Session()
    page = LookPage(session, Appearance("light"))
    qtbot.addWidget(page)
    session.add_run(Run(RUN, sample_trace()))
    session.set_text("red apples")
    session.select(0, kind=AttentionKind.CROSS, layer=1, head=0, step=2)
    page.resize(1250, 690)
    page.show()
    QApplication.processEvents()
    return page


def session_of(page: LookPage) -> Session:
    return page.panes[0]._session


def chosen(session: Session) -> Selection:
    selection = session.selection(0)
    assert selection is not None
    return selection


def flow_of(pane: MapPane) -> FlowSpec:
    spec = pane.views["flow"].spec
    assert spec is not None
    return spec


def words_of(pane: MapPane) -> WordsSpec:
    spec = pane.views["words"].spec
    assert spec is not None
    return spec


def flow_tools(pane: MapPane) -> FlowTools:
    tools = pane.tools["flow"]
    assert isinstance(tools, FlowTools)
    return tools


def words_tools(pane: MapPane) -> WordsTools:
    tools = pane.tools["words"]
    assert isinstance(tools, WordsTools)
    return tools


def show(page: LookPage, view: str) -> MapPane:
    session_of(page).select(0, view=view)
    QApplication.processEvents()
    return page.panes[0]


def key(view: QWidget, name: Qt.Key) -> None:
    QTest.keyClick(view, name)


def hover(widget: QWidget, point: QPointF) -> None:
    QTest.mouseMove(widget, QPoint(1, 1))
    QTest.mouseMove(widget, point.toPoint())
    QApplication.processEvents()


def test_each_tab_shows_its_view_and_keys_go_there_and_back(page: LookPage) -> None:
    session, pane = session_of(page), page.panes[0]
    for view, tab in pane.tabs.tabs.items():
        tab.click()
        assert chosen(session).view == view
        assert pane.shown is pane.views[view]
        assert [other for other in pane.tabs.tabs if pane.tabs.tabs[other].isChecked()] == [view]
    session.select(0, view="map")
    none = Qt.KeyboardModifier.NoModifier
    for name, view in ((Qt.Key.Key_F, "flow"), (Qt.Key.Key_W, "words")):
        assert handle_key(session, name, none)
        assert chosen(session).view == view
    handle_key(session, Qt.Key.Key_W, none)
    assert chosen(session).view == "map"
    for view in ("flow", "words", "heads", "contributions", "map"):
        handle_key(session, Qt.Key.Key_V, none)
        assert chosen(session).view == view


def test_the_tools_of_a_view_are_there_only_with_it(page: LookPage) -> None:
    pane = page.panes[0]
    for view in (row.name for row in PANE_VIEWS):
        show(page, view)
        assert [shown for shown, tools in pane.tools.items() if tools.isVisible()] == [
            shown for shown in pane.tools if shown is view
        ]


def test_a_line_under_the_pointer_is_read_out_as_the_map_reads_it(page: LookPage) -> None:
    pane = show(page, "flow")
    said: list[str] = []
    pane.views["flow"].read_out.connect(said.append)
    place = pane.views["flow"].geometry_now()
    assert place is not None
    hover(pane.views["flow"], QPointF(place.area.left() + 3, place.queries.y(0)))
    assert session_of(page).hover.at == Hovered(RUN, AttentionKind.CROSS, 0, 0, 1, 0)
    spec = pane.map.spec
    assert spec is not None
    assert pane.views["flow"].sentence() == spec.sentence_at(0, 0)
    assert said[-1] == spec.sentence_at(0, 0, "0.699999988")


def test_a_token_is_chosen_by_click_and_the_arrows_walk(page: LookPage) -> None:
    session, pane = session_of(page), show(page, "flow")
    place = pane.views["flow"].geometry_now()
    assert place is not None
    point = QPointF(place.area.left() - 12, place.queries.y(1)).toPoint()
    QTest.mouseClick(pane.views["flow"], Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, point)
    now = chosen(session)
    assert (now.step, now.query, now.key) == (1, 1, int(CROSS[1].argmax()))
    assert flow_of(pane).chosen == (1, None)
    key(pane.views["flow"], Qt.Key.Key_Up)
    assert chosen(session).query == 0
    key(pane.views["flow"], Qt.Key.Key_Right)
    key(pane.views["flow"], Qt.Key.Key_Down)
    assert session.view.incoming
    assert flow_of(pane).chosen == (None, 3)
    assert (chosen(session).query, chosen(session).key) == (0, 3)


def test_the_crosshair_goes_with_the_step(page: LookPage) -> None:
    session = session_of(page)
    session.select(0, step=1, query=1, key=2)
    session.step_by(1)
    assert (chosen(session).query, chosen(session).key) == (2, 2)
    session.step_by(5)
    assert chosen(session).query == 2
    session.select(0, query=0)
    session.step_by(-1)
    assert chosen(session).query == 0


def test_a_flow_without_any_height_draws_nothing_ahead(page: LookPage) -> None:
    """A splitter may take it all; a picture of no size would have Qt complain, which fails the test."""
    view = show(page, "flow").views["flow"]
    view.setMinimumHeight(0)
    for size in ((view.width(), 0), (view.width(), 40)):
        view.setFixedSize(*size)
        view.mark_dirty()
        for _ in range(3):
            QApplication.processEvents()


def test_heads_join_and_leave_by_the_strip(page: LookPage) -> None:
    session, pane = session_of(page), show(page, "flow")
    tools = flow_tools(pane)
    strip = tools.heads

    def press(head: int, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        place = strip.rect_of(head).center().toPoint()
        QTest.mouseClick(strip, Qt.MouseButton.LeftButton, modifier, place)

    press(1, Qt.KeyboardModifier.ControlModifier)
    assert flow_of(pane).heads == (0, 1)
    press(0, Qt.KeyboardModifier.ShiftModifier)
    assert flow_of(pane).heads == (1,)
    press(1, Qt.KeyboardModifier.ControlModifier)
    assert flow_of(pane).heads == (1,), "the last one stays"
    tools.every.click()
    assert flow_of(pane).heads == (0, 1)
    assert tools.every.isChecked()
    press(0)
    assert flow_of(pane).heads == (0,)
    tools.every.click()
    session.select_head(0, 1)
    assert flow_of(pane).heads == (1,), "a head chosen elsewhere is drawn alone"


def test_the_slider_sets_the_threshold_and_one_undo_takes_it_back(page: LookPage) -> None:
    session, pane = session_of(page), show(page, "flow")
    slider = flow_tools(pane).slider
    before = session.view.threshold
    for stop in (12, 13, 14):
        slider.setValue(stop)
    assert session.view.threshold == STOPS[14]
    assert any(badge.startswith("lines below 0.2 hidden") for badge in flow_of(pane).badges)
    assert "lines below 0.2 hidden" in pane.badges.text()
    session.undo()
    assert session.view.threshold == before


def test_what_the_pointer_is_on_lights_up_everywhere(page: LookPage) -> None:
    session = session_of(page)
    session.open_second_pane()
    session.select(1, view="words")
    session.activate_pane(0)
    QApplication.processEvents()
    first, second = page.panes
    words = second.shown
    assert isinstance(words, WordsView)
    strip = page.sentence.pieces
    hover(strip, QPointF(strip.chip_center(1)))
    assert session.hover.at == Hovered(RUN, AttentionKind.CROSS, key=1)
    assert first.map.options().lit == (None, 1)
    assert words.options().lit == (None, 1)
    session.select(0, kind=AttentionKind.ENCODER_SELF)
    assert first.map.options().lit == (None, 1)
    session.select(0, kind=AttentionKind.DECODER_SELF)
    assert first.map.options().lit == (None, None)
    hover(page.sentence.output, QPointF(page.sentence.output.chip_center(2)))
    assert first.map.options().lit == (2, None)
    assert words.options().lit == (2, None)


def test_a_cell_of_the_map_lights_both_its_tokens_in_the_strips(page: LookPage) -> None:
    pane = page.panes[0]
    place = pane.map.geometry_now()
    assert place is not None
    hover(pane.map, place.rect_of(1, 2).center())
    assert page.sentence.pieces._lit == {2}
    assert page.sentence.output._lit == {1}
    assert page.heads.view.options().hover == (1, 0)
    QApplication.sendEvent(pane.map, QEvent(QEvent.Type.Leave))
    assert page.sentence.pieces._lit == page.sentence.output._lit == frozenset()


def test_a_head_under_the_pointer_is_the_one_whose_lines_stand_out(page: LookPage) -> None:
    session, pane = session_of(page), show(page, "flow")
    session.select(0, more_heads=(1,))
    place = page.heads.view.geometry_now()
    assert place is not None
    hover(page.heads.view, place.rect_of(1, 1).center())
    assert pane.views["flow"].options().lit_head == 1
    hover(page.heads.view, place.rect_of(0, 1).center())
    assert pane.views["flow"].options().lit_head is None


def test_a_decoders_key_is_the_token_that_the_step_before_predicted() -> None:
    trace = sample_trace()
    at = Hovered(RUN, AttentionKind.DECODER_SELF, query=2, key=1)
    assert target_tokens(at, trace) == {2, 0}
    assert target_tokens(Hovered(RUN, AttentionKind.DECODER_SELF, key=0), trace) == frozenset()
    assert source_tokens(Hovered(RUN, AttentionKind.ENCODER_SELF, 1, 3)) == {1, 3}


def test_words_are_chosen_by_click_and_arrows(page: LookPage) -> None:
    session, pane = session_of(page), show(page, "words")
    words = pane.views["words"]

    def press(axis: Axis, index: int) -> None:
        rect = words.rect_of(axis, index)
        assert rect is not None
        place = rect.center().toPoint()
        QTest.mouseClick(words, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, place)

    press(Axis.QUERY, 1)
    assert (chosen(session).step, chosen(session).query) == (1, 1)
    key(words, Qt.Key.Key_Left)
    assert chosen(session).step == 0
    press(Axis.KEY, 1)
    assert session.view.incoming
    assert words_of(pane).column == 1
    key(words, Qt.Key.Key_Right)
    assert words_of(pane).column == 2
    press(Axis.QUERY, 0)
    assert not session.view.incoming


def test_the_words_toggle_turns_the_view(page: LookPage) -> None:
    pane = show(page, "words")
    tools = words_tools(pane)
    tools.to.click()
    assert words_of(pane).incoming
    assert "not to 1" in pane.badges.text()
    tools.of.click()
    assert not words_of(pane).incoming


def test_hovering_builds_no_figure_anew(page: LookPage) -> None:
    session = session_of(page)
    for view in ("map", "flow", "words"):
        pane = show(page, view)
        before = pane.shown.figure
        session.hover.set(Hovered(RUN, AttentionKind.CROSS, 1, 1))
        QApplication.processEvents()
        assert pane.shown.figure is before
        session.hover.set(None)


def test_the_header_gives_up_words_before_it_gives_up_buttons() -> None:
    needs = Needs(title=220, tabs=250, icons=140, numbers=100, long=200, short=100)
    assert pane_room(needs, 770, tight=False) == PaneRoom(one_row=True, long=True)
    assert pane_room(needs, 600, tight=False) == PaneRoom(long=True)
    assert pane_room(needs, 460, tight=False) == PaneRoom()
    assert pane_room(needs, 350, tight=False) == PaneRoom(icons=True)
    assert pane_room(needs, 250, tight=False) == PaneRoom(icons=True)  # the row puts away what is too much
    assert pane_room(needs, 560, tight=True) == PaneRoom(one_row=True, icons=True)
    assert pane_room(needs, 470, tight=True) == PaneRoom(icons=True)


def test_in_a_narrow_pane_the_tabs_are_icons_with_names_to_hear(page: LookPage) -> None:
    session_of(page).open_second_pane()
    QApplication.processEvents()
    tabs = page.panes[0].tabs.tabs
    assert all(not tab.text() and not tab.icon().isNull() for tab in tabs.values())
    assert [tab.accessibleName() for tab in tabs.values()] == ["Map", "Flow", "Words", "All heads", "Graph"]


def test_another_language_builds_every_view_anew(page: LookPage) -> None:
    for view in ("map", "flow", "words"):
        pane = show(page, view)
        before = pane.shown.figure
        QApplication.sendEvent(pane, QEvent(QEvent.Type.LanguageChange))
        assert pane.shown.figure is not before
