"""A small screen, keys in the sentence field, sessions kept, sentences in one language."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QProgressDialog
from pytestqt.qtbot import QtBot

from model.commands.console import HANG_UP
from model.errors import HeadscopeError
from tests.assets import SENTENCE
from tests.viewer.desk import Desk
from tests.viewer.driving import Driver, start
from viewer import app
from viewer.dialogs.session_dialog import SessionDialog
from viewer.document.messages.messages import PiecesSplit
from viewer.document.messages.notice import error_sentence
from viewer.document.selection import Selection
from viewer.document.session import Session
from viewer.figures.canvas.lettering import SMALLEST, width
from viewer.window.localization import Localization
from viewer.window.status_line import StatusLine


@pytest.fixture
def driver(qtbot: QtBot, tmp_path: Path) -> Iterator[Driver]:
    driver = start(qtbot, tmp_path)
    yield driver
    driver.window.close()
    assert driver.program.ended


@pytest.fixture
def translated(desk: Desk) -> Driver:
    return desk


def test_tokens_are_counted_as_the_run_in_view_has_them(translated: Driver) -> None:
    """Of a time-lapse or a trace the model in use may be another, that cuts the sentence otherwise."""
    session = translated.session
    trace = session.trace()
    assert trace is not None
    session.set_pieces(PiecesSplit(99, session.text, ("x",), 2, 100))
    assert translated.page.sentence.count.text() == f"{len(trace.src_ids)} tokens with the end token"

    session.set_text("other")
    session.set_pieces(PiecesSplit(100, "other", ("o", "ther"), 3, 100))
    assert translated.page.sentence.count.text() == "3 tokens with the end token"


def test_two_maps_take_the_room_of_the_candidates(translated: Driver) -> None:
    page, actions = translated.page, translated.window.actions_
    translated.click(page.panes[0].second)
    translated.wait(lambda: page.panes[1].map.geometry_now() is not None)
    translated.qtbot.waitUntil(lambda: page.panes[1].map.width() > 350)
    for pane in page.panes:
        place = pane.map.geometry_now()
        assert place is not None
        assert place.map_rect.width() > 0.35 * pane.map.width()
        assert place.map_rect.height() > 0.5 * pane.map.height()
    assert page.inspector.isHidden()
    assert not actions["next_word"].isChecked()

    actions["next_word"].trigger()
    assert page.next_word.isVisible()

    translated.click(page.panes[1].close_button)
    assert page.next_word.isVisible()
    assert actions["next_word"].isChecked()


def test_candidates_that_were_hidden_by_hand_stay_hidden(translated: Driver) -> None:
    page, actions = translated.page, translated.window.actions_
    actions["next_word"].trigger()
    assert page.inspector.isHidden()
    actions["second_pane"].trigger()
    actions["second_pane"].trigger()
    assert page.inspector.isHidden()


def test_what_later_steps_look_like_is_never_cut_off(translated: Driver) -> None:
    page, session = translated.page, translated.session
    session.select(0, step=1)
    translated.window.actions_["second_pane"].trigger()
    page.panes[1].map.resize(260, 300)
    place = page.panes[1].map.geometry_now()
    assert place is not None
    assert place.legend.right() - place.legend.left() >= 17 + width("later steps", SMALLEST)
    assert page.panes[1].map.rect().contains(place.legend.toRect())


def test_few_layers_fill_the_column_of_heads(translated: Driver) -> None:
    view = translated.page.heads.view
    place = view.geometry_now()
    assert place is not None
    grid: QRectF = place.grid_rect
    assert grid.height() > 0.55 * view.height()


# The offscreen platform says so of any dialog that has a window of its own.
@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_ctrl_e_in_the_sentence_field_exports(translated: Driver) -> None:
    translated.page.sentence.box.setFocus()
    QTest.keyClick(translated.page.sentence.box, Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    dialog = translated.window.exporting.dialog
    assert dialog is not None
    translated.wait(dialog.isVisible)
    dialog.close()


def save_as(driver: Driver, name: str) -> None:
    """Ctrl+Shift+S, a name, Enter."""
    driver.window.actions_["save_session"].trigger()
    dialog = driver.window.findChild(SessionDialog)
    assert isinstance(dialog, SessionDialog)
    dialog.name.setText(name)
    dialog.accept()
    driver.wait(lambda: driver.window.findChild(QProgressDialog) is None)


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_a_session_is_saved_and_opened_again(translated: Driver, tmp_path: Path) -> None:
    session = translated.session
    session.select(0, step=2)
    before: Selection | None = session.selection()
    save_as(translated, str(tmp_path / "mine"))
    assert session.notice is None
    folder = tmp_path / "mine.headscope"
    assert (folder / "session.json").is_file()

    session.clear_runs()
    translated.open(folder)
    assert session.text == SENTENCE
    assert session.selection() == before


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_a_session_that_cannot_be_saved_is_a_notice(translated: Driver, tmp_path: Path) -> None:
    save_as(translated, str(tmp_path / "nowhere" / "mine"))
    assert translated.session.notice is not None
    assert not (tmp_path / "nowhere").exists()


@pytest.mark.qt_log_ignore("propagateSizeHints")
def test_enter_exports_and_no_path_is_a_surprise(translated: Driver, tmp_path: Path) -> None:
    translated.window.actions_["export"].trigger()
    dialog = translated.window.exporting.dialog
    assert dialog is not None
    translated.wait(dialog.isVisible)
    field = dialog.form.path
    for text in ("/", "..", "", str(tmp_path / "shown.png")):
        field.selectAll()
        QTest.keyClick(field, Qt.Key.Key_Delete)
        QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)
    translated.wait((tmp_path / "shown.png").is_file)
    dialog.close()


def test_characters_that_the_model_has_no_piece_for_are_named(translated: Driver) -> None:
    sentence, session = translated.page.sentence, translated.session
    spelled = tuple(f"<0x{byte:02X}>" for byte in "臺".encode())
    session.set_text("a 臺")
    session.set_pieces(PiecesSplit(99, "a 臺", ("▁a", *spelled), 5, 128))
    assert sentence.count.text().endswith("· unknown: 臺")
    assert "臺" in sentence.count.toolTip()


@pytest.mark.parametrize(
    ("code", "values", "expected"),
    [
        ("tensors_invalid", {"path": "a.trace", "reason": "it is empty"}, "文件为空"),
        ("config_value", {"field": "n_heads", "value": -1, "wanted": "at least 1"}, "至少为 1"),
        ("file_denied", {"path": "a", "reason": "Permission denied"}, "没有权限"),
        ("config_heads", {"d_model": 9, "n_heads": 2}, "d_model 9"),
    ],
)
def test_chinese_sentences_are_chinese_throughout(
    qtbot: QtBot, code: str, values: dict[str, object], expected: str
) -> None:
    localization = Localization()
    localization.choose("zh_CN")
    try:
        assert expected in error_sentence(HeadscopeError(code, **values))
    finally:
        localization.remove()


def test_sigterm_closes_the_window(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    asked: list[bool] = []
    monkeypatch.setattr(QApplication, "quit", lambda *_: asked.append(True))
    before = signal.getsignal(signal.SIGTERM)
    with app.quitting_on_signals(application) as begin:
        os.kill(os.getpid(), signal.SIGTERM)
        QApplication.processEvents()
        assert not asked  # Qt hears nothing of it before its event loop
        begin()
        assert asked == [True]
        os.kill(os.getpid(), signal.SIGTERM)
        qtbot.waitUntil(lambda: len(asked) == 2)
    assert signal.getsignal(signal.SIGTERM) is before


@pytest.mark.skipif(not HANG_UP, reason="Windows has no such signal")
def test_a_terminal_that_is_closed_closes_the_window_once(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closed twice it would not wait until a run is saved."""
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    asked: list[bool] = []
    monkeypatch.setattr(QApplication, "quit", lambda *_: asked.append(True))
    before = signal.signal(HANG_UP, signal.SIG_DFL)
    try:
        with app.quitting_on_signals(application) as begin:
            begin()
            for _ in range(2):
                os.kill(os.getpid(), HANG_UP)
            qtbot.waitUntil(lambda: bool(asked))
            qtbot.wait(50)
    finally:
        signal.signal(HANG_UP, before)
    assert asked == [True]


def test_groups_of_samples_are_named_and_only_sentences_are_picked(driver: Driver) -> None:
    menu = driver.page.sentence.samples.menu()
    menu.aboutToShow.emit()
    entries = [action for action in menu.actions() if not action.isSeparator()]
    names = [action.text() for action in entries if not action.isEnabled()]
    assert names == ["Short", "Agreement, near and far", "Ambiguous", "Long", "Who does what to whom"]
    assert all(action.data() for action in entries if action.isEnabled())


def test_what_was_read_out_in_another_language_goes(qtbot: QtBot) -> None:
    status = StatusLine(Session())
    qtbot.addWidget(status)
    status.show_read_out("What “chat” is made of")
    assert status.read_out.text()
    status.retranslate()
    assert status.read_out.text() == ""
    assert status.read_out.toolTip() == ""
