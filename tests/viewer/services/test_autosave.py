"""What is looked at is kept safe against a crash, by each window for itself."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from model.errors import HeadscopeError
from tests.viewer.fake_source import small_info, small_trace
from viewer.document.document import Run
from viewer.document.files.session_file import Outline, Written, is_session, open_session, save_session
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.services import autosave as autosave_module
from viewer.services.autosave import Autosave
from viewer.services.kept import MOST_LIGHT, Kept, too_many
from viewer.services.safe_places import OLDER_LAST, SafePlaces

MADE = {"source": "decoded"}

CRASHING = """
import os, signal, sys
from pathlib import Path
from tests.viewer.fake_source import small_trace
from viewer.services.safe_places import SafePlaces
from viewer.document.document import Document, Run
from viewer.document.files.session_file import save_session

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
        place = self.autosave._places.get(self.session.document.origin)
        if place is None or not is_session(place.folder):
            return []
        return [run.id for run in open_session(place.folder).document.runs]


def adopted(window: Window, folder: Path) -> Path:
    """Where a session that was kept is opened from."""

    def show(place: Path, shown: Callable[[], object], _: Callable[[], object]) -> None:
        saved = open_session(place)
        window.session.set_document(saved.document, saved.text)
        shown()

    window.autosave.adopt(folder, show)
    return window.autosave._places[window.session.document.origin].folder


def filled(root: Path, *runs: str) -> None:
    """A window in which these runs were made, closed again."""
    window = Window(root)
    for name in runs:
        window.session.add_run(Run(name, small_trace(3), provenance=MADE))
    window.autosave.close()


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
    place = window.autosave._places[0]
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

    def slow(*arguments: Any) -> Written:
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


def test_a_window_with_one_run_does_not_replace_one_with_nine(qtbot: QtBot, root: Path) -> None:
    filled(root, *"abcdefghi")
    filled(root, "one")
    filled(root)
    assert sorted(one.runs for one in SafePlaces(root).kept()) == [1, 9]
    # They are not offered: the windows were closed. But they can be opened, and are then the window's own.
    window = Window(root)
    window.autosave.offer()
    assert window.session.notice is None
    rich = next(one for one in window.places.kept() if one.runs == 9)
    assert rich.closed
    folder = adopted(window, rich.folder)
    assert len(open_session(folder).document.runs) == 9
    assert [one.runs for one in SafePlaces(root).kept()] == [1]
    window.autosave.close()
    assert sorted(one.runs for one in SafePlaces(root).kept()) == [1, 9]


def test_what_an_older_version_kept_as_the_last_is_still_there(root: Path) -> None:
    filled(root, "a", "b")
    (found,) = SafePlaces(root).kept()
    found.folder.with_suffix(".closed").unlink()
    found.folder.rename(root / OLDER_LAST)
    (found,) = SafePlaces(root).kept()
    assert (found.runs, found.closed, found.waiting) == (2, True, False)
    assert not (root / OLDER_LAST).exists()


def test_another_session_opened_here_leaves_what_was_there(
    window: Window, qtbot: QtBot, root: Path, tmp_path: Path
) -> None:
    for name in "abc":
        window.session.add_run(Run(name, small_trace(3), provenance=MADE))
    mine = window.session.document
    save_session(tmp_path / "s.headscope", mine.but(runs=mine.runs[:1], panes=()), "", None)
    # Before anything was written, and with nothing said about it: a crash now would still leave all three.
    window.session.set_document(open_session(tmp_path / "s.headscope").document, "other")
    window.session.add_run(Run("d", small_trace(2), provenance=MADE))
    qtbot.waitUntil(lambda: window.saved() == ["a", "d"] and not window.autosave.writing)
    folders = sorted(root.glob("*.headscope"), key=lambda folder: len(list(folder.glob("*.trace"))))
    assert [[run.id for run in open_session(f).document.runs] for f in folders] == [["a", "d"], [*"abc"]]
    # Undone, the first is written on where it was.
    window.session.undo()
    window.session.undo()
    window.session.add_run(Run("e", small_trace(2), provenance=MADE))
    qtbot.waitUntil(lambda: window.saved() == [*"abc", "e"] and not window.autosave.writing)
    window.autosave.close()
    assert sorted(one.runs for one in SafePlaces(root).kept()) == [1, 4]


def test_what_is_saved_as_it_is_needs_no_copy(qtbot: QtBot, root: Path, tmp_path: Path) -> None:
    for more, changed in ((), None), (("late",), None), ((), "other"):
        window = Window(root)
        for name in "ab":
            window.session.add_run(Run(name, small_trace(3), provenance=MADE))
        document, folder = window.session.document, tmp_path / "mine.headscope"
        window.session.homes.settle(document, str(folder), save_session(folder, document, "", None).stamp)
        for name in more:
            window.session.add_run(Run(name, small_trace(3), provenance=MADE))
        if changed:
            save_session(folder, document.but(runs=document.runs[:1]), changed, None)
        window.autosave.write()
        qtbot.waitUntil(lambda window=window: not window.autosave.writing)
        assert [run for run in window.saved() if run in "ab"] == ["a", "b"]
        window.autosave.close()
        left = SafePlaces(root).kept()
        assert [one.runs for one in left] == ([] if not more and not changed else [2 + len(more)])
        for one in left:
            SafePlaces(root).remove(one.folder)
    assert list(root.iterdir()) == []


