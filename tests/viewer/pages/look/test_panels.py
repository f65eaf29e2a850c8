"""A panel of the drawer or the inspector is one row: its tab, its key, its name in files come from it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from tests.viewer.driving import Driver, start
from viewer.document.session import Session
from viewer.pages.look.drawer_panels import DRAWER
from viewer.pages.look.inspector_panels import INSPECTOR
from viewer.pages.look.panel import LookPanel, PanelRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.overflow_menu import KEYS

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "raise")


class Toy(LookPanel):
    """Remembers a word."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget) -> None:
        super().__init__(parent)
        self.word = b"new"

    def title(self) -> str:
        return "A toy"

    def save_state(self) -> QByteArray:
        return QByteArray(self.word)

    def restore_state(self, state: QByteArray) -> None:
        self.word = bytes(state.data())


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    """A window that knows a panel more in either place."""
    DRAWER.append(PanelRow("toy", Toy, "Y"))
    INSPECTOR.append(PanelRow("toy_tab", Toy, beside_two=True))
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


def test_names_are_told_apart() -> None:
    for rows in (DRAWER, INSPECTOR):
        assert len({row.name for row in rows}) == len(rows)
    keys = [row.key for row in DRAWER if row.key]
    assert len(set(keys)) == len(keys)
