"""The command palette in the window: everything is in it, in two languages, by keys alone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAccessible, QAction
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.viewer.desk import Desk
from tests.viewer.reaching import menu_actions
from viewer.pages.learn.lessons import LESSONS
from viewer.window.palette import matching
from viewer.window.palette.entry import Entry
from viewer.window.palette.palette_dialog import PaletteDialog
from viewer.window.settings import LANGUAGES, THEMES

_Key = Qt.Key


@pytest.fixture
def palette(desk: Desk) -> Iterator[PaletteDialog]:
    yield opened(desk)
    dialog = desk.window.palette_.dialog
    assert dialog is not None
    dialog.reject()


def opened(desk: Desk) -> PaletteDialog:
    """By its keys."""
    desk.window.activateWindow()
    desk.wait(desk.window.isActiveWindow)
    both = Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    QTest.keyClick(desk.window, _Key.Key_P, both)
    dialog = desk.window.palette_.dialog
    assert dialog is not None
    desk.wait(lambda: dialog.isVisible() and dialog.isActiveWindow())
    return dialog


def typed(palette: PaletteDialog, text: str) -> list[Entry]:
    palette.field.clear()
    palette.field.insert(text)
    return palette.model.entries


def titles(palette: PaletteDialog, text: str) -> list[str]:
    return [entry.title for entry in typed(palette, text)]


def chosen(desk: Desk, text: str) -> None:
    """Open it, type, press Enter."""
    palette = opened(desk)
    QTest.keyClicks(palette.field, text) if text.isascii() else palette.field.insert(text)
    QTest.keyClick(palette.field, _Key.Key_Return)
    assert not palette.isVisible()


def bare(action: QAction) -> str:
    return action.text().split("\t")[0].replace("&", "")


def test_every_action_of_the_menus_is_in_it(desk: Desk, palette: PaletteDialog) -> None:
    entries, window = typed(palette, ""), desk.window
    named = {entry.title for entry in entries}
    headings = [action for action in window.menus.recents.actions() if not action.data()]
    missing = [
        bare(action)
        for action in menu_actions(window)
        if action is not window.actions_["palette"]
        and action.text()
        and action not in headings
        and not any(entry.do == action.trigger for entry in entries)
        and bare(action) not in named
    ]

    assert len(menu_actions(window)) > 60
    assert missing == []
    for action in (each for each in window.actions_.all() if each is not window.actions_["palette"]):
        found = [entry for entry in entries if entry.do == action.trigger]
        assert len(found) == 1, action.text()
        assert found[0] in typed(palette, bare(action)), action.text()
        assert found[0].enabled == action.isEnabled()
        if action.shortcut().toString():
            assert found[0].keys == action.shortcut().toString()


def test_lessons_settings_and_models_are_in_it(desk: Desk, palette: PaletteDialog) -> None:
    everything = {entry.name for entry in typed(palette, "")}

    assert {f"lesson:{lesson.name}" for lesson in LESSONS} <= everything
    assert {f"action:theme_{theme}" for theme in THEMES} <= everything
    assert {f"language:{language}" for language in LANGUAGES} <= everything
    assert {f"numbers:{numbers}" for numbers in desk.window.numbers.choices} <= everything
    assert typed(palette, "kernel regression")[0].name == "lesson:weighted_average"
    assert typed(palette, "rollout")[0].name == "numbers:rollout"


class Heard(QObject):
    """Counts what a widget hears of another language."""

    count = 0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        self.count += event.type() == QEvent.Type.LanguageChange
        return False


def test_it_is_found_in_either_language_and_the_window_hears_of_neither(desk: Desk) -> None:
    heard = Heard()
    desk.window.installEventFilter(heard)
    palette = opened(desk)

    assert typed(palette, "导出…")[0].do == desk.window.actions_["export"].trigger
    assert typed(palette, "export…")[0].do == desk.window.actions_["export"].trigger
    assert typed(palette, "加权平均")[0].name == "lesson:weighted_average"
    assert typed(palette, "chinese")[0].name == typed(palette, "简体")[0].name == "language:zh_CN"
    QApplication.processEvents()
    assert heard.count == 0
    desk.window.removeEventFilter(heard)
    palette.reject()

    desk.window.toggle_language()
    QApplication.processEvents()
    try:
        palette = opened(desk)
        assert typed(palette, "export")[0].title == "导出…"
        assert titles(palette, "word " + written(desk, 1))[0].startswith("第 2 步：")
        assert palette.field.accessibleName() == "查找命令"
        palette.reject()
    finally:
        desk.window.toggle_language()


def written(desk: Desk, step: int) -> str:
    trace = desk.session.trace()
    assert trace is not None
    return trace.tgt_out_tokens[step].replace("▁", "")


def test_keys_alone_choose_do_and_leave(desk: Desk) -> None:
    window, sqrt = desk.window, desk.session.view.sqrt_scale
    palette = opened(desk)

    assert palette.focusWidget() is palette.field
    for key, row in ((_Key.Key_Down, 1), (_Key.Key_Up, 0), (_Key.Key_Up, len(palette.model.entries) - 1)):
        QTest.keyClick(palette.field, key)
        assert palette.list.currentIndex().row() == row
    QTest.keyClick(palette.field, _Key.Key_Escape)
    assert not palette.isVisible()
    desk.wait(lambda: window.focusWidget() is desk.page.picture)

    chosen(desk, "square root")
    assert desk.session.view.sqrt_scale is not sqrt
    assert window.focusWidget() is desk.page.picture

    palette = opened(desk)
    assert palette.model.entries[0].do == window.actions_["sqrt"].trigger  # lately chosen
    palette.list.setFocus()
    QTest.keyClicks(palette.list, "mean over h")
    assert palette.field.text() == "mean over h"
    QTest.keyClick(palette.field, _Key.Key_Return)
    selection = desk.session.selection()
    assert selection is not None
    assert selection.head is None
    assert window._settings.commands[:2] == ["action:mean", "action:sqrt"]


def test_a_screen_reader_hears_what_is_chosen(palette: PaletteDialog) -> None:
    entry = typed(palette, "export…")[0]

    assert (
        palette.field.accessibleDescription()
        == "Export…, File, Ctrl+E"
        == ", ".join((entry.title, entry.group, entry.keys))
    )
    role = Qt.ItemDataRole.AccessibleTextRole
    assert palette.model.index(0).data(role) == "Export…, File, Ctrl+E"
    listed = QAccessible.queryAccessibleInterface(palette.list)
    assert listed.text(QAccessible.Text.Name) == "Commands found"
    assert listed.rect().isValid()
    assert typed(palette, "qqqq") == []
    assert palette.field.accessibleDescription().startswith("Nothing is called that")
    assert palette.none.isVisible()
    assert palette.field.accessibleName()
    assert palette.windowTitle() == "Command palette"
    undo = typed(palette, "redo")[0]
    assert not undo.enabled
    QTest.keyClick(palette.field, _Key.Key_Return)
    assert palette.isVisible()
    assert palette.field.accessibleDescription().endswith("not possible now")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("cross 1.2", {"kind": "cross", "layer": 0, "head": 1}),
        ("交叉2.1", {"kind": "cross", "layer": 1, "head": 0}),
        ("enc 2 2", {"kind": "encoder_self", "layer": 1, "head": 1}),
        ("decoder_self 1.1", {"kind": "decoder_self", "layer": 0, "head": 0}),
        ("step 2", {"step": 1}),
        ("步 1", {"step": 0}),
        ("第 2 步", {"step": 1}),
    ],
)
def test_places_are_gone_to(desk: Desk, text: str, expected: dict[str, object]) -> None:
    desk.window.pages.show_page(1)

    chosen(desk, text)

    selection = desk.session.selection()
    assert selection is not None
    assert desk.window.pages.index == 0
    assert {name: getattr(selection, name) for name in expected} == expected


def test_what_is_no_place_is_none(desk: Desk, palette: PaletteDialog) -> None:
    trace = desk.session.trace()
    assert trace is not None
    steps, layers, heads = trace.steps, trace.layers("cross"), trace.heads("cross")  # type: ignore[arg-type]

    def places(text: str) -> int:
        return sum(entry.group == "Place" for entry in typed(palette, text))

    assert places(f"cross {layers}.{heads}") == 1
    assert places("self 1.1") == 2
    assert places(f"{layers}.{heads}") == 1
    assert places(f"step {steps}") == 1
    for text in (
        f"cross {layers + 1}.1", f"cross 1.{heads + 1}", "cross 0.1", "cross 1.0", "step 0",
        f"step {steps + 1}", "7", "1.2.3", "step 99999999999999", "word qqq", "bird 2.1",
    ):  # fmt: skip
        assert places(text) == 0, text


def test_a_word_leads_to_what_writes_and_what_reads_it(desk: Desk) -> None:
    trace = desk.session.trace()
    assert trace is not None
    word = written(desk, 0).casefold()
    writes = [step for step, piece in enumerate(trace.tgt_out_tokens) if word in piece.casefold()]
    reads = [step for step, piece in enumerate(trace.tgt_in_tokens) if word in piece.casefold()]
    expected = [f"Step {step + 1}: " for step in dict.fromkeys([*writes, *reads])]
    palette = opened(desk)
    found = [entry for entry in typed(palette, f"word {word}") if entry.title.startswith("Step")]

    assert [entry.title.split("reads")[0] for entry in found] == expected
    palette.reject()

    piece = next(place for place, text in enumerate(trace.src_tokens) if text.strip("▁"))
    palette = opened(desk)
    where = typed(palette, f"word {trace.src_tokens[piece].replace('▁', '')}")
    source = [entry for entry in where if entry.title.startswith(f"Source token {piece + 1}:")]
    source[0].do()
    selection = desk.session.selection()
    assert selection is not None
    assert (selection.kind, selection.key) == ("cross", piece)
    palette.reject()


def test_bookmarks_runs_and_lessons_are_gone_to(desk: Desk) -> None:
    session = desk.session
    session.select_head(0, 1)
    session.bookmarks.add("Quibble & zeal")
    session.select_head(1, 0)

    chosen(desk, "quibble")

    selection, run = session.selection(), session.run()
    assert selection is not None
    assert run is not None
    assert (selection.layer, selection.head) == (0, 1)
    palette = opened(desk)
    assert [entry.group for entry in typed(palette, "run " + run.trace.tgt_text)][:1] == ["Run"]
    palette.reject()

    chosen(desk, "layer walk")
    assert desk.window.pages.learn.scene()[0] == "walk"
    assert desk.window.pages.index == 2

    chosen(desk, "what is shown maximum over heads")
    shown = session.selection()
    assert shown is not None
    assert shown.numbers == "max_heads"


def test_a_place_is_remembered_too(desk: Desk) -> None:
    chosen(desk, "step 2")

    palette = opened(desk)
    assert palette.model.entries[0].title.startswith("Step 2: ")
    palette.reject()


@pytest.mark.parametrize("size", [(900, 600), (1440, 900)])
def test_it_fits_the_window(desk: Desk, size: tuple[int, int]) -> None:
    desk.window.resize(*size)
    QApplication.processEvents()
    palette = opened(desk)

    assert desk.window.frameGeometry().contains(palette.geometry())
    assert palette.foot.height() >= palette.foot.heightForWidth(palette.foot.width())
    assert palette.list.viewport().height() >= 6 * palette.list.sizeHintForRow(0)
    palette.reject()


def test_once_closed_it_holds_nothing_of_what_was_matched(desk: Desk) -> None:
    """Each letter typed is matched with every name, in two languages: what is remembered of it adds up."""
    palette = opened(desk)
    typed(palette, "heads")
    assert matching._word.cache_info().currsize > 100
    palette.reject()
    assert matching._word.cache_info().currsize == 0
