"""Saving a session from the window: over one that is there, behind the window, to a truthful end."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QMessageBox, QProgressDialog, QWidget
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.fake_source import small_trace
from viewer.dialogs.session_dialog import SessionDialog
from viewer.document.document import Run
from viewer.document.files.session_file import Written, open_session, save_session, stamp_of
from viewer.document.session import Session
from viewer.services import saving
from viewer.window.session_saving import SessionSaving
from viewer.window.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints")  # the platform without a screen, of any dialog


class Bench:
    """A session with one run, and what saves it."""

    def __init__(self, qtbot: QtBot, tmp_path: Path) -> None:
        self.qtbot = qtbot
        self.window = QWidget()
        qtbot.addWidget(self.window)
        self.session = Session()
        self.session.add_run(Run("a", small_trace(3)))
        self.settings = Settings(str(tmp_path / "settings.ini"))
        self.settings.folder = str(tmp_path)
        self.saving = SessionSaving(self.session, self.settings, self.window)
        self.said: list[str] = []
        self.saving.said.connect(self.said.append)

    def ask(self) -> SessionDialog:
        self.saving.ask()
        assert self.saving.dialog is not None
        return self.saving.dialog

    def ended(self) -> bool:
        return not self.saving.jobs

    def wait(self, reached: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(reached, timeout=30_000)


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(qtbot, tmp_path)
    yield bench
    bench.saving.stop()
    bench.wait(bench.ended)


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What is answered to the next questions; what is left was not asked."""
    answers: list[Any] = []
    monkeypatch.setattr(QMessageBox, "exec", lambda _: answers.pop(0))
    return answers


YES, NO = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No


def test_saved_again_the_session_that_is_open_is_proposed_and_saved_over(
    bench: Bench, tmp_path: Path, answers: list[Any]
) -> None:
    dialog = bench.ask()
    assert dialog.name.text() == "session.headscope"
    dialog.accept()
    bench.wait(bench.ended)
    folder = tmp_path / "session.headscope"
    assert [run.id for run in open_session(folder).document.runs] == ["a"]
    assert bench.said == ["Saved session.headscope"]
    assert bench.session.homes.of(bench.session.document).folder == bench.settings.recents[0] == str(folder)

    bench.session.add_run(Run("b", small_trace(2)))
    dialog = bench.ask()
    assert (dialog.name.text(), Path(dialog.directory().absolutePath())) == ("session.headscope", tmp_path)
    answers[:] = [NO, YES]
    dialog.accept()
    assert dialog.isVisible()
    dialog.accept()
    bench.wait(bench.ended)
    assert answers == []
    assert [run.id for run in open_session(folder).document.runs] == ["a", "b"]
    assert [path.name for path in tmp_path.glob("*.headscope")] == ["session.headscope"]
    # A session without a place of its own gets a name that is free.
    bench.session.homes.settle(bench.session.document, "", "")
    assert bench.ask().name.text() == "session-2.headscope"


def test_a_session_is_nothing_to_go_into(bench: Bench, tmp_path: Path, answers: list[Any]) -> None:
    folder = tmp_path / "talk.headscope"
    (tmp_path / "folder").mkdir()
    save_session(folder, bench.session.document, "old", None)
    dialog = bench.ask()
    # As a double click does.
    dialog.setDirectory(str(folder))
    dialog.directoryEntered.emit(str(folder))
    assert (dialog.name.text(), Path(dialog.directory().absolutePath())) == ("talk.headscope", tmp_path)
    # Another folder is gone into.
    dialog.name.setText("folder")
    dialog.accept()
    assert Path(dialog.directory().absolutePath()) == tmp_path / "folder"
    dialog.name.setText("mine")
    dialog.accept()
    bench.wait(bench.ended)
    assert (tmp_path / "folder" / "mine.headscope" / "session.json").is_file()
    assert open_session(folder).text == "old"


