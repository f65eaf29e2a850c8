"""The tour: each step is done by doing it, in a small window too; it skips what was done."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from viewer.pages.look.what_if.head_section import HeadSection
from viewer.window.main_window import MainWindow
from viewer.window.tour.steps import STEPS
from viewer.window.tour.tour import Tour


@pytest.fixture
def window(desk: Desk) -> Iterator[MainWindow]:
    yield desk.window
    if desk.window.guidance.tour is not None:
        desk.window.guidance.tour.leave()
    desk.window.choose_language("en")
    desk.window._settings.tour_seen = False


def begun(window: MainWindow) -> Tour:
    window.guidance.begin_tour()
    assert window.guidance.tour is not None
    return window.guidance.tour


def stands_clear(tour: Tour, window: MainWindow) -> bool:
    """Whether the bubble is in the window, and not over what it points at."""
    QApplication.processEvents()
    tour.place()
    bubble, target = tour.bubble.geometry(), tour._target()
    inside = window._central.rect().contains(bubble)
    return inside and not target.isEmpty() and not bubble.intersects(target)


@pytest.mark.parametrize("size", [(900, 600), (1440, 900)])
def test_eight_steps_are_done_by_doing_them(window: MainWindow, desk: Desk, size: tuple[int, int]) -> None:
    window.resize(*size)
    page, session = desk.page, desk.session
    tour = begun(window)
    names: list[str] = []

    def at(name: str) -> None:
        assert tour.step is not None
        assert tour.step.name == name
        assert stands_clear(tour, window), name
        names.append(name)

    at("type")
    page.sentence.box.setFocus()
    page.sentence.box.selectAll()
    QTest.keyClicks(page.sentence.box, SENTENCE)
    at("translate")
    QTest.keyClick(page.sentence.box, Qt.Key.Key_Return)
    desk.wait(desk.translated)
    at("step")
    page.sentence.steps.first.click()
    at("family")
    page.kind_row.tabs[next(iter(page.kind_row.tabs))].click()
    at("head")
    selection = session.selection()
    assert selection is not None
    desk.click(page.heads.view, desk.head_center(1, 0 if selection.head else 2))
    at("cell")
    window.keys.to_picture()
    QTest.keyClick(page.picture, Qt.Key.Key_Down)
    at("branch")
    session.set_step(2)
    page.next_word.table.picked.emit(1)
    desk.wait(desk.translated)
    at("change")
    section = page.inspector.view("what_if").findChild(HeadSection)
    assert section is not None
    desk.click(section.head.switch, QPoint(8, section.head.switch.height() // 2))
    desk.wait(desk.translated)

    assert names == [step.name for step in STEPS]
    assert tour.step is None
    assert tour.bubble.isVisible()
    assert tour.bubble.skip.isHidden()
    tour.bubble.end.click()
    assert window.guidance.tour is None


def test_what_is_done_ahead_is_skipped_and_a_step_can_be_left_out(window: MainWindow, desk: Desk) -> None:
    tour = begun(window)
    desk.session.select_head(1, 1)  # not asked for yet
    for name in ("type", "translate", "step", "family", "cell"):
        assert tour.step is not None
        assert tour.step.name == name
        tour.bubble.skip.click()
    assert tour.step is not None
    assert tour.step.name == "branch"


def test_the_offered_tour_begins_behind_what_was_done_and_another_at_the_beginning(
    window: MainWindow, desk: Desk
) -> None:
    window.guidance.offer_tour()
    assert desk.session.notice is not None
    assert window.notice.button.text() == "Take the tour"
    window.notice.button.click()
    assert window.guidance.tour is not None
    assert window.guidance.tour.step is not None
    assert window.guidance.tour.step.name == "step"  # the desk's sentence is typed and translated
    window.guidance.tour.leave()
    window.guidance.offer_tour()
    assert desk.session.notice is None  # once
    assert begun(window).step is STEPS[0]


def test_esc_closes_it_and_another_language_or_page_does_not(window: MainWindow, desk: Desk) -> None:
    tour = begun(window)
    window.choose_language("zh_CN")
    QApplication.processEvents()
    assert tour.bubble.title.text() == "输入一个句子"
    assert tour.bubble.accessibleName() == "输入一个句子"
    window.pages.show_page(2)
    assert tour.bubble.isHidden()
    window.pages.show_page(0)
    assert tour.bubble.isVisible()
    for button in (tour.bubble.skip, tour.bubble.end):
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
        assert button.accessibleName()
    desk.page.sentence.box.setFocus()
    QTest.keyClick(desk.page.sentence.box, Qt.Key.Key_Escape)
    assert window.guidance.tour is None
    assert window.focusWidget() is desk.page.picture
