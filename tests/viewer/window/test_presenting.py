"""Before an audience: one figure, type that is read from the last row, keys for the rest, all as before."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.audience import too_small
from tests.viewer.driving import ROOMY, Driver, start
from tests.viewer.time_lapse_samples import make_sequence
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.looks.renewal import Renewal
from viewer.pages.positions.positions_tabs import POSITIONS_TABS

K = Qt.Key

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints|does not support")  # without a screen


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    driver.open(tiny_bundle)
    driver.translate(SENTENCE)
    yield driver
    driver.window.close()
    assert driver.program.ended


def press(driver: Driver, key: Qt.Key) -> None:
    QTest.keyClick(driver.window.pages.in_view.picture, key)


def go_before_an_audience(driver: Driver) -> None:
    press(driver, K.Key_F5)
    driver.window.showNormal()
    driver.window.resize(1280, 800)
    driver.qtbot.wait(30)
    driver.wait(lambda: not driver.window.findChild(Renewal).busy)


def test_f5_is_done_in_turns_and_no_frame_shows_half_of_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, page = driver.window, driver.page
    monkeypatch.setattr(Renewal, "slice_s", 0.01)
    renewal = window.findChild(Renewal)
    for before_an_audience in (True, False):
        press(driver, K.Key_F5)
        assert window._appearance.present is before_an_audience
        assert page.sentence.isHidden() is not before_an_audience  # that comes in a later turn
        assert not window.updatesEnabled()
        driver.wait(lambda: not renewal.busy)
        assert page.sentence.isHidden() is before_an_audience
        assert window.menuBar().isHidden() is before_an_audience
        assert window.updatesEnabled()


def test_f5_twice_before_a_frame_leaves_all_as_it_was(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    window, page = driver.window, driver.page
    monkeypatch.setattr(Renewal, "slice_s", 0.01)
    press(driver, K.Key_F5)
    press(driver, K.Key_F5)
    driver.wait(lambda: not window.findChild(Renewal).busy)
    assert not window._appearance.present
    assert not window.isFullScreen()
    assert page.lecture.isHidden()
    assert not page.sentence.isHidden()
    assert not window.menuBar().isHidden()


def test_no_type_is_small_and_one_figure_is_large(driver: Driver, tmp_path: Path) -> None:
    go_before_an_audience(driver)
    page, window, session = driver.page, driver.window, driver.session
    small: dict[str, dict[str, float]] = {}

    def look(where: str) -> None:
        driver.qtbot.wait(20)
        driver.wait(lambda: not window.findChild(Renewal).busy)
        with contextlib.suppress(driver.qtbot.TimeoutError):  # what a lesson computes finds its place yet
            driver.qtbot.waitUntil(lambda: not too_small(window), timeout=3000)
        small[where] = too_small(window)

    def share() -> float:
        """Of the window that the figure has."""
        shown = page.panes[0].shown
        return shown.width() * shown.height() / (window.width() * window.height())

    for view in PANE_VIEWS:
        session.select(view=view.name)
        if view.asks:  # nothing is there before the model has answered
            driver.wait(lambda: page.panes[0].picture.figure is not None)
        look(view.name)
        driver.wait(lambda: share() > 0.6)
        assert bool(page.lecture.place.text())
    session.select(view="map")
    session.bookmarks.add("a stop", "What is to be said here.")
    look("a note")
    assert window.note.isVisible()
    assert share() > 0.5
    press(driver, K.Key_N)
    for tab in range(len(page.inspector.tabs)):
        page.inspector.show_tab(tab)
        look(f"inspector {tab}")
    press(driver, K.Key_N)
    press(driver, K.Key_G)
    look("heads")
    press(driver, K.Key_G)
    for panel in range(4):
        page.drawer.show_panel(panel)
        look(f"drawer {panel}")
    page.drawer.show_panel(2)
    page.drawer.view("heads_table").tools.grid.setChecked(True)
    look("heads as a grid")
    page.drawer.show_panel(None)
    press(driver, K.Key_2)
    for row in POSITIONS_TABS:
        window.pages.positions.show_tab(row.name)
        look(f"positions {row.name}")
    press(driver, K.Key_3)
    for lesson in window.pages.learn.lessons:
        window.pages.learn.show_lesson(lesson.name)
        look(f"learn {lesson.name}")
    press(driver, K.Key_1)
    window.path_asked.emit(str(make_sequence(tmp_path / "probe")))
    driver.wait(page.time_lapse_bar.isVisible)
    look("time-lapse")
    assert {where: found for where, found in small.items() if found} == {}
    assert len(small) > 35


def test_all_comes_back_as_it_was(driver: Driver) -> None:
    page, window = driver.page, driver.window
    page.drawer.show_panel(1)
    page.inspector.show_tab(1)
    driver.qtbot.wait(30)

    def state() -> object:
        shown = (page.sentence, page.kind_row, page.heads, page.inspector, page.drawer, window.top)
        sizes = [splitter.sizes() for splitter in page.division.splitters(small=page.room.small).values()]
        return [widget.isVisible() for widget in shown], page.drawer.panel, page.inspected, sizes

    before = state()
    go_before_an_audience(driver)
    assert page.lecture.isVisible()
    for panel in (page.sentence, page.kind_row, page.heads, page.inspector):
        assert not panel.isVisible()
    for key, panel in ((K.Key_N, page.inspector), (K.Key_G, page.heads)):
        press(driver, key)
        assert panel.isVisible()
    press(driver, K.Key_N)
    assert not page.inspector.isVisible()
    page.inspector.show_tab(2)
    page.drawer.show_panel(None)
    press(driver, K.Key_X)
    press(driver, K.Key_Escape)
    window.showNormal()
    window.resize(*ROOMY)
    driver.qtbot.wait(200)
    assert state() == before
    assert not page.lecture.isVisible()
    assert not window.presenting.spotlight.isVisible()
    press(driver, K.Key_N)  # means nothing here
    assert page.inspector.isVisible()


def the_head_says_where_the_lecture_is_and_steps(driver: Driver) -> None:
    lecture, session = driver.page.lecture, driver.session
    session.select_head(0, 1)
    session.first_step()
    driver.qtbot.wait(30)
    trace = session.trace()
    assert trace is not None
    assert lecture.source.text() == SENTENCE
    assert lecture.where.text() == f"1 / {trace.steps}"
    assert lecture.place.text().endswith("layer 1 · head 2")
    driver.click(lecture.next)
    driver.wait(lambda: lecture.where.text() == f"2 / {trace.steps}")
    assert lecture.step.text() == driver.page.kind_row.sentence.text()
    assert lecture.step.text().startswith("reads “")
    assert lecture.previous.width() >= 56


def a_spotlight_darkens_all_but_a_circle(driver: Driver) -> None:
    window = driver.window
    before = window.grab().toImage()
    press(driver, K.Key_X)
    light = window.presenting.spotlight
    light._follow.stop()
    light._at = window.rect().center().toPointF()
    after = window.grab().toImage()
    middle, corner = window.rect().center(), QPoint(3, 3)
    assert after.pixelColor(middle) == before.pixelColor(middle)
    assert after.pixelColor(corner).lightness() < 0.7 * before.pixelColor(corner).lightness()
    press(driver, K.Key_X)
    assert not light.isVisible()


def keys_are_for_pages_theme_language_and_a_sentence(driver: Driver) -> None:
    window, look = driver.window, driver.window._appearance
    status = window.status
    assert status.keys.isVisible()
    for key in "NG124ORTLX":
        assert re.search(rf"\b{key}\b", status.keys.text()) or key in "24"
    press(driver, K.Key_2)
    assert window.pages.index == 1
    assert "G heads" not in status.keys.text()
    press(driver, K.Key_1)
    press(driver, K.Key_T)
    assert look.dark
    press(driver, K.Key_L)
    driver.wait(lambda: "F5" in status.keys.text() and "leaves" not in status.keys.text())
    press(driver, K.Key_L)
    press(driver, K.Key_T)
    QTest.keyClick(window, K.Key_L, Qt.KeyboardModifier.ControlModifier)
    box = driver.page.sentence.box
    assert box.isVisible()
    QTest.keyClicks(box, "n g t")  # letters while something is typed
    assert (box.text(), look.dark) == ("n g t", False)
    QTest.keyClick(box, K.Key_Escape)
    assert not box.isVisible()
    assert look.present
    menu = window.menus.bookmarks
    press(driver, K.Key_B)
    assert menu.isVisible()
    QTest.keyClick(menu, K.Key_Escape)
    assert not menu.isVisible()
    press(driver, K.Key_Escape)
    assert not look.present


def test_head_spotlight_and_keys(driver: Driver) -> None:
    """In one window: to go before an audience styles all of it anew."""
    go_before_an_audience(driver)
    the_head_says_where_the_lecture_is_and_steps(driver)
    a_spotlight_darkens_all_but_a_circle(driver)
    keys_are_for_pages_theme_language_and_a_sentence(driver)
