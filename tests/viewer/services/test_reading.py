"""What a person sees and does while a file is read: the window goes on, and says so after a moment."""

from __future__ import annotations

import os
import shutil
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from tests.assets import SENTENCE
from tests.viewer.desk import Desk, opened
from tests.viewer.driving import PATIENCE_MS, start
from viewer.document.document import Run
from viewer.document.files.session_file import ModelRef, save_session
from viewer.document.run_source import RunSource
from viewer.opening import Found, read_place, recorded_run
from viewer.window.progress import SOON_MS


class Disk:
    """Holds every reading until it is let go."""

    def __init__(self) -> None:
        self.gate = threading.Event()
        self.read: list[str] = []

    def read_place(self, place: Path) -> Found:
        """As `viewer.opening.read_place`."""
        self.read.append(place.name)
        assert self.gate.wait(PATIENCE_MS / 1000)
        return read_place(place)


@pytest.fixture
def disk(monkeypatch: pytest.MonkeyPatch) -> Iterator[Disk]:
    disk = Disk()
    for room in ("open_files", "several"):
        monkeypatch.setattr(f"viewer.services.{room}.read_place", disk.read_place)
    yield disk
    disk.gate.set()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_after_a_moment_it_is_said_and_can_be_given_up(
    desk: Desk, disk: Disk, trace_files: list[Path], language: str
) -> None:
    if language == "zh":
        desk.window.toggle_language()
    before = desk.session.document
    desk.window.path_asked.emit(str(trace_files[0]))
    reading = desk.program.reading
    assert (reading.dialog, reading.soon.interval()) == (None, SOON_MS)
    desk.wait(lambda: reading.dialog is not None)
    dialog = reading.dialog
    assert dialog is not None
    assert dialog.isVisible()
    texts = {"en": ("Reading a.trace…", "Cancel"), "zh": ("正在读取 a.trace…", "取消")}
    (cancel,) = dialog.findChildren(QPushButton)
    assert (dialog.labelText(), cancel.text()) == texts[language]
    assert not dialog.isModal()

    cancel.click()

    desk.wait(lambda: desk.program.reading.dialog is None)
    disk.gate.set()
    desk.qtbot.wait(1)
    assert desk.session.document is before
    assert desk.session.notice is None
    if language == "zh":
        desk.window.toggle_language()
    # It was not opened: asked for again, it is.
    desk.ask_path(trace_files[0])
    assert opened(desk) == ["a.trace"]
    assert desk.program.reading.dialog is None


def test_the_window_goes_on_meanwhile_and_what_was_asked_for_last_is_in_view(
    desk: Desk, disk: Disk, trace_files: list[Path]
) -> None:
    runs = len(desk.session.document.runs)
    for path in (trace_files[0], trace_files[1], trace_files[0]):
        desk.window.path_asked.emit(str(path))
    assert desk.program.conductor.has_open(str(trace_files[0]))
    assert not desk.program.conductor.has_open(str(trace_files[2]))
    desk.translate(SENTENCE)
    assert len(desk.session.document.runs) == runs + 1
    desk.session.undo()
    assert len(desk.session.document.runs) == runs
    desk.page.sentence.box.setFocus()
    desk.session.set_text("typed meanwhile")
    disk.gate.set()
    desk.read()
    assert opened(desk) == ["a.trace", "b.trace"]
    assert disk.read == ["a.trace", "b.trace"]  # the third time it was open
    run = desk.session.run()
    assert run is not None
    assert str(run.provenance["path"]).endswith("a.trace")
    assert desk.session.text == "typed meanwhile"


