"""What is looked at is kept safe against a crash, by each window for itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.fake_source import small_info, small_trace
from viewer.keeping import autosave as autosave_module
from viewer.keeping.autosave import Autosave
from viewer.keeping.safe_places import LAST, SafePlaces
from viewer.state.document import Run
from viewer.state.session import Session
from viewer.state.session_file import is_session, open_session, save_session
from viewer.state.session_left_out import LeftOut

MADE = {"source": "decoded"}

CRASHING = """
import os, signal, sys
from pathlib import Path
from tests.viewer.fake_source import small_trace
from viewer.keeping.safe_places import SafePlaces
from viewer.state.document import Document, Run
from viewer.state.session_file import save_session

root, runs, then = Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
place = SafePlaces(root).new()
made = tuple(Run(f"r{n}", small_trace(3), provenance={"source": "decoded"}) for n in range(runs))
save_session(place.folder, Document(made), "a sentence", None)
if then == "torn":
    def die(*arguments):
        os.kill(os.getpid(), signal.SIGKILL)
    os.replace = die
    save_session(place.folder, Document((*made, Run("late", small_trace(2)))), "torn", None)
print(place.folder, flush=True)
sys.stdin.read()
"""


class Window:
    """A session with its autosave, closed at the end of the test."""

    def __init__(self, root: Path) -> None:
        self.session = Session()
        self.places = SafePlaces(root)
        self.autosave = Autosave(self.session, self.places, quiet_ms=20, longest_ms=100)

    def saved(self) -> list[str]:
        """The runs that are kept for this window now."""
        place = self.autosave._place
        if place is None or not is_session(place.folder):
            return []
        return [run.id for run in open_session(place.folder).document.runs]


def adopted(window: Window, folder: Path) -> Path:
    """Where a session that was kept is opened from."""
    places: list[Path] = []
    window.autosave.adopt(folder, places.append)
    return places[0]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path / "state" / "sessions"


@pytest.fixture
def window(qtbot: QtBot, root: Path) -> Any:
    window = Window(root)
    yield window
    window.autosave.close()


def other_process(root: Path, runs: int = 2, then: str = "wait") -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", CRASHING, str(root), str(runs), then],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=Path(__file__).resolve().parents[3],
    )
    if then == "wait":
        assert process.stdout is not None
        assert process.stdout.readline()
    return process


def kill(process: subprocess.Popen[str]) -> None:
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=60)


def left_by_a_crash(root: Path, runs: int = 2, then: str = "wait") -> None:
    process = other_process(root, runs, then)
    if then == "wait":
        kill(process)
    else:
        process.communicate(timeout=60)
    assert process.returncode == -signal.SIGKILL


def test_what_was_made_is_written_when_it_is_quiet(window: Window, qtbot: QtBot) -> None:
    window.session.set_model(small_info())
    window.session.set_text("a b")
    window.session.add_run(Run("a", small_trace(3), provenance=MADE))
    qtbot.waitUntil(lambda: window.saved() == ["a"] and not window.autosave.writing)
    window.session.add_run(Run("b", small_trace(2), provenance=MADE, live=True))
    qtbot.waitUntil(lambda: window.saved() == ["a", "b"])
    place = window.autosave._place
    assert place is not None
    saved = open_session(place.folder)
    assert saved.text == "a b"
    assert saved.model is not None
    assert saved.document.runs[1].cancelled
    qtbot.waitUntil(lambda: not window.autosave.writing)


def test_what_can_be_opened_again_is_not_kept(window: Window, qtbot: QtBot, root: Path) -> None:
    window.session.add_run(Run("r", small_trace(3), provenance={"source": "recorded"}))
    with qtbot.waitSignal(window.autosave.written):
        pass
    assert not root.exists()
    window.session.add_run(Run("a", small_trace(3), provenance=MADE))
    qtbot.waitUntil(lambda: window.saved() == ["r", "a"] and not window.autosave.writing)
    window.session.undo()
    qtbot.waitUntil(lambda: window.saved() == [] and not window.autosave.writing)


def test_what_changes_all_the_time_is_written_now_and_then(window: Window, qtbot: QtBot) -> None:
    window.autosave._quiet.setInterval(60_000)
    window.session.add_run(Run("a", small_trace(1), provenance=MADE, live=True))
    for steps in range(2, 5):
        window.session.put_run(Run("a", small_trace(steps), provenance=MADE, live=True))
    qtbot.waitUntil(lambda: window.saved() == ["a"] and not window.autosave.writing)


def test_the_window_goes_on_while_a_slow_disk_writes(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    go_on, begun, threads = threading.Event(), threading.Event(), []

    def slow(*arguments: Any) -> LeftOut:
        threads.append(threading.current_thread())
        begun.set()
        assert go_on.wait(60)
        return save_session(*arguments)

    monkeypatch.setattr(autosave_module, "save_session", slow)
    window.session.add_run(Run("a", small_trace(3), provenance=MADE))
    qtbot.waitUntil(begun.is_set)
    window.session.add_run(Run("b", small_trace(3), provenance=MADE))
    window.autosave.write()
    assert len(threads) == 1
    assert threads[0] is not threading.main_thread()
    go_on.set()
    # What came meanwhile is written after it.
    qtbot.waitUntil(lambda: window.saved() == ["a", "b"] and not window.autosave.writing)


def test_a_disk_that_refuses_is_told_once_and_tried_again(
    window: Window, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    tries = []

    def full(*arguments: Any) -> None:
        tries.append(arguments)
        raise HeadscopeError("disk_full", path="x")

    with monkeypatch.context() as patch:
        patch.setattr(autosave_module, "save_session", full)
        window.session.add_run(Run("a", small_trace(3), provenance=MADE))
        qtbot.waitUntil(lambda: window.session.notice is not None)
        notice = window.session.notice
        assert notice is not None
        assert (notice.code, notice.level) == ("autosave_failed", "warning")
        window.session.set_notice(None)
        qtbot.waitUntil(lambda: len(tries) >= 3)
        assert window.session.notice is None
    qtbot.waitUntil(lambda: window.saved() == ["a"] and not window.autosave.writing)
    assert window.session.notice is None


def test_a_place_that_cannot_be_made_is_told(window: Window, qtbot: QtBot, root: Path) -> None:
    root.parent.mkdir(parents=True)
    root.write_text("in the way")
    window.session.add_run(Run("a", small_trace(3), provenance=MADE))
    qtbot.waitUntil(lambda: window.session.notice is not None and not window.autosave.writing)


def test_a_closed_window_leaves_the_last_session(qtbot: QtBot, root: Path) -> None:
    for name in ("one", "two"):
        window = Window(root)
        window.session.add_run(Run(name, small_trace(3), provenance=MADE))
        window.autosave.close()
        window.autosave.close()
    assert [path.name for path in root.iterdir()] == [LAST]
    (kept,) = SafePlaces(root).kept()
    assert (kept.runs, kept.last, kept.folder.name) == (1, True, LAST)
    # It is not offered: the window was closed. But it can be opened, and is then the window's own.
    window = Window(root)
    window.autosave.offer()
    assert window.session.notice is None
    folder = adopted(window, kept.folder)
    assert [run.id for run in open_session(folder).document.runs] == ["two"]
    assert SafePlaces(root).kept() == []
    window.autosave.close()


def test_a_killed_process_leaves_what_is_offered_once(window: Window, qtbot: QtBot, root: Path) -> None:
    left_by_a_crash(root, 2)
    window.autosave.offer()
    notice = window.session.notice
    assert notice is not None
    assert (notice.code, notice.values["count"]) == ("autosave_found", 2)
    assert "2" in notice.sentence()
    folder = adopted(window, Path(str(notice.values["path"])))
    saved = open_session(folder)
    assert (saved.text, len(saved.document.runs)) == ("a sentence", 2)
    window.session.set_document(saved.document, saved.text)
    window.session.add_run(Run("more", small_trace(2), provenance=MADE))
    qtbot.waitUntil(lambda: window.saved() == ["r0", "r1", "more"] and not window.autosave.writing)
    # It is this window's now: nobody else is offered it.
    other = Window(root)
    other.autosave.offer()
    assert other.session.notice is None
    assert other.places.kept() == []
    with pytest.raises(HeadscopeError):
        adopted(other, folder)
    other.autosave.close()


def test_a_dismissed_offer_is_not_repeated_but_stays(qtbot: QtBot, root: Path) -> None:
    left_by_a_crash(root)
    for offered in (True, False):
        window = Window(root)
        window.autosave.offer()
        assert (window.session.notice is not None) is offered
        assert len(window.places.kept()) == 1
        window.autosave.close()
    SafePlaces(root).remove(SafePlaces(root).kept()[0].folder)
    assert list(root.iterdir()) == []


def test_who_is_killed_while_writing_leaves_what_was_there(window: Window, root: Path) -> None:
    left_by_a_crash(root, 2, "torn")
    (kept,) = window.places.kept()
    saved = open_session(window.places.take(kept.folder).folder)
    assert saved.text == "a sentence"
    assert len(saved.document.runs) == 2
    assert not list(root.rglob("*.tmp"))


def test_windows_that_live_keep_theirs(window: Window, root: Path) -> None:
    process = other_process(root)
    try:
        assert window.places.kept() == []
        window.autosave.offer()
        assert window.session.notice is None
        (folder,) = root.glob("*.headscope")
        window.places.remove(folder)
        with pytest.raises(HeadscopeError) as raised:
            adopted(window, folder)
        assert raised.value.code == "folder_busy"
        assert is_session(folder)
    finally:
        kill(process)
    assert [kept.folder for kept in window.places.kept()] == [folder]


def test_only_the_newest_few_are_kept(window: Window, root: Path) -> None:
    for number in range(1, 6):
        left_by_a_crash(root, number)
        (newest,) = (f for f in root.glob("*.headscope") if len(list(f.glob("*.trace"))) == number)
        os.utime(newest / "session.json", (time.time() + number - 100, time.time() + number - 100))
    assert [kept.runs for kept in window.places.kept()] == [5, 4, 3]
    assert len(list(root.glob("*.headscope"))) == 3


def test_nothing_but_what_is_kept_is_moved_or_removed(window: Window, root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "mine.headscope"
    window.session.add_run(Run("a", small_trace(3), provenance=MADE))
    save_session(folder, window.session.document, "", None)
    window.places.remove(folder)
    for action in (window.places.take, lambda folder: adopted(window, folder)):
        call: Callable[[Path], object] = action
        with pytest.raises(HeadscopeError):
            call(folder)
    assert is_session(folder)
    for gone in (root / LAST, root / "0123456789abcdef.headscope"):
        with pytest.raises(HeadscopeError):
            adopted(window, gone)


def test_a_trace_that_went_bad_keeps_nothing_else_from_being_kept(window: Window, qtbot: QtBot) -> None:
    """Said once, not at every writing; the others are there after a crash."""
    trace = small_trace(3)

    def damaged(*place: object) -> Any:
        raise HeadscopeError("file_failed", path="bad.trace", reason="EIO")

    patterns = SimpleNamespace(shape=trace.patterns.shape, pattern=damaged, layer=damaged)
    window.session.add_run(Run("bad", replace(trace, patterns=patterns), provenance={"source": "file"}))
    window.session.add_run(Run("a", trace, provenance=MADE), keep_others=True)
    qtbot.waitUntil(lambda: window.saved() == ["a"] and window.session.notice is not None)
    notice = window.session.notice
    assert notice is not None
    assert (notice.code, notice.values["count"]) == ("runs_unsaved", 1)
    window.session.set_notice(None)
    window.session.add_run(Run("b", small_trace(2), provenance=MADE), keep_others=True)
    qtbot.waitUntil(lambda: window.saved() == ["a", "b"] and not window.autosave.writing)
    assert window.session.notice is None


@pytest.mark.parametrize("last", [False, True])
def test_what_cannot_be_opened_is_not_taken_and_never_written_over(
    window: Window, qtbot: QtBot, root: Path, last: bool
) -> None:
    left_by_a_crash(root, 2)
    (folder,) = root.glob("*.headscope")
    if last:
        folder = folder.rename(root / LAST)
    for trace in folder.glob("*.trace"):
        trace.write_bytes(trace.read_bytes()[:-9])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    for _ in range(2):
        with pytest.raises(HeadscopeError, match=r"\.trace"):
            window.autosave.adopt(folder, open_session)
        window.session.add_run(Run("a", small_trace(3), provenance=MADE))
        window.session.text_changed.emit()
        qtbot.waitUntil(lambda: window.saved() == ["a"] and not window.autosave.writing)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        # It can still be found: another window may know how to read it.
        assert [kept.folder for kept in SafePlaces(root).kept()] == [folder]


def test_what_is_not_whole_is_not_offered(window: Window, root: Path) -> None:
    left_by_a_crash(root)
    (folder,) = root.glob("*.headscope")
    (folder / "session.json").write_bytes(b"{")
    window.autosave.offer()
    assert window.session.notice is None
