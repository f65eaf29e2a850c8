"""What happens while a place is looked at beside the window: none of what was asked for gets lost."""

from __future__ import annotations

import os
import shutil
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.viewer.desk import Desk, opened
from tests.viewer.driving import PATIENCE_MS
from viewer.document.files.session_file import save_session
from viewer.services import open_files, several

_PATIENCE_S = PATIENCE_MS / 1000


class Held:
    """What a thread has found out, kept from the window until it is let go.

    Attributes:
        begun: it is found out.
    """

    def __init__(self, room: Any, name: str, monkeypatch: pytest.MonkeyPatch) -> None:
        self.begun, self._gate = threading.Event(), threading.Event()
        work: Callable[..., Any] = getattr(room, name)

        def held(*values: Any) -> Any:
            found = work(*values)
            self.begun.set()
            assert self._gate.wait(_PATIENCE_S)
            return found

        monkeypatch.setattr(room, name, held)

    def wait(self) -> None:
        """Until the thread knows."""
        assert self.begun.wait(_PATIENCE_S)

    def let_go(self, desk: Desk) -> None:
        """And until the window knows, too."""
        self._gate.set()
        desk.read()


def said(desk: Desk) -> str:
    return "" if desk.session.notice is None else desk.session.notice.code


def test_what_is_closed_while_it_is_looked_for_is_opened(
    desk: Desk, trace_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ask_path(trace_files[0])
    held = Held(open_files.Opened, "has", monkeypatch)
    desk.window.path_asked.emit(str(trace_files[0]))
    held.wait()
    desk.session.undo()
    assert opened(desk) == []

    held.let_go(desk)

    assert opened(desk) == ["a.trace"]
    assert said(desk) == ""


def test_a_model_comes_to_the_front_only_if_no_other_is_loaded_meanwhile(
    desk: Desk, tiny_bundle: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = (Path(shutil.copytree(tiny_bundle, tmp_path / name)) for name in ("one", "other"))
    desk.open(one)
    held = Held(open_files.Opened, "has", monkeypatch)
    desk.window.path_asked.emit(str(one))
    held.wait()
    desk.program.conductor.use_model(str(other), "")

    held.let_go(desk)

    desk.wait(lambda: desk.session.loading is None)
    assert desk.session.model is not None
    assert desk.session.model.path == str(one)  # what was asked for last, and came last
    assert said(desk) == ""


def test_a_dropped_trace_that_is_closed_meanwhile_is_opened(
    desk: Desk, trace_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.ask_path(trace_files[0])
    held = Held(several, "_read", monkeypatch)
    desk.window.paths_asked.emit([str(path) for path in trace_files[:2]])
    held.wait()
    desk.session.undo()

    held.let_go(desk)

    assert sorted(opened(desk)) == ["a.trace", "b.trace"]


def test_a_session_called_like_a_text_brings_its_sentence(
    desk: Desk, trace_files: list[Path], tmp_path: Path
) -> None:
    desk.ask_path(trace_files[0])
    desk.session.set_text("typed long ago")
    folder = tmp_path / "x.zip"
    save_session(folder, desk.session.saved, "saved", None)
    desk.session.undo()
    desk.ask_path(trace_files[1])
    desk.session.set_text("typed since")

    desk.window.paths_asked.emit([str(folder)])
    desk.read()

    assert opened(desk) == ["a.trace"]
    assert desk.session.text == "saved"


def test_another_process_learns_what_is_about_to_be_open_by_any_name(
    desk: Desk, trace_files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = tmp_path / "link.trace"
    link.symlink_to(trace_files[0])
    conductor = desk.program.conductor
    with monkeypatch.context() as patch:
        held = Held(open_files.Opened, "has", patch)
        desk.window.path_asked.emit(str(trace_files[0]))
        held.wait()
    assert conductor.has_open(str(link))
    assert not conductor.has_open(str(trace_files[1]))
    held.let_go(desk)
    assert conductor.has_open(str(link))


def test_whether_the_model_is_open_is_told_without_reading_what_it_brings(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert desk.session.model is not None
    monkeypatch.setattr(open_files, "model_at", None)
    assert desk.program.conductor.has_open(desk.session.model.path)


def test_what_is_read_has_a_name(desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    readings = desk.program.conductor.readings
    names = {".": tmp_path.name, "/": "/", str(tmp_path / "s.headscope" / "session.json"): "s.headscope"}
    for path, name in names.items():
        desk.window.path_asked.emit(path)
        assert readings.name == name
        desk.read()


def test_a_name_that_no_disk_takes_is_one_sentence(desk: Desk, tmp_path: Path) -> None:
    desk.ask_path(tmp_path / ("x" * 300))
    assert said(desk) not in ("", "internal")
    desk.window.paths_asked.emit([str(tmp_path / ("x" * 300)), os.devnull])
    desk.read()
    assert said(desk) == "opened_partly"
