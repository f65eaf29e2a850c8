"""Keys that somebody changed: one meaning a key, remembered, and named wherever keys are named."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from tests.viewer.desk import Desk
from viewer.pages.widgets import shown_keys
from viewer.window.keymap import KEY_ROWS, Keymap
from viewer.window.manual.key_table import KEY_TABLE
from viewer.window.palette.action_entries import ACTIONS


class Store:
    """A memory of keys."""

    def __init__(self, keys: dict[str, list[str]] | None = None) -> None:
        self.keys = keys or {}


@pytest.fixture(autouse=True)
def usual_names() -> Iterator[None]:
    """Whoever comes next finds the keys at first named again."""
    yield
    shown_keys.follow({}, {})


def given(keymap: Keymap) -> list[str]:
    """Keys that do more than one thing."""
    counted = Counter(key for row in KEY_ROWS for key in keymap.keys(row.name))
    return [key for key, times in counted.items() if times > 1]


def test_a_key_goes_from_one_to_another_and_back(qtbot: QtBot) -> None:
    store = Store()
    keymap = Keymap(store)
    assert given(keymap) == []

    keymap.assign("export", ["Ctrl+B"])

    assert keymap.keys("export") == ("Ctrl+B",)
    assert keymap.keys("branches") == ()
    assert store.keys == {"export": ["Ctrl+B"], "branches": []}
    again = Keymap(Store(store.keys))
    assert (again.keys("export"), again.keys("branches")) == (("Ctrl+B",), ())

    keymap.reset("branches")

    assert keymap.keys("branches") == ("Ctrl+B",)
    assert keymap.keys("export") == ()
    assert given(keymap) == []
    assert keymap.is_reserved("G", "export")  # a map's own letter, but before an audience
    assert not keymap.is_reserved("G", "lecture_note")
    assert keymap.is_reserved("Ctrl+1", "lecture_note")
    keymap.reset_all()
    assert (keymap.keys("export"), store.keys) == (("Ctrl+E",), {})


@pytest.mark.parametrize(
    "kept",
    [
        {"nothing": ["Ctrl+E"]},
        {"export": ["no key at all"]},
        {"export": ["Ctrl+S"]},  # the key of another
        {"export": ["Ctrl+C"]},  # a view's own
        {"export": ["Ctrl+1"]},  # a recent file's
        {"export": ["Ctrl+F12"], "present": ["Ctrl+F12"]},
        {"export": ["Ctrl+B"]},  # two actions would have it
    ],
)
def test_a_damaged_memory_gives_no_key_away_twice(qtbot: QtBot, kept: dict[str, list[str]]) -> None:
    keymap = Keymap(Store(kept))
    assert given(keymap) == []
    assert keymap.keys("save_trace") == ("Ctrl+S",)


def test_keys_in_texts_follow_and_other_words_stay(qtbot: QtBot) -> None:
    keymap = Keymap(Store())
    keymap.assign("next_step", ["Ctrl+N"])
    keymap.assign("mean", [])
    assert shown_keys.keyed("Next step (Page Down)") == "Next step (Ctrl+N)"
    assert shown_keys.keyed("下一步（Page Down）") == "下一步（Ctrl+N）"
    assert shown_keys.keyed("Page Down is a key (Page Up)") == "Page Down is a key (Page Up)"
    assert shown_keys.keyed("MM (M)") == "MM (–)"
    assert shown_keys.key_now("N", audience=True) == "N"


def test_menu_button_sheet_and_palette_name_the_new_key_and_it_works(desk: Desk, qtbot: QtBot) -> None:
    window, keymap = desk.window, desk.window.keymap
    keymap.assign("export", ["Ctrl+F12"])
    keymap.assign("next_step", ["B"])
    keymap.assign("heads_table", ["Z"])
    try:
        assert [key.toString() for key in window.actions_["export"].shortcuts()] == ["Ctrl+F12"]
        assert window.top.export.toolTip().endswith("(Ctrl+F12)")
        assert desk.page.sentence.steps.next.toolTip().endswith("(B)")
        assert window.actions_["heads_table"].text().endswith("\tZ")
        told = {key for group in KEY_TABLE for row in group.rows for key in row.shown}
        assert {"Ctrl+F12", "Z", "B"} <= told
        assert not {"Ctrl+E", "Ctrl+H"} & told
        entry = next(each for each in ACTIONS.entries(window.palette_._reach) if each.name == "export")
        assert entry.keys == "Ctrl+F12"

        window.keys.to_picture()
        desk.session.set_step(0)
        QTest.keyClick(desk.page.picture, Qt.Key.Key_B)
        selection = desk.session.selection()
        assert selection is not None
        assert selection.step == 1
        QTest.keyClick(desk.page.picture, Qt.Key.Key_Z)
        assert desk.page.drawer.panel == "heads_table"
        QTest.keyClick(desk.page.picture, Qt.Key.Key_PageDown)
        assert desk.session.selection().step == 1  # type: ignore[union-attr]
    finally:
        keymap.reset_all()
    assert window.top.export.toolTip().endswith("(Ctrl+E)")
    assert window.actions_["heads_table"].shortcut() == QKeySequence("Ctrl+H")