def test_the_window_goes_on_and_what_it_says_is_true(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, threads = threading.Event(), []

    def slow(folder: Path, *work: Any) -> Written:
        threads.append(threading.current_thread())
        work[3](1, 4)
        assert go_on.wait(60)
        return save_session(folder, *work)

    monkeypatch.setattr(saving, "save_session", slow)
    bench.saving.save(tmp_path / "s.headscope")
    (dialog,) = bench.window.findChildren(QProgressDialog)
    bench.wait(lambda: dialog.value() == 250)
    assert threads[0] is not threading.main_thread()
    assert bench.said == []
    bench.session.add_run(Run("later", small_trace(2)))
    go_on.set()
    bench.wait(bench.ended)
    assert bench.said == ["Saved s.headscope"]
    # What was looked at when it was asked for.
    assert [run.id for run in open_session(tmp_path / "s.headscope").document.runs] == ["a"]


def test_given_up_it_writes_nothing(bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()

    def slow(folder: Path, *work: Any) -> Written:
        begun.set()
        assert go_on.wait(60)
        return save_session(folder, *work)

    monkeypatch.setattr(saving, "save_session", slow)
    bench.saving.save(tmp_path / "s.headscope")
    (dialog,) = bench.window.findChildren(QProgressDialog)
    bench.wait(begun.is_set)
    dialog.canceled.emit()
    go_on.set()
    bench.wait(bench.ended)
    assert bench.said == ["Cancelled: nothing was written"]
    assert not (tmp_path / "s.headscope").exists()
    assert bench.session.homes.of(bench.session.document).folder == ""


@pytest.mark.parametrize("error", [HeadscopeError("disk_full", path="x"), RuntimeError("unforeseen")])
def test_what_prevents_it_is_told(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(*_: Any) -> None:
        raise error

    monkeypatch.setattr(saving, "save_session", failing)
    bench.saving.save(tmp_path / "s.headscope")
    bench.wait(bench.ended)
    notice = bench.session.notice
    assert notice is not None
    assert notice.code == ("disk_full" if isinstance(error, HeadscopeError) else "internal")
    assert bench.said == []


def test_a_window_that_closes_waits_for_what_is_saved(
    bench: Bench, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on = threading.Event()

    def slow(folder: Path, *work: Any) -> Written:
        assert go_on.wait(60)
        return save_session(folder, *work)

    monkeypatch.setattr(saving, "save_session", slow)
    bench.saving.save(tmp_path / "s.headscope")
    threading.Timer(0.1, go_on.set).start()
    bench.saving.stop()
    assert [run.id for run in open_session(tmp_path / "s.headscope").document.runs] == ["a"]


def test_of_two_windows_on_one_session_the_last_does_not_win_unasked(
    bench: Bench, tmp_path: Path, answers: list[Any], qtbot: QtBot
) -> None:
    folder = tmp_path / "talk.headscope"
    bench.saving.save(folder)
    bench.wait(bench.ended)
    # Its own saving is no change by another.
    bench.session.add_run(Run("b", small_trace(2)))
    bench.saving.save(folder)
    bench.wait(bench.ended)
    assert bench.saving.question is None
    other = Session()
    opened = open_session(folder)
    other.set_document(opened.document, "")
    other.add_run(Run("c", small_trace(2)))
    theirs = save_session(folder, other.document, "theirs", None, known=opened.stamp).stamp
    for button, name in ((0, "talk-2.headscope"), (1, "talk.headscope")):
        bench.saving.save(folder)
        bench.wait(bench.ended)
        box = bench.saving.question
        assert box is not None
        assert "talk.headscope was changed elsewhere" in box.text()
        assert stamp_of(folder) == theirs
        assert bench.session.notice is None
        box.buttons()[[b.text() for b in box.buttons()].index(("Save as…", "Save over it")[button])].click()
        if not button:
            dialog = bench.saving.dialog
            assert dialog is not None
            assert dialog.name.text() == name
            dialog.accept()
            bench.wait(bench.ended)
            # It is another session now; the first one is opened again to be saved over.
            assert bench.session.homes.of(bench.session.document).folder == str(tmp_path / name)
            assert open_session(folder).text == "theirs"
            bench.session.homes.settle(bench.session.document, str(folder), opened.stamp)
    bench.wait(bench.ended)
    assert [run.id for run in open_session(folder).document.runs] == ["a", "b"]
    assert bench.session.homes.is_saved(bench.session.document)