def test_bookmarks_and_gold_links_on_what_was_opened_are_work(window: Window, qtbot: QtBot) -> None:
    window.session.add_run(Run("r", small_trace(3), provenance={"source": "file"}))
    window.session.bookmarks.add("here")
    qtbot.waitUntil(lambda: window.saved() == ["r"] and not window.autosave.writing)
    window.session.undo()
    qtbot.waitUntil(lambda: window.saved() == [] and not window.autosave.writing)


def test_a_killed_process_leaves_what_is_offered(window: Window, qtbot: QtBot, root: Path) -> None:
    left_by_a_crash(root, 2)
    window.autosave.offer()
    notice = window.session.notice
    assert notice is not None
    assert (notice.code, notice.values["count"]) == ("autosave_found", 2)
    assert "2" in notice.sentence()
    folder = adopted(window, Path(str(notice.values["path"])))
    assert (window.session.text, len(window.session.document.runs)) == ("a sentence", 2)
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


def test_several_that_crashes_left_are_offered_together(window: Window, root: Path) -> None:
    for runs in (1, 3):
        left_by_a_crash(root, runs)
    window.autosave.offer()
    notice = window.session.notice
    assert notice is not None
    assert (notice.code, notice.values["count"]) == ("autosave_found_several", 2)
    assert {one.outline for one in window.places.left_behind()} == {
        Outline(runs, runs, False, "", small_trace(3).src_text) for runs in (1, 3)
    }


def test_an_offer_waits_for_what_is_said_and_is_made_until_it_is_answered(
    window: Window, qtbot: QtBot, root: Path
) -> None:
    left_by_a_crash(root)
    window.session.set_notice(Notice("training_saving"))
    window.autosave.offer()
    assert window.session.notice == Notice("training_saving")
    window.session.set_notice(None)
    qtbot.waitUntil(lambda: window.session.notice is not None)
    assert window.session.notice.code == "autosave_found"  # type: ignore[union-attr]
    # A window that is killed with the offer unanswered leaves it to the next.
    for answered in (False, True):
        other = Window(root)
        other.autosave.offer()
        assert other.session.notice is not None
        if answered:
            other.places.answered()
        other.autosave.close()
    last = Window(root)
    last.autosave.offer()
    assert last.session.notice is None
    last.autosave.close()
    (left,) = SafePlaces(root).kept()
    SafePlaces(root).remove(left.folder)
    assert list(root.iterdir()) == []


def test_who_is_killed_while_writing_leaves_what_was_there(window: Window, root: Path) -> None:
    left_by_a_crash(root, 2, "torn")
    (found,) = window.places.kept()
    saved = open_session(window.places.take(found.folder).folder)
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
    assert [one.folder for one in window.places.kept()] == [folder]


def kept(name: str, when: int, made: int = 5, size: int = 1, state: str = "closed") -> Kept:
    closed = state == "closed"
    outline = Outline(made, made, False, "", "")
    return Kept(Path(name), outline, float(when), size, waiting=state == "waiting", closed=closed)


def test_which_go_when_there_are_too_many() -> None:
    def gone(found: list[Kept], **bounds: int) -> str:
        return "".join(one.folder.name for one in too_many(found, **bounds))

    old = [kept("a", 1), kept("b", 2)]
    light = [kept(name, when, made=1) for when, name in enumerate("vwxyz", 10)]
    assert gone([*light, *old]) == "vw"
    assert len(light) - MOST_LIGHT == 2
    # However many light ones came after it, the newest of real work stays; so it does however large it is.
    assert gone([*light, *old], most=1) == "vwxyza"
    assert gone([kept("a", 1, size=50), kept("b", 2, size=900), kept("z", 3, made=1)], most_bytes=99) == "za"
    # What a crash left and nobody has seen yet outlasts what was closed or seen.
    found = [kept("a", 1, state="waiting"), kept("b", 2, state="seen"), kept("c", 3), kept("d", 4)]
    assert gone(found, most=2) == "bc"
    assert gone(found, most=4) == gone([]) == ""


def test_what_is_too_much_goes_when_a_window_begins_to_keep(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled(root, "a", "b")
    for number in range(MOST_LIGHT + 2):
        filled(root, f"light{number}")
    # The newest of them was not there yet when its window began.
    assert sorted(one.runs for one in SafePlaces(root).kept()) == [1] * (MOST_LIGHT + 1) + [2]


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
    for gone in (root / OLDER_LAST, root / "0123456789abcdef.headscope"):
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


@pytest.mark.parametrize("closed", [False, True])
def test_what_cannot_be_opened_is_not_taken_and_never_written_over(
    window: Window, qtbot: QtBot, root: Path, closed: bool
) -> None:
    if closed:
        filled(root, "a", "b")
    else:
        left_by_a_crash(root, 2)
    (folder,) = root.glob("*.headscope")
    for trace in folder.glob("*.trace"):
        trace.write_bytes(trace.read_bytes()[:-9])
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def refuse(place: Path, _: object, not_shown: Callable[[], object]) -> None:
        with pytest.raises(HeadscopeError, match=r"\.trace"):
            open_session(place)
        not_shown()

    for _ in range(2):
        window.autosave.adopt(folder, refuse)
        window.session.add_run(Run("a", small_trace(3), provenance=MADE))
        window.session.text_changed.emit()
        qtbot.waitUntil(lambda: window.saved() == ["a"] and not window.autosave.writing)
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        # It can still be found: another window may know how to read it.
        assert [(one.folder, one.closed) for one in SafePlaces(root).kept()] == [(folder, closed)]


def test_what_is_not_whole_is_not_offered(window: Window, root: Path) -> None:
    left_by_a_crash(root)
    (folder,) = root.glob("*.headscope")
    (folder / "session.json").write_bytes(b"{")
    window.autosave.offer()
    assert window.session.notice is None
