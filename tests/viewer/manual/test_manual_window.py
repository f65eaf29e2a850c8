"""The manual's window: opened where one is, links, the way back, the search, both languages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextDocument, QTextLength, QTextTable
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog
from shiboken6 import isValid

from tests.viewer.desk import Desk
from tests.viewer.manual.guide_text import pages, pictures
from viewer.window.manual.library import Library, library, slug
from viewer.window.manual.manual_window import ManualWindow
from viewer.window.manual.page_view import PageView
from viewer.window.manual.searching import search

K = Qt.Key
_MOST_TURNS = 50  # of the event loop, until the window is begun
pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


@pytest.fixture
def manual(desk: Desk) -> Iterator[ManualWindow]:
    assert desk.window.manual.window is None  # nothing of it costs the start anything
    desk.window.manual.open_page("first-look")
    yield opened(desk)
    desk.window.manual.close()
    QApplication.processEvents()


def opened(desk: Desk) -> ManualWindow:
    """The manual, once it is in view."""
    manual = desk.window.manual
    desk.wait(lambda: manual.window is not None and manual.window.isVisible())
    assert manual.window is not None
    return manual.window


def text(window: ManualWindow) -> str:
    return window.view.toPlainText()


def f1(desk: Desk) -> ManualWindow:
    QApplication.processEvents()  # the window that was asked for is the active one
    focused = desk.window.focusWidget() or desk.window
    QTest.keyClick(focused, K.Key_F1)
    return opened(desk)


def test_f1_opens_the_place_one_is_in_with_its_keys(desk: Desk) -> None:
    window = desk.window
    try:
        shown = f1(desk)
        assert shown.page is not None
        assert shown.page.name == "the-map"
        assert "Ctrl+G" in shown.keys.text()
        assert "reset all model changes" not in shown.keys.text()

        window.activateWindow()
        window.actions_["what_if"].trigger()
        panel = window.look_page.inspector.view("what_if")
        panel.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        panel.setFocus()
        shown = f1(desk)
        assert shown.page.name == "what-if"
        assert "reset all model changes" in shown.keys.text()

        window.activateWindow()
        window.pages.show_page(1)
        shown = f1(desk)
        assert shown.page.name == "positions"

        window.activateWindow()
        window.actions_["export"].trigger()
        dialog = window.exporting.dialog
        assert isinstance(dialog, QDialog)
        desk.wait(dialog.isVisible)
        dialog.activateWindow()
        desk.wait(dialog.isActiveWindow)
        QTest.keyClick(dialog, K.Key_F1)
        desk.wait(lambda: shown.page is not None and shown.page.name == "exporting")
        dialog.close()

        window.actions_["keys"].trigger()
        assert shown.page.name == "keys"
        assert "play and pause" in text(shown)
    finally:
        window.manual.close()


def test_links_lead_and_act_and_the_way_leads_back(desk: Desk, manual: ManualWindow) -> None:
    manual.follow("views.md#all-heads")
    assert manual.page is not None
    assert manual.page.name == "views"
    assert manual.view.textCursor().block().text() == "All heads"
    manual.follow("#flow")
    assert manual.view.textCursor().block().text() == "Flow"
    manual.go_back()
    manual.go_back()
    assert manual.page.name == "first-look"
    assert not manual.back.isEnabled()
    manual.go_forward()
    assert manual.page.name == "views"

    desk.session.select(view="map", kind="cross", head=0)
    manual.follow("headscope:action:mean")
    selection = desk.session.selection()
    assert selection is not None
    assert selection.head is None
    manual.follow("headscope:place:step 2")
    assert desk.session.selection().step == 1  # type: ignore[union-attr]
    assert manual.foot.isHidden()
    manual.follow("headscope:place:step 99")
    assert manual.foot.isVisible()


def test_an_address_is_opened_outside_and_nothing_is_fetched(manual: ManualWindow) -> None:
    asked: list[str] = []
    manual.address_asked.disconnect()
    manual.address_asked.connect(asked.append)
    manual.follow("https://arxiv.org/abs/1706.03762")
    assert asked == ["https://arxiv.org/abs/1706.03762"]
    assert manual.page is not None
    assert manual.page.name == "first-look"


def test_the_search_finds_pages_and_marks_places(manual: ManualWindow) -> None:
    QTest.keyClick(manual, K.Key_F, Qt.KeyboardModifier.ControlModifier)
    assert manual.focusWidget() is manual.field
    QTest.keyClicks(manual.field, "length penalty")
    names = [manual.results.item(row).data(Qt.ItemDataRole.UserRole) for row in range(manual.results.count())]
    assert set(names) == {name for name, page in pages("en").items() if "length penalty" in page.lower()}
    assert manual.topics.isHidden()
    QTest.keyClick(manual.field, K.Key_Return)
    assert manual.page is not None
    assert manual.page.name == names[0]
    assert manual.view.textCursor().selectedText().lower() == "length penalty"
    assert len(manual.view.extraSelections()) == text(manual).lower().count("length penalty") > 0
    QTest.keyClicks(manual.field, " qqq")
    assert manual.none.isVisible()
    QTest.keyClick(manual.field, K.Key_Escape)
    assert manual.topics.isVisible()
    assert manual.view.extraSelections() == []


def test_it_speaks_the_language_in_force(desk: Desk, manual: ManualWindow) -> None:
    manual.open_target("glossary")
    desk.window.toggle_language()
    try:
        QApplication.processEvents()
        assert manual.page is not None
        assert manual.page.title == "术语表"
        assert "注意力头" in text(manual)
        assert manual.topics.item(1).text() == library("zh_CN").page("first-look").title
        manual.field.setText("束搜索")
        assert manual.results.count() > 3
    finally:
        desk.window.toggle_language()
    QApplication.processEvents()
    assert manual.page is not None
    assert manual.page.title == "Glossary"


def test_it_remembers_its_size(desk: Desk, manual: ManualWindow) -> None:
    manual.resize(777, 555)
    desk.window.manual.close()
    desk.window.manual.open_page("keys")
    again = opened(desk)
    assert (again.width(), again.height()) == (777, 555)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_page_is_set_as_it_is_meant(manual: ManualWindow, language: str) -> None:
    """No mark of Markdown is left over, pictures are no wider than the page, every anchor is a heading."""
    view, book = manual.view, Library(language)
    for name in book.names:
        page = book.page(name)
        view.show_page(page, page.text)
        shown = view.toPlainText().replace("(**", "(")  # of Python
        assert "**" not in shown, name
        assert "](" not in shown, name
        assert "\\|" not in shown, name
        assert view.document().size().width() <= view.viewport().width() + 1, name
        assert pictures_of(view.document()) == [
            pytest.approx(shape_of(page.path.parent / file), rel=0.01) for _, file in pictures(page.text)
        ]
        for heading in page.headings:
            view.go_to(heading.anchor)
            assert view.textCursor().block().text() == heading.text, (name, heading)


def test_tables_are_as_wide_as_a_line(manual: ManualWindow) -> None:
    manual.open_target("keys")
    frames = manual.view.document().rootFrame().childFrames()
    tables = [frame for frame in frames if isinstance(frame, QTextTable)]
    assert len(tables) > 5
    for table in tables:
        width = table.format().width()
        assert (width.type(), width.rawValue()) == (QTextLength.Type.PercentageLength, 100)
        assert table.format().cellPadding() > 0


def pictures_of(document: QTextDocument) -> list[float]:
    """Height by width of each picture, as it is set."""
    shapes, block = [], document.begin()
    while block.isValid():
        at = block.begin()
        while not at.atEnd():
            form = at.fragment().charFormat()
            if form.isImageFormat():
                line = block.layout().boundingRect().height()
                assert line < 1.2 * form.toImageFormat().height()  # no room below it
                shapes.append(form.toImageFormat().height() / form.toImageFormat().width())
            at += 1
        block = block.next()
    return shapes


def shape_of(path: Path) -> float:
    """Height by width of a picture, as it is in its file."""
    with Image.open(path) as picture:
        return picture.height / picture.width


def test_headings_are_called_as_sites_call_them() -> None:
    """As GitHub does, worked out by hand."""
    assert slug("What if?") == "what-if"
    assert slug("Why √d_k") == "why-d_k"
    assert slug("BLEU, and a BLEU of 1.000") == "bleu-and-a-bleu-of-1000"
    assert [heading.anchor for heading in library("zh").page("views").headings][:3] == [
        "four-views-many-quantities",
        "map",
        "flow",
    ]


def test_searching_ranks_titles_first_and_takes_words_apart() -> None:
    book = library("en")
    assert search(book, "") == []
    assert search(book, "glossary")[0].page.name == "glossary"
    found = search(book, "penalty short win")  # no page has that phrase
    assert found
    assert all(all(word in each.page.plain.lower() for word in ("penalty", "short", "win")) for each in found)
    assert "penalty" in found[0].excerpt.lower()
    document = QTextDocument()
    document.setMarkdown(book.page("compare").text)
    assert all("**" not in each.excerpt for each in search(book, "pin"))


def test_it_is_made_once_in_several_turns(desk: Desk) -> None:
    manual = desk.window.manual
    before = {id(each) for each in QApplication.topLevelWidgets()}
    manual.open_page("first-look")
    manual.open_page("views#flow")  # before it is there
    assert manual.window is None
    try:
        shown = opened(desk)
        assert shown.is_whole
        assert shown.page is not None
        assert shown.page.name == "views"
        assert shown.view.textCursor().block().text() == "Flow"
        assert not shown.back.isEnabled()
        new = [each for each in QApplication.topLevelWidgets() if id(each) not in before]
        assert [each for each in new if isinstance(each, ManualWindow)] == [shown]
    finally:
        manual.close()
    QApplication.processEvents()


def test_one_that_is_closed_while_it_is_made_is_not_shown(desk: Desk) -> None:
    manual = desk.window.manual
    manual.open_keys()
    for _ in range(_MOST_TURNS):
        QApplication.processEvents()
        if manual.window is not None:
            break
    half = manual.window
    assert half is not None
    assert not half.is_whole
    manual.close()
    QTest.qWait(50)
    assert manual.window is None
    assert not isValid(half)


def test_it_is_whole_at_once_by_default(desk: Desk, manual: ManualWindow) -> None:
    made = ManualWindow(manual._appearance, manual._localization, manual._settings)
    made.open_target("views#flow")
    assert made.is_whole
    assert made.topics.count() == manual.topics.count() > 10
    assert made.view.textCursor().block().text() == "Flow"
    made.deleteLater()


def test_a_page_that_is_in_view_is_not_set_again(
    manual: ManualWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual.open_target("keys#all-keys")
    monkeypatch.setattr(PageView, "setMarkdown", None)
    manual.open_target("keys")
    assert manual.view.verticalScrollBar().value() == 0
    manual.open_target("keys#all-keys")
    assert manual.view.verticalScrollBar().value() > 0


def test_a_page_is_set_once_for_a_width(manual: ManualWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    widths: list[int] = []
    fit = PageView._fit

    def counted(view: PageView) -> None:
        widths.append(view.viewport().width())
        fit(view)

    monkeypatch.setattr(PageView, "_fit", counted)
    manual.open_target("the-map")
    manual.hide()
    manual.show()
    manual.resize(manual.width(), manual.height() + 20)
    QApplication.processEvents()
    assert len(widths) == 1
    manual.resize(manual.width() + 60, manual.height())
    QApplication.processEvents()
    assert len(widths) == 2
