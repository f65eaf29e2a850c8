"""What the Look page does with its room: the status shares a row, a low panel keeps its heads."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QLabel, QWidget

from tests.viewer.desk import Desk
from tests.viewer.driving import ROOMY, Driver
from viewer.document.job_status import JobStatus
from viewer.pages.look.look_page import NEXT_WORD


@pytest.fixture
def driver(desk: Desk) -> Driver:
    return desk


def bottom(widget: QWidget, driver: Driver) -> int:
    return widget.mapTo(driver.window, QPoint(0, widget.height())).y()


def top(widget: QWidget, driver: Driver) -> int:
    return widget.mapTo(driver.window, QPoint(0, 0)).y()


def layers_seen(driver: Driver) -> float:
    view = driver.page.heads.view
    geometry = view.geometry_now()
    assert geometry is not None
    return view.visibleRegion().boundingRect().height() / geometry.step_y


def test_the_sentence_of_the_step_is_whole_and_the_read_out_ends_in_its_number(driver: Driver) -> None:
    sentence, status = driver.page.kind_row.sentence, driver.window.status

    long = "Decoder layer 2, mean over 8 heads: " + "predicting a long word " * 9 + "0.402"

    def in_their_places() -> bool:
        status.show_read_out(long)  # a view that has just been painted may say something else
        return QLabel.text(sentence) == sentence.text() != "" and QLabel.text(status.read_out) != long

    driver.wait(in_their_places)
    assert status.read_out.text() == long
    assert QLabel.text(status.read_out).startswith("Decoder")
    assert QLabel.text(status.read_out).endswith("0.402")


def test_beside_an_open_drawer_there_are_heads_to_be_seen(driver: Driver) -> None:
    heads, session = driver.page.heads, driver.session
    driver.page.upper.setSizes([400, 570])
    driver.page.drawer.show_panel(0)
    driver.page.floors.setSizes([300, 380])
    driver.wait(lambda: heads.height() < 300)

    driver.wait(lambda: not heads.title.isVisible())
    driver.wait(lambda: layers_seen(driver) >= 1.5)
    geometry = heads.view.geometry_now()
    assert geometry is not None
    assert not heads.hint.isVisible()
    assert (heads.mean.text(), heads.mean.accessibleName()) == ("", "Mean over heads")
    for layer in range(geometry.spec.layers):
        session.select_head(layer, 0)
        place = heads.view.geometry_now()
        assert place is not None
        middle = place.rect_of(layer, 0).center().toPoint()
        driver.wait(lambda at=middle: heads.view.visibleRegion().boundingRect().contains(at))

    driver.click(heads.mean)
    selection = session.selection()
    assert selection is not None
    assert selection.head is None

    driver.page.drawer.show_panel(None)
    driver.wait(lambda: heads.hint.isVisible())
    assert heads.mean.text() == "Mean over heads"
    assert heads.mean.isChecked()


def test_a_plain_panel_of_heads_has_no_hint_however_high(driver: Driver) -> None:
    driver.page.heads.set_plain(True)
    driver.page.drawer.show_panel(0)
    driver.page.drawer.show_panel(None)
    driver.wait(lambda: driver.page.heads.title.isVisible())
    assert not driver.page.heads.hint.isVisible()
    driver.page.heads.set_plain(False)


def test_the_mean_stands_beside_the_tabs_where_two_maps_leave_little_width(driver: Driver) -> None:
    heads = driver.page.heads
    driver.window.actions_["second_pane"].trigger()
    driver.page.drawer.show_panel(0)
    driver.page.floors.setSizes([300, 380])
    driver.wait(lambda: heads.height() < 300)

    driver.wait(heads.mean.isVisible)
    for widget in (*heads.tabs[:2], heads.mean):  # the third comes when it is asked for
        assert widget.visibleRegion().boundingRect() == widget.rect()
    assert heads.mean.width() >= 30


def test_before_an_audience_nothing_is_cut_off(driver: Driver) -> None:
    page, window = driver.page, driver.window
    family, translate = page.kind_row, page.sentence.translate.width()
    window.presenting.toggle()
    assert not family.isAncestorOf(window.status)
    driver.wait(window.status.isVisible)

    for size in ((1920, 1080), (1280, 800)):
        window.showNormal()
        window.resize(*size)
        assert not page.drawer.isVisible()  # an audience need not see what is closed
        page.drawer.show_panel(0)
        page.call(NEXT_WORD)
        driver.wait(lambda: page.drawer.tabs[0].height() >= page.drawer.tabs[0].sizeHint().height())
        for tab in (*page.drawer.tabs, *page.inspector.tabs):
            driver.wait(lambda tab=tab: tab.visibleRegion().boundingRect() == tab.rect())
            assert tab.width() >= tab.sizeHint().width()
        for words in (page.lecture.step, page.lecture.source, page.lecture.place):
            assert QLabel.text(words) == words.text() != ""
        assert not page.panes[0].second.isVisible()
        page.call(NEXT_WORD)
        page.drawer.show_panel(None)
        assert not page.drawer.isVisible()

    # Two maps have the room of the heads.
    driver.session.open_second_pane()
    driver.wait(lambda: not page.heads.isVisible())
    for pane in page.panes:
        driver.wait(lambda pane=pane: pane.visibleRegion().boundingRect() == pane.rect())

    window.presenting.toggle()
    window.resize(*ROOMY)
    driver.wait(page.drawer.isVisible)
    assert family.isAncestorOf(window.status)
    driver.wait(page.heads.isVisible)
    driver.session.close_second_pane()
    driver.wait(page.panes[0].second.isVisible)
    driver.wait(lambda: page.drawer.maximumHeight() < 60)
    driver.wait(lambda: page.sentence.translate.width() == translate)


def test_the_status_counts_the_words_of_what_is_in_view(driver: Driver) -> None:
    """Of several samples the job counts those that are done, which are no words."""
    session, state = driver.session, driver.window.status.state
    run = session.run()
    assert run is not None
    session.replace_run(run.but(live=True))
    session.set_job(JobStatus("decoding", 99, done=2, total=5))
    assert state.text() == f"Translating, word {run.trace.steps}…"
    session.set_job(JobStatus("decoding", 99, paused=True))
    assert state.text() == ""
    session.set_job(JobStatus())
    assert state.text() == "Ready"
    session.replace_run(run)


def test_the_status_shares_the_row_of_families(driver: Driver) -> None:
    window, family = driver.window, driver.page.kind_row
    assert top(family, driver) <= top(window.status, driver) < bottom(family, driver)
    assert bottom(driver.page, driver) >= window.height() - 8  # nothing below but the margin

    for page in (1, 0, 2, 3):
        window.pages.show_page(page)
        driver.qtbot.wait(1)
        assert window.status.isVisible()
        on_look = page == 0
        assert family.isAncestorOf(window.status) is on_look
