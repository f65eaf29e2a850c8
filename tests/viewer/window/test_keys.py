"""One meaning a key: what key sheet, menus, tooltips, README and the manual say, and what the keys do."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget

from tests.viewer.desk import Desk
from tests.viewer.manual.guide_text import ROOT, pages
from viewer.pages.widgets.overflow_menu import KEYS, name_of
from viewer.window.actions import PLAIN_KEYS
from viewer.window.keys import window_keys
from viewer.window.main_window import MainWindow
from viewer.window.manual.key_table import all_keys

README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = pages("en")
OF_THE_MANUAL = "## In this manual"
"""The chapter on keys of the manual's own window."""
OF_VIEWS = {
    "Enter", "Esc", "↑", "↓", "Delete", "+", "−", "Shift+arrows", "Ctrl+C", "Ctrl+Shift+C", "G", "Alt+click",
}  # fmt: skip
"""Keys of the table that single views and fields answer; their own tests press them."""
SIGNS = {"←": "Left", "↑": "Up", "→": "Right", "↓": "Down", "Page Up": "PgUp", "Page Down": "PgDown"}


@pytest.fixture
def window(desk: Desk) -> MainWindow:
    return desk.window


def written(key: str) -> str:
    """A key as Qt writes it, from how the sheet and the texts do."""
    for sign, name in SIGNS.items():
        key = key.replace(sign, name)
    return QKeySequence(key).toString()


def sheet() -> set[str]:
    """Every key of the manual's table, as it is written there, ranges taken apart."""
    found: set[str] = set()
    for key in re.findall(r"`([^`]+)`", all_keys()):
        first, _, last = key.partition(" … ")
        if last:
            found |= {f"{first[:-1]}{number}" for number in range(int(first[-1]), int(last[-1]) + 1)}
        else:
            found.add(key)
    return found


def shortcuts(window: MainWindow) -> list[str]:
    """Every key of an action or a shortcut of the window, each as often as it is given away."""
    keys = [key for action in window.findChildren(QAction) for key in action.shortcuts()]
    keys += [shortcut.key() for shortcut in window.findChildren(QShortcut)]
    return [key.toString() for key in keys]


def test_no_key_does_two_things(window: MainWindow) -> None:
    given = Counter(shortcuts(window)) + Counter(key.toString() for key in window_keys())
    assert [key for key, times in given.items() if times > 1] == []


def test_the_sheet_has_every_key_and_no_other(window: MainWindow) -> None:
    real = set(shortcuts(window)) | {key.toString() for key in window_keys()}
    told = {key for key in sheet() if key not in OF_VIEWS}
    assert {key for key in told if written(key) not in real} == set()
    assert real - {written(key) for key in sheet()} == set()


def picture(window: MainWindow) -> QWidget:
    window.keys.to_picture()
    return window.look_page.picture


def test_the_letters_that_menus_name_do_what_the_menus_do(window: MainWindow) -> None:
    session, seen = window._session, []
    for name, letter in PLAIN_KEYS.items():
        assert window.actions_[name].text().endswith(f"\t{letter}")
        before = session.selection(), session.view
        window.actions_[name].trigger()
        by_menu = session.selection(), session.view
        session.select(view=before[0].view, kind=before[0].kind, head=before[0].head)  # type: ignore[union-attr]
        session.set_view(sqrt_scale=before[1].sqrt_scale)
        QTest.keyClick(picture(window), Qt.Key(ord(letter)))
        assert (session.selection(), session.view) == by_menu, name
        seen.append(before != by_menu)
    assert any(seen)


def test_buttons_name_the_key_that_does_the_same(window: MainWindow) -> None:
    known = {*map(written, PLAIN_KEYS.values()), *(key.toString() for key in window_keys())}
    known |= set(shortcuts(window))
    named = [button for button in window.findChildren(QAbstractButton) if button.property(KEYS)]
    assert len(named) > 15
    for button in named:
        key = button.property(KEYS)
        assert written(key) in known, name_of(button)
        told = re.search(r"\(([^()]+)\)$", button.toolTip())
        assert told is None or key in told.group(1), button.toolTip()


def told_of_the_window() -> str:
    """README and the manual, which speak of one window."""
    keys = re.sub(rf"{OF_THE_MANUAL}\n.*?(?=\n## )", "", PAGES["keys"], flags=re.DOTALL)
    assert len(keys) < len(PAGES["keys"])
    return "\n".join([README, keys, *(text for name, text in PAGES.items() if name != "keys")])


def test_texts_name_each_key_beside_what_it_does(window: MainWindow) -> None:
    """`**Branches** (`Ctrl+B`)` and the like, for actions and for the views above the map."""
    keys = {
        re.sub(r"\t.*|[&…]", "", action.text()).casefold(): action.shortcut().toString()
        or PLAIN_KEYS.get(name, "")
        for name, action in window.actions_._actions.items()
    }
    keys |= {
        tab.accessibleName().casefold(): tab.property(KEYS)
        for tab in window.look_page.panes[0].tabs.tabs.values()
    }
    keys["√"] = PLAIN_KEYS["sqrt"]
    pairs = re.findall(r"\*\*([^*]+)\*\*\s+\(`([A-Z][^`]*)`", told_of_the_window())
    checked = [(name, key) for name, key in pairs if name.casefold() in keys]
    assert len(checked) >= 10
    assert [(name, key) for name, key in checked if keys[name.casefold()] != key] == []


def test_every_key_of_the_texts_is_on_the_sheet() -> None:
    told = {written(key) for key in sheet()} | OF_VIEWS
    pattern = r"`((?:(?:Ctrl|Shift|Alt)\+)+[\w ]+|F\d+|[A-Z]|Esc|Delete|Enter|Home|End|Space)`"
    named = set(re.findall(pattern, told_of_the_window()))
    assert {"Ctrl+L", "F1", "F5", "Ctrl+B", "V", "M"} <= named
    assert {key for key in named if key not in told and written(key) not in told} == set()
