"""What is open comes to the front instead of being opened twice; what is dropped together opens together."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from model.trace.trace import Trace
from model.trace.trace_file import save_trace
from tests.viewer.desk import Desk, opened
from viewer.services.open_windows import show_in_open_window


@pytest.fixture
def traces(tiny_trace: Trace, tmp_path: Path) -> list[str]:
    paths = [str(tmp_path / f"{name}.trace") for name in ("c", "a", "b")]
    for path in paths:
        save_trace(tiny_trace, path)
    return paths


def said(desk: Desk) -> str:
    return "" if desk.session.notice is None else desk.session.notice.sentence()


def test_a_trace_that_is_open_comes_to_the_front_unless_it_was_written_since(
    desk: Desk, traces: list[str], tiny_trace: Trace, tmp_path: Path
) -> None:
    path, other = traces[:2]
    desk.ask_path(path)
    first = desk.session.run()
    desk.ask_path(other)
    desk.window.pages.show_page(2)
    link = tmp_path / "link.trace"
    link.symlink_to(path)

    desk.ask_path(link)

    assert desk.session.run() is first
    assert desk.window.pages.index == 0
    assert opened(desk) == ["c.trace", "a.trace"]
    assert said(desk) == "link.trace is open already; it is in front now."

    save_trace(tiny_trace, path)
    os.utime(path, ns=(1, 1))
    desk.ask_path(path)
    assert desk.session.run() is not first
    assert said(desk) == ""


def test_a_recent_file_that_is_gone_is_said_and_dropped(desk: Desk, traces: list[str]) -> None:
    menus = desk.window.menus
    desk.ask_path(traces[0])
    menus.refresh_recents()
    actions = menus.recents.actions()
    entry = next(action for action in actions if action.data() == traces[0])
    headings = [action.text() for action in actions[: actions.index(entry)] if not action.data()]
    assert headings[-1] == "Traces"
    Path(traces[0]).unlink()

    entry.trigger()
    desk.read()

    assert said(desk).startswith("There is no file ")
    desk.wait(lambda: traces[0] not in [action.data() for action in menus.recents.actions()])


def test_a_model_and_a_session_are_not_opened_again(desk: Desk, tiny_bundle: Path, tmp_path: Path) -> None:
    asked: list[object] = []
    desk.program.engine.model_opened.connect(asked.append)
    desk.ask_path(tiny_bundle)
    assert "tiny is open already" in said(desk)
    desk.wait(lambda: not desk.program.engine.busy)  # with what began before
    assert asked == []
    assert not desk.program.conductor.has_open(str(tmp_path))
    assert desk.program.conductor.has_open(str(tiny_bundle / "config.json"))
    folder = tmp_path / "s.headscope"
    desk.window.saving.save(folder)
    desk.wait(lambda: bool(desk.session.homes.of(desk.session.document).folder))
    desk.session.set_step(0)
    before = desk.session.document
    desk.ask_path(folder)
    assert desk.session.document is before
    assert "s is open already" in said(desk)


def test_what_is_dropped_together_opens_and_the_rest_is_told_once(
    desk: Desk, traces: list[str], tiny_bundle: Path, tmp_path: Path
) -> None:
    bad = tmp_path / "bad.trace"
    bad.write_bytes(b"garbage")
    other = tmp_path / "z-model"
    other.symlink_to(tiny_bundle, target_is_directory=True)

    changes: list[int] = []
    desk.session.document_changed.connect(lambda: changes.append(len(desk.session.document.runs)))
    desk.window.paths_asked.emit([*traces, str(bad), str(tiny_bundle), str(other), str(tmp_path / "gone")])
    desk.read()
    first = next(runs for runs in changes if runs > 0)
    assert first >= len(traces)  # views took all of them in at once
    desk.wait(lambda: not desk.session.job.busy)

    assert opened(desk) == ["a.trace", "b.trace", "c.trace"]
    run = desk.session.run()
    assert run is not None
    assert str(run.provenance["path"]).endswith("a.trace")
    assert said(desk).startswith("4 of 7 were opened; not ")
    for part in ("bad.trace: ", "z-model: one model is open at a time", "gone: there is no file"):
        assert part.casefold() in said(desk).casefold()
    desk.session.undo()
    assert opened(desk) == []


def test_two_traces_are_compared(desk: Desk, traces: list[str]) -> None:
    desk.window.paths_asked.emit(traces[:2])
    desk.read()
    run, pinned = desk.session.run(), desk.session.document.run(desk.session.document.pinned)
    assert run is not None
    assert pinned is not None
    paths = [Path(str(each.provenance["path"])).name for each in (run, pinned)]
    assert paths == ["a.trace", "c.trace"]
    desk.wait(lambda: desk.page.drawer.panel == "compare")
    assert said(desk) == ""


def test_a_dropped_text_is_translated(desk: Desk, tmp_path: Path) -> None:
    path = tmp_path / "two.txt"
    path.write_text("the cat\nthe dog\n")
    desk.window.paths_asked.emit([str(path)])
    desk.read()
    assert desk.session.sentences.path == str(path)
    assert desk.page.drawer.panel == "sentences"
    desk.session.sentences.close()
    desk.wait(lambda: not desk.program.engine.busy)


OTHER = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from viewer.services.open_windows import OpenWindow
application = QCoreApplication([])
window = OpenWindow(Path(sys.argv[1]), lambda path: path == sys.argv[2])
window.asked.connect(lambda path: (print(path, flush=True), window.close(), application.quit()))
print("listening", flush=True)
application.exec()
"""


def test_the_window_of_another_process_comes_to_the_front(qtbot: QtBot, tmp_path: Path) -> None:
    root, path = tmp_path / "windows", "/some/文 件.trace"
    root.mkdir()
    (root / "1-gone.window").write_text("headscope-nobody")
    assert not show_in_open_window(root, path)
    assert list(root.iterdir()) == []  # nobody answered to that name
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER, str(root), path], stdout=subprocess.PIPE, text=True,
        cwd=Path(__file__).resolve().parents[3],
    )  # fmt: skip
    with other:
        assert other.stdout is not None
        assert other.stdout.readline() == "listening\n"
        assert not show_in_open_window(root, "/another.trace")
        assert show_in_open_window(root, path)
        assert other.stdout.readline() == f"{path}\n"
        assert other.wait(20) == 0
    assert list(root.iterdir()) == []
