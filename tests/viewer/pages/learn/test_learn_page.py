"""The Learn page: its list, and lessons that begin as a session had them."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from viewer.document.session import Session
from viewer.pages.learn.learn_page import LearnPage
from viewer.pages.widgets.appearance import Appearance

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")


@pytest.fixture
def page(qtbot: QtBot) -> LearnPage:
    page = LearnPage(Session(), Appearance("light"))
    qtbot.addWidget(page)
    page.resize(868, 480)
    page.show()
    return page


def test_arrows_pass_every_lesson_and_no_heading(page: LearnPage) -> None:
    assert page.lessons[0].name == "architecture"
    passed = [page.scene()[0]]
    for _ in page.lessons[1:]:
        QTest.keyClick(page.list, Qt.Key.Key_Down)
        passed.append(page.scene()[0])
    assert passed == [lesson.name for lesson in page.lessons]
    QTest.keyClick(page.list, Qt.Key.Key_Home)
    assert page.scene()[0] == "architecture"


def test_the_list_is_narrow_beside_little_room(page: LearnPage) -> None:
    narrow = page.list.width()
    page.resize(1240, 700)
    assert page.list.width() > narrow
    headings = [
        page.list.item(row).text()
        for row in range(page.list.count())
        if not page.list.item(row).flags() & Qt.ItemFlag.ItemIsEnabled
    ]
    assert headings == ["Lessons", "Experiments", "Other Transformers"]


def test_a_lesson_that_nobody_has_seen_begins_as_it_was(page: LearnPage) -> None:
    state = {"lesson": "architecture", "scenes": {"two_sentences": {"texts": ["one", "two"]}}}
    page.restore(state)
    assert page.state()["scenes"]["two_sentences"] == {"texts": ["one", "two"]}
    both = page.view("two_sentences")
    assert list(both.form.texts) == ["one", "two"]  # type: ignore[attr-defined]
