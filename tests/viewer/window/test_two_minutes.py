"""README's "Two minutes with it", step by step, with real keys and clicks in a window just opened.

That these are the keys of its steps is held by `tests/viewer/manual/test_readme.py`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, QRect, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QToolTip, QWidget
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import save_trace
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from tests.viewer.reaching import controls, seen
from viewer.document.decoding_settings import ONE_BY_ONE
from viewer.document.messages.messages import JobFailed
from viewer.document.selection import Selection
from viewer.pages.look.map.map_view import MapView
from viewer.pages.look.pane_views import PANE_VIEWS

K = Qt.Key
_NONE = Qt.KeyboardModifier.NoModifier


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path, tiny_bundle: Path, tiny_trace: Trace) -> Iterator[Driver]:
    """As it opens for the first time: on a recorded example, with the call-outs."""
    folder = tmp_path / "shipped"
    shutil.copytree(tiny_bundle, folder)
    save_trace(tiny_trace, folder / "example.trace")
    driver = start(qtbot, tmp_path)
    driver.program.conductor.start(folder)
    driver.window.guidance.show_callouts()
    driver.wait(lambda: driver.session.model is not None and not driver.session.job.busy)
    yield driver
    driver.window.close()
    assert driver.program.ended


def press(
    driver: Driver, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
) -> None:
    """A key goes to whoever has the focus, as on a keyboard."""
    focused = driver.window.focusWidget()
    QTest.keyClick(driver.window if focused is None else focused, key, modifiers)
    QApplication.processEvents()


def chosen(driver: Driver) -> Selection:
    selection = driver.session.selection()
    assert selection is not None
    return selection


def bubbles(driver: Driver) -> list[bool]:
    guide = driver.window.guidance.guide
    assert guide is not None
    return [bubble.isVisible() for bubble in guide.callouts.bubbles]


@pytest.mark.parametrize("view", [view.name for view in PANE_VIEWS])
def test_after_enter_and_after_escape_the_keys_are_the_pictures(desk: Desk, view: str) -> None:
    page, session = desk.page, desk.session
    session.select(view=view)
    control = Qt.KeyboardModifier.ControlModifier
    press(desk, K.Key_L, control)
    press(desk, K.Key_Escape)
    assert desk.window.focusWidget() is page.panes[0].views[view]

    press(desk, K.Key_L, control)
    assert desk.window.focusWidget() is page.sentence.box
    press(desk, K.Key_Return)
    picture = page.panes[0].picture  # the pane itself while its view has nothing to show
    assert desk.window.focusWidget() is picture
    desk.wait(desk.translated)
    press(desk, K.Key_E)
    assert chosen(desk).kind is AttentionKind.ENCODER_SELF
    assert page.sentence.box.text() == SENTENCE


def test_a_pane_whose_picture_goes_has_the_keys_and_no_button_in_it(desk: Desk) -> None:
    pane, session = desk.page.panes[0], desk.session
    pane.picture.setFocus()
    assert desk.window.focusWidget() is pane.shown

    for run in list(session.document.runs):
        session.remove_run(run.id)
    QApplication.processEvents()

    assert pane.picture is pane
    assert desk.window.focusWidget() is pane


def test_a_sentence_that_fails_keeps_the_keys(desk: Desk) -> None:
    page, session = desk.page, desk.session
    box = page.sentence.box
    press(desk, K.Key_L, Qt.KeyboardModifier.ControlModifier)
    press(desk, K.Key_Delete)
    press(desk, K.Key_Return)
    desk.wait(lambda: session.notice is not None and not session.job.busy)
    assert desk.window.focusWidget() is box
    QTest.keyClicks(box, SENTENCE)
    desk.session.set_pace(ONE_BY_ONE)
    press(desk, K.Key_Return)
    assert desk.window.focusWidget() is page.picture
    refused = HeadscopeError("internal", detail="refused by the model a moment later")
    desk.program.engine.failed.emit(JobFailed(session.job.job, refused))
    assert desk.window.focusWidget() is box

    composing = QInputMethodEvent("ni", [])
    QApplication.sendEvent(box, composing)
    press(desk, K.Key_Return)
    assert desk.window.focusWidget() is box
    QApplication.sendEvent(box, QInputMethodEvent())


def test_escape_first_stops_what_is_written_then_leaves_the_field(desk: Desk) -> None:
    session, box = desk.session, desk.page.sentence.box
    desk.session.set_pace(1.5)
    press(desk, K.Key_L, Qt.KeyboardModifier.ControlModifier)
    press(desk, K.Key_Return)
    box.setFocus()
    assert session.job.state == "decoding"
    press(desk, K.Key_Escape)
    desk.wait(lambda: not session.job.busy)
    assert desk.window.focusWidget() is box
    press(desk, K.Key_Escape)
    assert desk.window.focusWidget() is desk.page.picture


def test_an_error_of_something_else_does_not_take_the_keys_away(desk: Desk, tmp_path: Path) -> None:
    press(desk, K.Key_L, Qt.KeyboardModifier.ControlModifier)
    press(desk, K.Key_Return)
    desk.wait(desk.translated)
    desk.ask_path(tmp_path / "nothing")
    assert desk.session.notice is not None
    assert desk.window.focusWidget() is desk.page.picture


@pytest.mark.parametrize("page", [1, 2])
def test_escape_leaves_the_fields_of_other_pages(desk: Desk, page: int) -> None:
    desk.window.pages.show_page(page)
    if page == 1:
        field: QWidget = desk.window.pages.positions.panels["encoding"].dimension
    else:
        desk.window.pages.learn.show_lesson("two_sentences")
        field = desk.window.pages.learn.view("two_sentences").form.boxes[0]
    field.setFocus()
    press(desk, K.Key_Escape)
    assert desk.window.focusWidget() is desk.window.pages.in_view.picture


def test_a_word_that_cannot_follow_stays_to_be_corrected(desk: Desk) -> None:
    box, session = desk.page.next_word.box, desk.session
    box.setFocus()
    QTest.keyClicks(box, "pomme " * 400)
    press(desk, K.Key_Return)
    desk.wait(lambda: not session.job.busy and session.notice is not None)
    assert desk.window.focusWidget() is box
    assert box.text() == "pomme " * 400

    box.setText("pomme")
    press(desk, K.Key_Return)
    assert desk.window.focusWidget() is desk.page.picture
    desk.wait(desk.translated)
    assert box.text() == ""


@pytest.mark.qt_log_ignore(r"does not support (raise|propagateSizeHints)\(\)")
def test_two_minutes(driver: Driver) -> None:
    page, session = driver.page, driver.session
    control = Qt.KeyboardModifier.ControlModifier

    # 1. The arrow steps, in a window in which nothing was clicked; so do a clicker's keys.
    step = chosen(driver).step
    assert bubbles(driver) == [True, True, True]
    press(driver, K.Key_Right)
    assert chosen(driver).step == step + 1
    assert bubbles(driver) == [True, False, True]
    press(driver, K.Key_PageDown)
    press(driver, K.Key_Left)
    assert chosen(driver).step == step + 1
    assert page.sentence.box.text() == SENTENCE

    # 2. The families, by their keys and by the row above the map.
    for key, kind in ((K.Key_E, AttentionKind.ENCODER_SELF), (K.Key_D, AttentionKind.DECODER_SELF)):
        press(driver, key)
        assert chosen(driver).kind is kind
    driver.click(page.kind_row.tabs[AttentionKind.CROSS])
    assert chosen(driver).kind is AttentionKind.CROSS

    # 3. A head by a click, its neighbours by Ctrl+arrows, the mean with its badge.
    driver.click(page.heads.view, driver.head_center(0, 1))
    assert (chosen(driver).layer, chosen(driver).head) == (0, 1)
    assert bubbles(driver) == [True, False, False]
    step = chosen(driver).step
    press(driver, K.Key_PageUp)  # the heads have the keys, and no use for this one
    assert chosen(driver).step == step - 1
    press(driver, K.Key_Down, control)
    press(driver, K.Key_Right, control)
    assert (chosen(driver).layer, chosen(driver).head) == (1, 2)
    press(driver, K.Key_M)
    assert chosen(driver).head is None
    assert "mean over" in page.panes[0].badges.text()
    press(driver, K.Key_M)

    # 4. The weight under the pointer, the root scale, a second map.
    view = page.panes[0].map
    assert isinstance(view, MapView)
    place = view.geometry_now()
    assert place is not None
    QTest.mouseMove(view, place.rect_of(0, 0).center().toPoint())
    driver.wait(lambda: bool(driver.window.status.read_out.text()))
    driver.click(page.panes[0].sqrt)
    assert session.view.sqrt_scale
    driver.click(page.panes[0].second)
    assert page.panes[1].isVisible()
    session.select_head(0, 0)  # another head in the new map only
    assert session.selection(0) != session.selection(1)
    driver.click(page.panes[1].close_button)

    # 5. A sentence of one's own.
    press(driver, K.Key_L, control)
    QTest.keyClicks(page.sentence.box, SENTENCE)
    press(driver, K.Key_Return)
    driver.wait(driver.translated)
    assert page.sentence.box.text() == SENTENCE
    assert bubbles(driver) == [False, False, False]
    step = chosen(driver).step
    press(driver, K.Key_Left)
    assert chosen(driver).step == step - 1
    press(driver, K.Key_L, control)
    press(driver, K.Key_Escape)
    assert page.sentence.box.text() == SENTENCE
    press(driver, K.Key_P, Qt.KeyboardModifier.AltModifier)
    assert driver.window.pages.in_view is driver.window.pages.positions
    driver.click(driver.window.top.pages[0])

    # 6. The export, and the line that makes the same file.
    press(driver, K.Key_E, control)
    dialog = driver.window.exporting.dialog
    assert isinstance(dialog, QDialog)
    driver.wait(dialog.isVisible)
    dialog.close()
    driver.window.activateWindow()
    driver.wait(driver.window.isActiveWindow)
    driver.window.actions_["copy_command"].trigger()
    driver.wait(lambda: "render" in QApplication.clipboard().text())

    # The last line.
    press(driver, K.Key_F5)
    driver.wait(lambda: page.lecture.step.fontInfo().pixelSize() > 24)
    press(driver, K.Key_Escape)
    assert not driver.window._appearance.present
    driver.wait(driver.window.top.language.isVisible)
    driver.click(driver.window.top.language)
    driver.wait(lambda: page.kind_row.tabs[AttentionKind.CROSS].text() == "交叉注意力")
    QToolTip.hideText()


def test_clicks_go_through_the_call_outs(driver: Driver) -> None:
    guide, window, view = driver.window.guidance.guide, driver.window, driver.page.heads.view
    assert guide is not None
    driver.wait(lambda: all(bubble.isVisible() for bubble in guide.callouts.bubbles))
    for bubble in guide.callouts.bubbles:
        under = window.childAt(bubble.mapTo(window, QPoint(bubble.width() // 3, bubble.height() // 2)))
        assert under is not bubble
        assert not bubble.isAncestorOf(under)
        button = bubble.close_button
        assert window.childAt(button.mapTo(window, button.rect().center())) is button

    heads, place = guide.callouts.bubbles[2], view.geometry_now()
    assert place is not None
    before = chosen(driver)
    across = (heads.mapTo(window, QPoint(x, heads.height() // 2)) for x in range(4, heads.width() - 30, 4))
    point = next(
        point
        for point in across
        if place.head_at(QPointF(view.mapFrom(window, point))) not in (None, (before.layer, before.head))
    )
    under = window.childAt(point)
    assert under is view
    driver.click(under, under.mapFrom(window, point))
    assert (chosen(driver).layer, chosen(driver).head) != (before.layer, before.head)
    assert not heads.isVisible()
    assert not heads.close_button.isVisible()


def test_call_outs_cover_nothing_else_and_go_when_their_thing_is_done(driver: Driver) -> None:
    guide, window, page = driver.window.guidance.guide, driver.window, driver.page
    assert guide is not None
    shown = guide.callouts.bubbles
    targets = (page.sentence.box, page.sentence.steps, page.heads.view)

    def places() -> list[int]:
        """Which are there, each in the window, over no map and no control but its own."""
        QTest.qWait(20)  # they follow the layout
        others = [*controls(window), *page.panes]
        for bubble, target in zip(shown, targets, strict=True):
            area = QRect(bubble.mapTo(window, QPoint()), bubble.size())
            assert bubble.isHidden() or window.rect().contains(area)
            for other in others:
                if bubble.isHidden() or not seen(other) or other is bubble.close_button:
                    continue
                if other is target or target.isAncestorOf(other) or other.isAncestorOf(target):
                    continue
                assert not area.intersects(QRect(other.mapTo(window, QPoint()), other.size())), other
        return [number for number, bubble in enumerate(shown) if bubble.isVisible()]

    for size, numbers in (((1920, 1080), [0, 1, 2]), ((1280, 800), [0]), ((900, 600), [0])):
        window.resize(*size)
        assert places() == numbers
    QTest.keyClicks(page.sentence.box, "A")
    assert places() == [1]
    page.sentence.steps.previous.click()
    assert places() == [2]
    window.resize(1280, 800)
    assert places() == [2]
    press(driver, K.Key_Escape)
    assert places() == []
    assert not any(bubble.close_button.isVisible() for bubble in shown)
    assert driver.window._settings.callouts_seen


def test_another_run_in_view_is_no_step_and_no_click(driver: Driver) -> None:
    """Call-outs go when their thing is done, not when the program shows something else."""
    driver.ask_path(driver.session.model.path)  # type: ignore[union-attr]
    driver.wait(lambda: not driver.session.job.busy)
    press(driver, K.Key_D)
    assert bubbles(driver) == [True, True, True]