def test_a_file_that_is_written_while_it_is_read_is_not_taken_for_the_one_that_is_open(
    desk: Desk, trace_files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    path, begun, gate = trace_files[0], threading.Event(), threading.Event()

    def held(place: Path, source: RunSource) -> Run:
        begun.set()
        assert gate.wait(PATIENCE_MS / 1000)
        return recorded_run(place, source)

    monkeypatch.setattr("viewer.opening.recorded_run", held)
    desk.window.path_asked.emit(str(path))
    assert begun.wait(PATIENCE_MS / 1000)
    os.utime(path, ns=(1, 1))
    gate.set()
    desk.read()
    first = desk.session.run()
    desk.ask_path(path)
    second = desk.session.run()
    assert second is not first
    desk.ask_path(path)
    assert desk.session.run() is second


def test_a_file_that_goes_while_it_is_waited_for_is_said(
    desk: Desk, disk: Disk, trace_files: list[Path]
) -> None:
    desk.window.path_asked.emit(str(trace_files[0]))
    trace_files[0].unlink()
    disk.gate.set()
    desk.read()
    assert desk.session.notice is not None
    assert desk.session.notice.sentence().startswith("There is no file ")
    assert opened(desk) == []


def test_what_is_dropped_together_is_read_together(desk: Desk, disk: Disk, trace_files: list[Path]) -> None:
    desk.window.paths_asked.emit([str(path) for path in trace_files])
    desk.wait(lambda: desk.program.reading.dialog is not None)
    dialog = desk.program.reading.dialog
    assert dialog is not None
    assert dialog.labelText() == "Reading a.trace, b.trace, c.trace…"
    desk.window.path_asked.emit(str(trace_files[0]))
    disk.gate.set()
    desk.read()
    assert opened(desk) == ["a.trace", "b.trace", "c.trace"]
    assert disk.read == ["a.trace", "b.trace", "c.trace"]
    desk.session.undo()
    assert opened(desk) == []


def test_what_is_read_at_once_makes_no_widgets(desk: Desk, disk: Disk, trace_files: list[Path]) -> None:
    disk.gate.set()
    for path in trace_files:
        desk.ask_path(path)
        reading = desk.program.reading
        assert (reading.dialog, reading.soon.isActive()) == (None, False)
    assert opened(desk) == ["a.trace", "b.trace", "c.trace"]


def test_the_model_that_a_window_begins_with_waits_for_a_session_with_its_own(
    qtbot: QtBot, tmp_path: Path, disk: Disk, tiny_bundle: Path, trace_files: list[Path]
) -> None:
    driver = start(qtbot, tmp_path)
    driver.session.set_text("")
    folder = tmp_path / "s.headscope"
    save_session(folder, driver.session.document, "", ModelRef(str(tiny_bundle), "tiny", ""))
    other = tmp_path / "other"
    other.symlink_to(tiny_bundle, target_is_directory=True)
    driver.program.conductor.start(other, str(folder))
    assert driver.session.loading is None
    disk.gate.set()
    driver.read()
    driver.wait(lambda: driver.session.model is not None)
    assert driver.session.model is not None
    assert driver.session.model.path == str(tiny_bundle)
    driver.window.close()


def test_a_window_is_closed_while_a_file_is_read(
    qtbot: QtBot, tmp_path: Path, disk: Disk, trace_files: list[Path]
) -> None:
    driver = start(qtbot, tmp_path)
    for path in trace_files:
        driver.window.path_asked.emit(str(path))
    readings = driver.program.conductor.readings
    readings.changed.connect(disk.gate.set)  # the last moment: it is being dropped
    driver.window.close()
    assert not [thread for thread in threading.enumerate() if thread.name == "read-file"]
    assert driver.session.document.runs == ()
    assert not readings.busy


class Watch:
    """Notes what the window's thread asks the disk about a folder."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder = str(folder)
        self.seen: list[str] = []
        for name in ("stat", "lstat", "scandir", "listdir", "readlink", "access", "open"):
            monkeypatch.setattr(os, name, self._noting(getattr(os, name)))
        noting = self._noting(open)
        monkeypatch.setattr("builtins.open", noting)
        monkeypatch.setattr("io.open", noting)

    def _noting(self, ask: Callable[..., Any]) -> Callable[..., Any]:
        def noting(path: object, *values: object, **named: object) -> Any:
            if threading.current_thread() is threading.main_thread() and str(path).startswith(self._folder):
                stack = "".join(traceback.format_stack(limit=8)[:-1])
                self.seen.append(f"{ask.__name__} of {path}\n{stack}")
            return ask(path, *values, **named)

        return noting


def test_a_disk_far_away_is_asked_beside_the_window(
    desk: Desk, tiny_bundle: Path, trace_files: list[Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far = tmp_path / "far"
    shutil.copytree(tiny_bundle, far / "model")
    one, other = (Path(shutil.copy(path, far)) for path in trace_files[:2])
    session = far / "s.headscope"
    saving = desk.window.saving
    watch = Watch(far, monkeypatch)

    desk.ask_path(far / "model")
    desk.wait(lambda: desk.session.loading is None)
    assert desk.session.model is not None
    assert desk.session.model.path == str(far / "model")
    desk.ask_path(far / "model")
    assert desk.session.notice is not None
    assert desk.session.notice.code == "already_open"
    desk.ask_path(one)
    desk.ask_path(one)
    assert opened(desk) == [one.name]
    desk.window.paths_asked.emit([str(one), str(other)])
    desk.read()
    assert opened(desk) == [one.name, other.name]
    for _ in range(2):  # the second time over the first
        saving.save(session)
        desk.wait(lambda: not saving.jobs)
    desk.window.menus.model.aboutToShow.emit()
    assert str(far / "model") in [action.data() for action in desk.window.menus.model.actions()]

    assert watch.seen == []
    assert (far / "s.headscope").is_dir()
    assert len(watch.seen) > 0  # it does note
