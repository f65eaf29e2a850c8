"""A page that is wanted before it is made: a part each turn; at once for who asks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.viewer.driving import start
from viewer.pages.widgets.lazy import Lazy, LazyStack, Parts, begun, importing


@pytest.fixture(autouse=True)
def in_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LazyStack, "at_once", False)


@pytest.fixture
def stack(qtbot: QtBot) -> Iterator[LazyStack]:
    window = QWidget()
    qtbot.addWidget(window)
    made = LazyStack(window)
    window.show()
    qtbot.waitExposed(window)
    yield made
    made.show_other(made.widget(0))


@pytest.mark.parametrize("at_once", [True, False])
def test_parts_are_begun_with_or_all_made(at_once: bool) -> None:
    made: list[int] = []

    def parts() -> Iterator[None]:
        for part in range(3):
            made.append(part)
            yield

    left = begun(parts(), at_once=at_once)
    assert made == ([0, 1, 2] if at_once else [])
    assert len(list(left)) == (0 if at_once else 3)
    assert made == [0, 1, 2]


def three_parts(stack: LazyStack, turns: list[int]) -> Parts[QWidget]:
    page = QWidget(stack)
    for part in range(2):
        turns.append(part)
        yield
    stack.addWidget(page)
    return page


def test_a_page_is_made_in_several_turns_and_nothing_of_it_is_seen_before(
    qtbot: QtBot, stack: LazyStack
) -> None:
    parts: list[int] = []
    lazy = Lazy(lambda: three_parts(stack, parts))
    stack.show_lazy(lazy)
    assert not parts  # the turn of whoever asked is not held up
    empty = stack.currentWidget()
    seen: list[tuple[int, bool]] = []
    go_on = stack._turn.timeout
    go_on.connect(lambda: seen.append((len(parts), stack.currentWidget() is empty)))
    qtbot.waitUntil(lambda: stack.currentWidget() is lazy.made)
    assert seen == [(1, True), (2, True), (2, True), (2, False)]


def test_who_asks_for_it_has_it_whole_and_in_view(stack: LazyStack) -> None:
    lazy = Lazy(lambda: three_parts(stack, []))
    stack.show_lazy(lazy)
    assert stack.whole(lazy) is lazy.made is stack.currentWidget()


def test_another_one_is_wanted_meanwhile(qtbot: QtBot, stack: LazyStack) -> None:
    parts: list[int] = []
    first, other = Lazy(lambda: three_parts(stack, parts)), QWidget()
    stack.addWidget(other)
    stack.show_lazy(first)
    stack._turn.timeout.emit()
    stack.show_other(other)
    assert stack.whole(first) is not stack.currentWidget()
    assert parts == [0, 1]  # what was begun was gone on with
    stack.show_lazy(first)
    assert stack.currentWidget() is first.made


def test_what_it_needs_is_imported_in_a_thread(
    qtbot: QtBot, stack: LazyStack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "needed_page.py").write_text("import threading\nthread = threading.current_thread()\n")
    monkeypatch.syspath_prepend(str(tmp_path))

    def make() -> Parts[QWidget]:
        import needed_page  # type: ignore[import-not-found]

        assert needed_page.thread is not threading.main_thread()
        yield
        page = QWidget()
        stack.addWidget(page)
        return page

    lazy = Lazy(make, ("needed_page", "no_such_page"))
    stack.show_lazy(lazy)
    qtbot.waitUntil(lambda: stack.currentWidget() is lazy.made)
    assert not importing()
    del sys.modules["needed_page"]


def test_one_that_cannot_be_made_is_not_tried_again_and_again(qtbot: QtBot, stack: LazyStack) -> None:
    tried: list[int] = []

    def make() -> Parts[QWidget]:
        tried.append(1)
        raise ValueError("broken")
        yield

    with qtbot.captureExceptions() as caught:
        stack.show_lazy(Lazy(make))
        qtbot.waitUntil(lambda: bool(caught))
        qtbot.wait(20)
    assert len(tried) == 1


@pytest.mark.parametrize("place", [1, 2, 3])
def test_pages_of_the_window_come_whole_and_never_in_part(qtbot: QtBot, tmp_path: Path, place: int) -> None:
    driver = start(qtbot, tmp_path)
    pages = driver.window.pages
    pages.show_page(place)
    empty = pages.currentWidget()
    assert not empty.findChildren(QWidget)
    driver.wait(lambda: pages.currentWidget() is not empty)
    assert pages.currentWidget() is pages.in_view
    driver.window.close()
    assert driver.program.ended
