"""Views that were given names: made, gone to one after the other, renamed, moved, forgotten."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from model.trace.trace import AttentionKind
from tests.viewer.driving import Driver, start
from tests.viewer.fake_source import small_trace
from viewer.dialogs.bookmarks_dialog import BookmarkNameDialog, BookmarksDialog
from viewer.document.document import Run
from viewer.document.messages.requests import Alter
from viewer.document.selection import GRAPH_VIEW, Selection
from viewer.document.session import Session
from viewer.pages.widgets.appearance import Appearance
from viewer.window.bookmark_bar import BookmarkBar

ENCODER, DECODER, CROSS = AttentionKind

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog


def looked_at() -> Session:
    """Three bookmarks, a, b and c, on two runs; c was made last."""
    session = Session()
    session.add_run(Run("one", small_trace(5), provenance={"source": "recorded"}))
    session.select(kind=CROSS, layer=1, head=2, step=3)
    session.bookmarks.add("a")
    session.add_run(Run("two", small_trace(4), provenance={"source": "decoded"}))
    session.select(kind=ENCODER, layer=2, head=None)
    session.bookmarks.add("b")
    session.show_run("one")
    session.select(kind=DECODER, layer=0, head=1, step=4, query=2, key=1)
    session.bookmarks.add("c")
    return session


def named(session: Session) -> str:
    return "".join(mark.name for mark in session.bookmarks.all)


@pytest.mark.parametrize(
    ("selection", "name"),
    [
        (Selection(CROSS, 1, 2, 4), "Decoder layer 2, head 3, step 5"),
        (Selection(DECODER, 0, None, 0), "Decoder layer 1, mean over 3 heads, step 1"),
        (Selection(ENCODER, 2, 0, 4), "Encoder layer 3, head 1"),
        (Selection(CROSS, 1, 2, 4, view=GRAPH_VIEW), "What “t4” is made of, step 5 of 5"),
    ],
)
def test_a_view_has_a_name_of_its_own(selection: Selection, name: str) -> None:
    session = Session()
    assert session.bookmarks.default_name() == ""
    session.bookmarks.add()
    assert session.bookmarks.all == ()
    session.add_run(Run("one", small_trace(5)), selection)
    session.bookmarks.add("  ")
    assert session.bookmarks.all[0].name == session.bookmarks.default_name() == name


def test_a_lecture_that_is_opened_begins_with_its_first() -> None:
    session = looked_at()
    lecture = session.document
    assert session.bookmarks.at == 2
    session.set_document(lecture)
    assert session.bookmarks.at == -1
    session.bookmarks.step(1)
    assert session.bookmarks.at == 0
    assert session.pane() == lecture.bookmarks[0].pane


def test_where_a_lecture_is_outlasts_undoing() -> None:
    session = looked_at()
    marks = session.bookmarks
    marks.show(1)
    marks.remove(0)
    assert (named(session), marks.at) == ("bc", 0)
    session.undo()
    assert (named(session), marks.at) == ("abc", 1)
    session.redo()
    assert (named(session), marks.at) == ("bc", 0)
    session.undo()
    marks.move(1, 2)
    session.undo()
    assert (named(session), marks.at) == ("abc", 1)
    marks.remove(1)
    marks.step(1)
    assert marks.all[marks.at].name in "ac"


def test_a_lecture_goes_from_one_to_the_next_and_back() -> None:
    session = looked_at()
    marks = session.bookmarks
    assert marks.at == 2
    seen = []
    for by in (-1, -1, -1, 1, 1, 1):
        marks.step(by)
        pane = session.pane()
        assert pane is not None
        assert pane == marks.all[marks.at].pane
        seen.append(f"{marks.all[marks.at].name}{pane.run_id}")
    assert seen == ["btwo", "aone", "aone", "btwo", "cone", "cone"]
    # Who explores in between goes on from where the lecture was.
    marks.show(0)
    session.show_run("two")
    session.set_step(0)
    marks.step(1)
    assert marks.at == 1
    before = session._history.steps
    marks.show(7)
    assert (marks.at, session._history.steps) == (1, before)


def test_an_opened_lecture_begins_before_its_first() -> None:
    session, other = looked_at(), Session()
    other.set_document(session.document)
    assert other.bookmarks.at == -1
    other.bookmarks.step(1)
    assert other.bookmarks.at == 0
    assert other.pane() == session.bookmarks.all[0].pane


def test_bookmarks_are_renamed_moved_and_forgotten() -> None:
    session = looked_at()
    marks = session.bookmarks
    marks.show(1)
    marks.move(2, 0)
    assert (named(session), marks.at) == ("cab", 2)
    marks.move(2, 1)
    assert (named(session), marks.at) == ("cba", 1)
    marks.rename(0, " see   this ")
    marks.rename(0, "")
    marks.rename(9, "x")
    assert marks.all[0].name == "see this"
    marks.remove(0)
    assert (named(session), marks.at) == ("ba", 0)
    marks.remove(0)
    marks.remove(5)
    marks.move(0, 3)
    assert (named(session), marks.at) == ("a", -1)
    for expected in ("ba", "see thisba", "cba", "cab", "abc"):
        session.undo()
        assert named(session) == expected
    assert session.redo_name == "bookmark"


def test_the_bookmarks_of_a_deleted_run_go_and_come_back() -> None:
    session = looked_at()
    session.remove_run("one")
    assert (named(session), session.bookmarks.at) == ("b", 0)
    session.undo()
    assert named(session) == "abc"


def test_the_second_map_shows_it_when_it_is_active() -> None:
    session = looked_at()
    session.open_second_pane()
    session.bookmarks.show(1)
    assert session.pane(0).run_id == "one"  # type: ignore[union-attr]
    assert session.pane(1) == session.bookmarks.all[1].pane


def test_a_bar_says_where_the_lecture_is(qtbot: QtBot) -> None:
    session, look = Session(), Appearance("light")
    bar = BookmarkBar(session, look)
    qtbot.addWidget(bar)
    assert bar.isHidden()
    session.set_document(looked_at().document)
    assert not bar.isHidden()
    assert bar.where.text() == "Bookmarks: 3"
    assert (bar.previous.isEnabled(), bar.next.isEnabled()) == (False, True)
    bar.next.click()
    bar.next.click()
    assert bar.where.text() == "2 of 3: b"
    bar.next.click()
    assert (bar.previous.isEnabled(), bar.next.isEnabled()) == (True, False)
    session.bookmarks.rename(2, "a name " * 40)
    assert bar.where.width() < 400
    bar.previous.click()
    assert bar.where.text() == "2 of 3: b"
    look.deleteLater()


def test_the_list_changes_the_session_at_once(qtbot: QtBot) -> None:
    session = looked_at()
    dialog = BookmarksDialog(session)
    qtbot.addWidget(dialog)
    assert dialog.list.currentRow() == 2
    dialog.up_button.click()
    assert (named(session), dialog.list.currentRow()) == ("acb", 1)
    dialog.list.setCurrentRow(0)
    assert not dialog.up_button.isEnabled()
    dialog.down_button.click()
    dialog.show_button.click()
    assert (named(session), session.bookmarks.at) == ("cab", 1)
    dialog.list.item(0).setText("better")
    assert session.bookmarks.all[0].name == "better"
    dialog.list.item(0).setText(" ")
    assert dialog.list.item(0).text() == "better"
    for _ in range(3):
        dialog.delete_button.click()
    assert (named(session), dialog.list.count()) == ("", 0)
    assert not dialog.delete_button.isEnabled()
    session.undo()
    assert dialog.list.count() == 1


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()


def test_by_keyboard(driver: Driver) -> None:
    driver.session.add_run(Run("one", small_trace(5), provenance={"source": "decoded"}))
    window, shift = driver.window, Qt.KeyboardModifier.ShiftModifier
    for name in ("", "the second"):
        # Even where Ctrl+D edits text: the sentence has the focus when a window opens.
        QTest.keyClick(driver.page.sentence.box, Qt.Key.Key_D, Qt.KeyboardModifier.ControlModifier)
        dialog = window.findChild(BookmarkNameDialog)
        assert dialog is not None
        field = dialog.findChild(QLineEdit)
        assert field is not None
        if name:
            QTest.keyClicks(field, name)
        QTest.keyClick(field, Qt.Key.Key_Return)
        QApplication.sendPostedEvents(None, 52)  # DeferredDelete
        driver.session.first_step()
    assert [mark.name for mark in driver.session.bookmarks.all] == [
        "Decoder layer 2, mean over 3 heads, step 3",
        "the second",
    ]
    assert not window.bookmarks.isHidden()
    QTest.keyClick(window, Qt.Key.Key_F8, shift)
    selection = driver.session.selection()
    assert selection is not None
    assert (selection.step, driver.session.bookmarks.at) == (2, 0)
    window.pages.show_page(1)
    QTest.keyClick(window, Qt.Key.Key_F8)
    assert driver.session.bookmarks.at == 1
    assert driver.page.isVisible()
    window.presenting.toggle()
    assert window.bookmarks.isVisible()
    where = window.bookmarks.where  # the name is whole before an audience
    driver.wait(lambda: where.isVisible() and where.fontInfo().pixelSize() > 16)
    assert QLabel.text(where) == where.text() == "2 of 2: the second"
    QTest.keyClick(window, Qt.Key.Key_F8, shift)
    assert driver.session.bookmarks.at == 0
    window.presenting.toggle()
    window.bookmark_menu.refresh()
    texts = [action.text() for action in window.menus.bookmarks.actions() if not action.isSeparator()]
    assert texts[-2:] == ["1  Decoder layer 2, mean over 3 heads, step 3", "2  the second"]
    window.menus.bookmarks.actions()[-1].trigger()
    assert driver.session.bookmarks.at == 1


def test_undo_and_redo_by_keyboard_and_menu(driver: Driver) -> None:
    actions, box = driver.window.actions_, driver.page.sentence.box
    assert not actions["undo"].isEnabled()
    driver.session.add_run(Run("r", small_trace(5), provenance={"source": "recorded"}))
    driver.session.add_run(Run("one", small_trace(5), provenance={"source": "decoded"}))
    driver.session.set_view(sqrt_scale=True)
    assert (actions["undo"].text(), actions["redo"].text()) == ("&Undo view option", "&Redo")
    assert not actions["redo"].isEnabled()
    control = Qt.KeyboardModifier.ControlModifier
    QTest.keyClick(driver.page, Qt.Key.Key_Z, control)
    assert (actions["undo"].text(), actions["redo"].text()) == ("&Undo translation", "&Redo view option")
    assert not actions["sqrt"].isChecked()
    QTest.keyClick(driver.page, Qt.Key.Key_Y, control)
    assert driver.session.view.sqrt_scale
    assert actions["sqrt"].isChecked()
    # A text that can be undone undoes its own first.
    box.setFocus()
    QTest.keyClicks(box, "abc")
    QTest.keyClick(box, Qt.Key.Key_Z, control)
    assert box.text() == ""
    assert driver.session.view.sqrt_scale
    QTest.keyClick(box, Qt.Key.Key_Z, control)
    assert not driver.session.view.sqrt_scale
    driver.program.window.toggle_language()
    assert actions["undo"].isEnabled()


def test_panels_by_keyboard(driver: Driver) -> None:
    driver.session.add_run(Run("one", small_trace(5), provenance={"source": "decoded"}))
    control, page, actions = Qt.KeyboardModifier.ControlModifier, driver.page, driver.window.actions_
    for key, name, panel in (
        (Qt.Key.Key_B, "branches", 0),
        (Qt.Key.Key_K, "compare", 1),
        (Qt.Key.Key_H, "heads_table", 2),
        (Qt.Key.Key_J, "sentences", 3),
    ):
        QTest.keyClick(page.sentence.box, key, control)
        assert page.drawer.is_open
        assert page.drawer.tabs[panel].isChecked()
        assert actions[name].isChecked()
    assert not actions["branches"].isChecked()
    QTest.keyClick(page, Qt.Key.Key_J, control)
    assert not page.drawer.is_open
    page.sentence.box.setText("a sentence")
    QTest.keyClick(page.sentence.box, Qt.Key.Key_U, control)  # deletes the line on some systems
    assert page.sentence.box.text() == "a sentence"
    assert page.inspector.tab == 1
    driver.click(page.drawer.tabs[0])
    assert actions["branches"].isChecked()
    driver.window.pages.show_page(1)
    QTest.keyClick(driver.window, Qt.Key.Key_I, control)
    assert page.isVisible()
    assert page.inspector.tab == 2
    asked: list[Alter] = []
    driver.session.serve({Alter: asked.append})
    QTest.keyClick(page, Qt.Key.Key_R, control)
    assert asked == []
    altered = ({"type": "block", "token": 0},)
    driver.session.put_run(Run("one~what-if", small_trace(4), "one", {"source": "decoded"}, altered), pane=1)
    QTest.keyClick(page, Qt.Key.Key_R, control)
    assert asked == [Alter("one", ())]
