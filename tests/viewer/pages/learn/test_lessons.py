"""A lesson is one row: the list, what is remembered and what is exported all come from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.viewer.driving import Driver, start
from tests.viewer.figure_samples import sample_trace
from tests.viewer.pages.learn.toy_lesson import TOY, ToyView
from viewer.document.document import Run
from viewer.document.scene import LEARN, PAGES
from viewer.pages.learn import lessons

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window that knows one lesson more."""
    lessons.LESSONS.append(TOY)
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    lessons.LESSONS.remove(TOY)
    assert driver.program.ended


def test_names_are_told_apart() -> None:
    names = [lesson.name for lesson in lessons.LESSONS]
    files = [lesson.file_name or lesson.name for lesson in lessons.LESSONS]
    assert len(set(names)) == len(set(files)) == len(names)


def test_a_lesson_of_one_row_is_shown_remembered_and_exported(driver: Driver) -> None:
    window = driver.window
    window.pages.show_page(PAGES.index(LEARN))
    page = window.pages.learn
    made = [lesson.name for lesson, view in zip(page.lessons, page.views, strict=True) if view.made]
    assert made == ["architecture"]
    item = page.list.item_of(len(page.lessons) - 1)
    assert item.text() == "A toy"
    page.list.scrollToItem(item)
    at = page.list.visualItemRect(item).center()
    QTest.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, at)
    toy = page.view("toy")
    assert isinstance(toy, ToyView)
    driver.wait(toy.isVisible)

    toy.field.setText("here")
    driver.session.add_run(Run("a", sample_trace()))
    driver.session.bookmarks.add("a mark")
    scene = driver.session.bookmarks.all[0].scene
    assert (scene.page, scene.tab, scene.state) == (LEARN, "toy", {"typed": "here"})
    toy.field.setText("")
    page.show_experiment(0)
    driver.session.bookmarks.show(0)
    assert toy.isVisible()
    assert toy.field.text() == "here"

    exported = page.exported()
    assert exported is not None
    assert exported.name == "toy-figure"
    assert exported.table == (("word", "number"), ("here", 1))
    assert exported.figure.body.title == "Decoder layer 2 of 2, head 1 of 2"
