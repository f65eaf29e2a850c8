"""The settings: each is in force at once and remembered; what is kept on the disk is told and cleared."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import torch
from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QGuiApplication, QKeySequence
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMessageBox, QScrollArea
from pytestqt.qtbot import QtBot

from model.experiments.kept import clear_experiments, folder_size
from model.files.files import folder_lock
from model.trace.trace import Trace
from tests.viewer.desk import Desk
from viewer.document.document import Run
from viewer.document.session import Session
from viewer.engine.engine import Engine
from viewer.pages.widgets import shown_keys
from viewer.window.preferences.scope import Scope
from viewer.window.preferences.settings_dialog import SettingsDialog
from viewer.window.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog


class Heard:
    """What was asked of the engine and the form of Train."""

    def __init__(self) -> None:
        self.threads: list[int] = []
        self.devices: list[str] = []


@pytest.fixture
def heard() -> Heard:
    return Heard()


@pytest.fixture
def dialog(desk: Desk, qtbot: QtBot, tmp_path: Path, heard: Heard) -> Iterator[SettingsDialog]:
    window = desk.window
    made = SettingsDialog(
        Scope(
            desk.session, Settings(str(tmp_path / "s.ini")), window._appearance, window._localization,
            window.keymap, window.actions_, window.kept, tmp_path / "experiments", window.choose_language,
            heard.threads.append, heard.devices.append,
        )
    )  # fmt: skip
    qtbot.addWidget(made)
    yield made
    window.choose_language("en")
    window.actions_.themes["light"].trigger()
    window._appearance.set_type_size(100)
    window.keymap.reset_all()
    shown_keys.follow({}, {})


def choose(box: object, value: object) -> None:
    """Choose an entry as a person does."""
    box.setCurrentIndex(box.findData(value))  # type: ignore[attr-defined]
    box.activated.emit(box.currentIndex())  # type: ignore[attr-defined]


def test_window_and_dialog_follow_language_theme_and_type(
    dialog: SettingsDialog, desk: Desk, tmp_path: Path
) -> None:
    general, window = dialog.general, desk.window
    before = QFont(QGuiApplication.font()).pixelSize()

    choose(general.language, "zh_CN")
    choose(general.theme, "dark")
    choose(general.type_size, 150)
    QApplication.processEvents()

    assert window.menus.file.title().startswith("文件")
    assert dialog.tabs.tabText(0) == "常规"
    assert window._appearance.dark
    assert window.actions_.themes["dark"].isChecked()
    assert QGuiApplication.font().pixelSize() == pytest.approx(1.5 * before, abs=1)
    assert window.look_page.heads.view.look.scale == 1.5
    dialog.reject()
    window._settings.sync()
    later = Settings(str(tmp_path / "s.ini"))
    assert later.type_size == 150


def test_threads_device_and_memory_are_asked_for(
    dialog: SettingsDialog, desk: Desk, heard: Heard, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []
    monkeypatch.setattr(desk.session, "set_memory", asked.append)
    dialog.general.threads.setValue(1)
    choose(dialog.general.device, "cpu")
    dialog.general.memory.setValue(2)
    desk.wait(lambda: bool(asked))
    assert (heard.threads, heard.devices, asked) == ([1], ["cpu"], [512 << 20])
    settings = dialog.folders._scope.settings
    assert (settings.threads, settings.device, settings.memory) == (1, "cpu", 512)


def test_runs_go_beyond_the_memory_and_that_is_said(qtbot: QtBot, tiny_trace: Trace) -> None:
    session = Session()
    for number in range(6):
        session.add_run(Run(f"run-{number}", tiny_trace))
    shapes = [tiny_trace.patterns.shape(kind) for kind in tiny_trace.kinds]
    size = sum(4 * int(np.prod(shape)) for shape in shapes if shape is not None)  # float32
    assert session.held_bytes == 6 * size

    session.set_memory(3 * size)  # two thirds are the runs'

    assert [run.id for run in session.document.runs] == ["run-4", "run-5"]
    assert session.held_bytes == 2 * size
    assert session.notice is not None
    assert session.notice.code == "runs_trimmed"


def test_the_worker_computes_with_the_chosen_threads(qtbot: QtBot) -> None:
    before, engine = torch.get_num_threads(), Engine(threads=1)
    try:
        engine.set_threads(3)
        qtbot.waitUntil(lambda: engine._worker._context.threads == 3, timeout=5000)
        assert engine._threads.count == 3
    finally:
        engine.close()
        torch.set_num_threads(before)


def test_a_tab_is_filled_when_it_is_looked_at(dialog: SettingsDialog) -> None:
    areas = [dialog.tabs.widget(index) for index in range(dialog.tabs.count())]

    def filled() -> list[bool]:
        return [isinstance(area, QScrollArea) and area.widget() is not None for area in areas]

    assert filled() == [True, False, False]
    dialog.tabs.setCurrentIndex(2)
    assert filled() == [True, False, True]
    dialog.tabs.setCurrentIndex(1)
    dialog.tabs.setCurrentIndex(2)
    assert filled() == [True, True, True]
    assert areas[2].widget() is dialog.keys  # type: ignore[attr-defined]


def test_the_keys_go_through_a_tab_that_was_filled_late(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.show()
    qtbot.waitExposed(dialog)
    dialog.activateWindow()
    bar, close = dialog.tabs.tabBar(), dialog._buttons.buttons()[0]
    for index, first in ((2, lambda: dialog.keys.typed), (1, lambda: dialog.folders.last)):
        dialog.tabs.setCurrentIndex(index)
        bar.setFocus()
        passed = []
        while dialog.focusWidget() is not close and len(passed) < 20:
            QTest.keyClick(dialog.focusWidget(), Qt.Key.Key_Tab)
            passed.append(dialog.focusWidget())
        assert passed[0] is first()
        assert len(passed) > 2
        assert passed[-1] is close


def test_what_has_the_keys_in_a_tab_hands_them_to_the_next(dialog: SettingsDialog, qtbot: QtBot) -> None:
    dialog.show()
    qtbot.waitExposed(dialog)
    dialog.activateWindow()
    dialog.general.language.setFocus()
    QTest.keyClick(dialog.general.language, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
    assert dialog.tabs.currentIndex() == 1
    focus = dialog.focusWidget()
    assert focus is not None
    assert dialog.folders.isAncestorOf(focus)


def test_a_pressed_key_is_judged_in_a_sentence(dialog: SettingsDialog, desk: Desk) -> None:
    keys, keymap = dialog.keys, desk.window.keymap
    keys.choose("export")
    keys.field.setKeySequence(QKeySequence("Ctrl+C"))
    assert "fields, lists and views" in keys.said.text()
    assert not keys.use.isEnabled()
    keys.field.setKeySequence(QKeySequence("Ctrl+Y"))
    assert "would keep Ctrl+Shift+Z alone" in keys.said.text()
    keys.field.setKeySequence(QKeySequence("Ctrl+B"))
    assert "“Branches”, which would have none" in keys.said.text()
    keys.use.click()
    assert keymap.keys("export") == ("Ctrl+B",)
    assert keymap.keys("branches") == ()
    keys.choose("branches")
    keys.usual.click()
    assert keymap.keys("branches") == ("Ctrl+B",)
    assert keys.said.text() == "Ctrl+B is no key of “Export…” any more."
    keys.all_usual.click()
    assert keymap.keys("export") == ("Ctrl+E",)
    keys.typed.setText("Ctrl+E")
    rows = [row for row in range(keys.table.rowCount()) if not keys.table.isRowHidden(row)]
    assert [keys.table.item(row, 0).text() for row in rows] == ["Export…"]  # type: ignore[union-attr]


def test_dialogs_begin_where_it_was_said(dialog: SettingsDialog, tmp_path: Path) -> None:
    settings, (own, used) = dialog.folders._scope.settings, (tmp_path / "own", tmp_path / "used")
    own.mkdir()
    used.mkdir()
    settings.folder = str(used)
    dialog.folders.begin_in(str(own))
    assert settings.folder == str(own)
    dialog.folders.last.click()
    assert settings.folder == str(used)


def test_models_of_experiments_are_told_and_cleared(
    dialog: SettingsDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root = tmp_path / "experiments"
    for name in ("heads-1a/one-1", "heads-1a/one-2", "order-2b/post-1"):
        (root / name).mkdir(parents=True)
        (root / name / "model.safetensors").write_bytes(bytes(1000))
    (tmp_path / "mine").write_bytes(bytes(9))
    os.symlink(tmp_path / "mine", root / "link")
    (root / "link2").symlink_to(tmp_path, target_is_directory=True)
    assert 3000 <= folder_size(root) < 3200  # the links' own few bytes
    dialog.folders.refresh()
    assert dialog.folders.clear_models.isEnabled()
    yes = QMessageBox.StandardButton.Yes
    monkeypatch.setattr(QMessageBox, "exec", lambda _: yes)

    with folder_lock(root / "heads-1a" / "one-2"):  # is being trained
        dialog.folders.clear_models.click()
        assert [path.name for path in (root / "heads-1a").iterdir() if path.is_dir()] == ["one-2"]
        assert not (root / "order-2b").exists()

    assert clear_experiments(root) == 0
    assert not (root / "heads-1a").exists()
    assert (tmp_path / "mine").exists()
