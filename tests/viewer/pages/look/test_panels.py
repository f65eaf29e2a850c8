"""A panel of the drawer or the inspector is one row: its tab, its key, its name in files come from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, Qt
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot
from shiboken6 import delete

from tests.viewer.driving import Driver, start
from viewer.document.session import Session
from viewer.pages.look.drawer_panels import DRAWER
from viewer.pages.look.inspector_panels import INSPECTOR
from viewer.pages.look.panel import LookPanel, PanelRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import LazyStack
from viewer.pages.widgets.overflow_menu import KEYS

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


class Toy(LookPanel):
    """Remembers a word."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.word, self.is_plain = b"new", False

    def set_plain(self, on: bool) -> None:
        self.is_plain = on

    def save_state(self) -> QByteArray:
        return QByteArray(self.word)

    def restore_state(self, state: QByteArray) -> None:
        self.word = bytes(state.data())


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window that knows a panel more in either place."""
    DRAWER.append(PanelRow("toy", lambda: "A toy", f"{__name__}:Toy", "Y"))
    INSPECTOR.append(PanelRow("toy_tab", lambda: "A toy", f"{__name__}:Toy", beside_two=True))
    try:
        driver = start(qtbot, tmp_path)
        yield driver
        driver.window.close()
        assert driver.program.ended
    finally:
        del DRAWER[-1], INSPECTOR[-1]


def test_a_panel_of_one_row_has_its_tab_and_is_remembered(driver: Driver) -> None:
    page = driver.page
    assert page.drawer.tabs[-1].text() == "A toy"
    assert page.drawer.tabs[-1].property(KEYS) == "Ctrl+Y"
    assert page.inspector.tabs[-1].text() == "A toy"
    page.show_panels("toy", "toy_tab")
    toy, tab = page.drawer.view("toy"), page.inspector.view("toy_tab")
    driver.wait(lambda: toy.isVisible() and tab.isVisible())
    assert (page.drawer.panel, page.inspected) == ("toy", "toy_tab")
    assert isinstance(toy, Toy)
    toy.word = b"kept"
    state = page.drawer.save_state()
    toy.word = b""
    page.drawer.show_panel(None)
    page.drawer.restore_state(state)
    assert (page.drawer.panel, toy.word) == ("toy", b"kept")
    heard: list[str] = []
    page.read_out.connect(heard.append)
    toy.read_out.emit("said")
    assert heard == ["said"]


def test_panels_are_made_when_they_are_wanted_and_know_what_they_were_told_before(driver: Driver) -> None:
    page = driver.page
    assert [type(panel).__name__ for panel in page.inspector.panels.made] == ["WordTab"]
    assert page.drawer.panels.made == ()
    state = QByteArray(b'{"panel": null, "height": 0, "toy": "a2VwdA=="}')
    page.drawer.restore_state(state)
    assert b"a2VwdA==" in page.drawer.save_state().data(), "what was kept of it is kept, whoever looks at it"
    for _ in page.set_plain(True):
        pass
    toy = page.drawer.view("toy")
    assert isinstance(toy, Toy)
    assert (toy.word, toy.is_plain) == (b"kept", True)
    assert page.drawer.panels.made == (toy,)
    assert not toy.isVisible()
    for _ in page.set_plain(False):
        pass
    assert not toy.is_plain


def test_a_person_sees_a_panel_as_soon_as_it_is_whole(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(LazyStack, "at_once", False)
    page, drawer = driver.page, driver.page.drawer
    page.show_panels("heads_table", "arithmetic")
    assert (drawer.panel, page.inspected) == ("heads_table", "arithmetic")
    assert drawer.panels.there("heads_table") is None
    driver.wait(
        lambda: all(part.panels.currentWidget() is not part.panels.empty for part in (drawer, page.inspector))
    )
    heads, arithmetic = drawer.panels.there("heads_table"), page.inspector.panels.there("arithmetic")
    assert heads is not None
    assert arithmetic is not None
    assert heads.isVisible()
    assert arithmetic.isVisible()
    assert heads.tools is not None
    assert heads.tools.isVisible()
    assert page.inspector.minimumWidth() >= arithmetic.least_width
    # Another one is wanted before it is whole, and the drawer is closed meanwhile.
    page.show_panels("compare", None)
    page.show_panels("", None)
    driver.wait(lambda: drawer.panels.there("compare") is not None)
    assert not drawer.is_open
    assert not heads.tools.isVisible()
    page.show_panels("branches", None)
    page.show_panels("heads_table", None)
    driver.wait(heads.isVisible)
    assert heads.tools.isVisible()


def test_the_tab_key_comes_to_a_panel_from_its_tabs_whenever_it_was_made(driver: Driver) -> None:
    page = driver.page
    for part in (page.drawer, page.inspector):
        for place in reversed(range(len(part.names))):
            page.show_panels(None if part is page.inspector else part.names[place], None)
            if part is page.inspector:
                part.show_tab(place)
            panel = part.view(part.names[place])
            order = reached(page.window())
            inside = [number for number, each in enumerate(order) if panel.isAncestorOf(each)]
            if not inside:
                continue  # it has nothing to be reached
            tabs = [number for number, each in enumerate(order) if each in part.tabs]
            assert inside == list(range(inside[0], inside[0] + len(inside))), part.names[place]
            assert tabs[-1] < inside[0], part.names[place]
            whole = [number for number, each in enumerate(order) if part.isAncestorOf(each)]
            assert whole == list(range(whole[0], whole[0] + len(whole))), "with what stands beside its tabs"


@pytest.mark.parametrize("at_once", [True, False])
def test_a_panel_in_place_of_the_map_has_its_keys(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, at_once: bool
) -> None:
    monkeypatch.setattr(LazyStack, "at_once", at_once)
    page = driver.page
    driver.window.resize(900, 600)
    driver.wait(lambda: page.room.small)
    page.picture.setFocus()
    for name in ("branches", "compare"):
        page.show_panels(name, None)
        assert not page.upper.isVisible()
        driver.wait(lambda name=name: page.drawer.panels.there(name) is not None)
        panel = page.drawer.view(name)
        driver.wait(lambda panel=panel: panel.isAncestorOf(driver.window.focusWidget()))
        page.show_panels("", None)
        assert page.picture.hasFocus()


def test_a_part_that_comes_late_has_the_keys_of_its_panel(driver: Driver) -> None:
    """What the heads table computes is not there when the panel is."""
    page, qtbot = driver.page, driver.qtbot
    driver.window.resize(900, 600)
    toy = page.drawer.view("toy")
    late = QPushButton("late")
    late.hide()
    QVBoxLayout(toy).addWidget(late)
    page.drawer.show_panel(len(DRAWER) - 1)
    qtbot.waitUntil(toy.isVisible)
    page.drawer.take_keys()
    qtbot.waitUntil(lambda: driver.window.focusWidget() is toy)
    qtbot.wait(50)
    assert driver.window.focusWidget() is toy
    late.show()
    qtbot.waitUntil(lambda: driver.window.focusWidget() is late)


def test_what_is_made_behind_a_panel_takes_no_room(driver: Driver) -> None:
    page = driver.page
    page.show_panels("branches", "what_if")
    before = [part.minimumSizeHint() for part in (page.drawer, page.inspector)]
    for part in (page.drawer, page.inspector):
        for _ in part.panels.ahead():
            pass
    driver.wait(lambda: len(page.drawer.panels.made) == len(page.drawer.names))
    assert [part.minimumSizeHint() for part in (page.drawer, page.inspector)] == before


def test_one_that_cannot_be_made_keeps_what_was_kept_of_it(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[BaseException] = []
    monkeypatch.setattr(sys, "excepthook", lambda kind, error, trace: said.append(error))
    panels = driver.page.drawer.panels
    panels.restore_states({"toy": QByteArray(b"kept")})
    monkeypatch.setattr(Toy, "restore_state", lambda self, state: 1 / 0)
    for _ in panels.ahead():
        pass
    assert [type(error) for error in said] == [ZeroDivisionError]
    assert len(panels.made) == len(panels.names) - 1, "the others are made all the same"
    assert panels.save_states()["toy"] == QByteArray(b"kept")
    monkeypatch.undo()
    toy = panels.view("toy")
    driver.wait(lambda: panels.findChildren(Toy) == [toy])
    assert isinstance(toy, Toy)
    assert toy.word == b"kept"


def test_a_window_may_go_while_a_panel_is_made(driver: Driver) -> None:
    panels = driver.page.drawer.panels
    parts = panels._make(panels.rows[-1])
    next(parts)
    toy = panels.findChild(Toy)
    assert isinstance(toy, Toy)
    delete(toy)
    parts.close()  # as Python does once nobody wants the rest


def reached(window: QWidget) -> list[QWidget]:
    """What the Tab key comes to, in order, from the window on."""
    found, at = [], window.nextInFocusChain()
    while at is not None and at is not window:
        if at.focusPolicy() & Qt.FocusPolicy.TabFocus and at.isVisible() and at.isEnabled():
            found.append(at)
        at = at.nextInFocusChain()
    return found


def test_names_are_told_apart() -> None:
    for rows in (DRAWER, INSPECTOR):
        assert len({row.name for row in rows}) == len(rows)
    keys = [row.key for row in DRAWER if row.key]
    assert len(set(keys)) == len(keys)
