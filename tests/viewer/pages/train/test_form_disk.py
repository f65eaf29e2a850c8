"""What stands where the form points: a disk at hand, and one that takes long to answer or never does."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from model.train_options import TrainOptions
from model.training.progress.progress import TRAINING_STATE
from tests.marian_assets import spm
from viewer.document.messages.training_requests import ReadCorpus, StartRun, TimeSteps
from viewer.document.training.training import Training
from viewer.pages.train.form import form_disk
from viewer.pages.train.form.form_disk import Asked, FormDisk, Standing, seen
from viewer.pages.train.form.train_form import TrainForm
from viewer.pages.widgets.appearance import Appearance


class SlowDisk:
    """Answers for the paths below a folder when it may."""

    def __init__(self, folder: Path) -> None:
        self.gate = threading.Event()
        self.asked: list[str] = []
        self._folder = str(folder)

    def __call__(self, asked: Asked) -> Standing:
        if asked.path.startswith(self._folder):
            self.asked.append(asked.path)
            assert self.gate.wait(20)
        return seen(asked)


def answered(disk: FormDisk) -> None:
    """Wait for the disk while no event is handled: nobody hears of it yet."""
    until = time.monotonic() + 20
    while disk.busy:
        assert time.monotonic() < until
        time.sleep(0.002)


@pytest.fixture
def slow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SlowDisk]:
    far = tmp_path / "far"
    far.mkdir()
    disk = SlowDisk(far)
    monkeypatch.setattr(form_disk, "seen", disk)
    monkeypatch.setattr(FormDisk, "patience", 0.01)
    yield disk
    disk.gate.set()
    for thread in threading.enumerate():
        if thread.name == "looking":
            thread.join(20)


def test_what_stands_there(tmp_path: Path) -> None:
    pairs, pieces = tmp_path / "pairs.tsv", tmp_path / "source.spm"
    pairs.write_text("one\ttwo\n", encoding="utf-8")
    pieces.write_bytes(spm(0))
    run = tmp_path / "run"
    run.mkdir()
    (run / TRAINING_STATE).touch()

    def at(role: str, path: Path) -> Standing:
        return seen(Asked(role, str(path)))  # type: ignore[arg-type]

    changed = os.stat(pairs).st_mtime_ns
    assert at("pairs", pairs) == Standing(is_file=True, stamp=(changed, 8), is_taken=True)
    assert at("pairs", tmp_path) == Standing(is_taken=True)
    assert at("pairs", tmp_path / "none") == at("pairs", Path("no\0name")) == Standing()
    assert at("pieces", pieces).pieces > 0
    assert at("pieces", pairs).pieces == 0 < at("pieces", pairs).stamp[1]
    assert at("out", run) == Standing(is_taken=True, has_run=True)
    assert at("out", pairs) == Standing(is_taken=True)
    assert at("out", tmp_path / "new" / "newer") == Standing(is_free=True)
    assert at("out", pairs / "below") == Standing()


def test_a_disk_at_hand_is_waited_for(qtbot: QtBot, tmp_path: Path) -> None:
    disk, said = FormDisk(), list[bool]()
    disk.answered.connect(lambda: said.append(True))
    asked = Asked("pairs", str(tmp_path / "pairs.tsv"))
    disk.look([asked])
    assert disk.at(asked) == Standing()
    (tmp_path / "pairs.tsv").write_text("one\ttwo\n", encoding="utf-8")
    assert disk.at(asked) == Standing()  # what it was when it was looked at
    disk.look([asked, asked])
    assert disk.stamp(asked.path)[1] == 8
    qtbot.wait(50)
    assert said == []  # whoever looked has seen it


def test_a_slow_one_is_not_and_keeps_no_other_waiting(qtbot: QtBot, tmp_path: Path, slow: SlowDisk) -> None:
    disk = FormDisk()
    far, near = Asked("out", str(tmp_path / "far" / "model")), Asked("out", str(tmp_path / "model"))
    disk.look([far, near])
    qtbot.waitUntil(lambda: disk.at(near) == Standing(is_free=True))
    assert disk.at(far) is None
    assert disk.busy
    slow.gate.set()
    qtbot.waitUntil(lambda: disk.at(far) == Standing(is_free=True))
    qtbot.waitUntil(lambda: not disk._timer.isActive())


def test_an_answer_that_comes_late_is_told_until_it_is_said(
    qtbot: QtBot, tmp_path: Path, slow: SlowDisk
) -> None:
    disk, told = FormDisk(), list[bool]()
    disk.answered.connect(lambda: told.append(disk.is_new))
    asked = Asked("out", str(tmp_path / "far" / "model"))
    disk.look([asked])
    slow.gate.set()
    answered(disk)
    disk.look([asked])  # by somebody who says nothing
    qtbot.waitUntil(lambda: bool(told))
    assert told[0]
    disk.said()
    assert not disk.is_new


def test_what_is_asked_for_no_more_is_not_looked_at(qtbot: QtBot, tmp_path: Path, slow: SlowDisk) -> None:
    disk = FormDisk()
    far = [Asked("out", str(tmp_path / "far" / name)) for name in ("m", "mo", "mod", "mode", "model")]
    disk.look(far)
    disk.look(far[-1:])
    slow.gate.set()
    qtbot.waitUntil(lambda: disk.at(far[-1]) is not None)
    qtbot.waitUntil(lambda: not disk.busy)
    assert slow.asked[-1] == far[-1].path
    assert far[2].path not in slow.asked


def test_what_changes_while_it_is_looked_at_is_looked_at_again(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, found = tmp_path / "pairs.tsv", threading.Event()
    gate = threading.Event()

    def late(asked: Asked) -> Standing:
        standing = seen(asked)
        found.set()
        assert gate.wait(20)
        return standing

    monkeypatch.setattr(form_disk, "seen", late)
    monkeypatch.setattr(FormDisk, "patience", 0.01)
    disk = FormDisk()
    disk.look([Asked("pairs", str(path))])
    assert found.wait(20)
    path.write_text("one\ttwo\n", encoding="utf-8")
    disk.look([Asked("pairs", str(path))])
    gate.set()
    qtbot.waitUntil(lambda: not disk.busy)
    assert disk.stamp(str(path))[1] == 8


def test_what_cannot_be_looked_at_at_all_is_not_there(
    qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(asked: Asked) -> Standing:
        raise MemoryError

    disk, asked = FormDisk(), Asked("pairs", str(tmp_path / "pairs.tsv"))
    with monkeypatch.context() as patched:
        patched.setattr(form_disk, "seen", fail)
        disk.look([asked])
    assert disk.at(asked) == Standing()
    assert "cannot be looked at" in caplog.text
    Path(asked.path).touch()
    disk.look([asked])
    assert disk.at(asked) == seen(asked) != Standing()


class Bench:
    """A form on a slow disk, what it asks for, and a file of pairs on that disk."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.training = Training()
        self.read: list[ReadCorpus] = []
        self.started: list[StartRun] = []
        self.training.serve({ReadCorpus: self.read.append, StartRun: self.started.append, TimeSteps: id})
        self.host = QWidget()
        qtbot.addWidget(self.host)
        self.form = TrainForm(self.training, Appearance("light"), self.host)
        self.host.resize(600, 800)
        self.host.show()
        qtbot.waitExposed(self.host)
        self.path = folder / "far" / "pairs.tsv"
        self.path.write_text("one\tun\n", encoding="utf-8")

    def problem(self, name: str = "pairs") -> str:
        return self.form.row(name).problem.text()


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path, slow: SlowDisk, monkeypatch: pytest.MonkeyPatch) -> Bench:
    for name in ("HOME", "USERPROFILE"):
        monkeypatch.setenv(name, str(tmp_path))
    return Bench(qtbot, tmp_path)


WAITING = "Waiting for the disk to answer."


def test_the_form_says_that_it_waits_and_goes_on_by_itself(
    qtbot: QtBot, bench: Bench, slow: SlowDisk
) -> None:
    bench.form.take_files([str(bench.path)])
    assert bench.problem() == WAITING
    assert not bench.form.foot.start.isEnabled()
    assert bench.form.foot.reason.text() == f"Files: {WAITING}"
    slow.gate.set()
    qtbot.waitUntil(lambda: bench.form.foot.start.isEnabled())
    assert not bench.form.row("pairs").problem.isVisible()
    qtbot.waitUntil(lambda: len(bench.read) == 1)  # the data is read as soon as it is known to be there


def test_an_answer_between_two_looks_is_said(bench: Bench, slow: SlowDisk) -> None:
    bench.path.unlink()
    bench.form.take_files([str(bench.path)])
    assert bench.problem() == WAITING
    slow.gate.set()
    answered(bench.form._disk)
    bench.form.ask_survey()
    assert bench.problem() == f"There is no file {bench.path}; choose another."


@pytest.mark.parametrize("there", [True, False])
def test_the_last_run_is_shown_once_its_files_are_known_to_be_there(
    qtbot: QtBot, bench: Bench, slow: SlowDisk, there: bool
) -> None:
    options = TrainOptions(name="before", pairs=(str(bench.path),))
    qtbot.waitUntil(lambda: bench.form.foot.start.isEnabled())
    if not there:
        bench.path.unlink()
    bench.form.restore(options)
    assert bench.form.data.source() == "task"
    assert bench.form.foot.start.isEnabled()
    slow.gate.set()
    if there:
        qtbot.waitUntil(lambda: bench.form.values()["pairs"] == options.pairs)
    else:
        disks = bench.form.findChildren(FormDisk)
        qtbot.waitUntil(lambda: len(bench.form.findChildren(FormDisk)) < len(disks))
        assert bench.form.data.source() == "task"
        assert bench.problem("task") == ""


def test_what_was_filled_in_meanwhile_is_kept(qtbot: QtBot, bench: Bench, slow: SlowDisk) -> None:
    bench.form.restore(TrainOptions(name="before", pairs=(str(bench.path),)))
    bench.form.row("name").set_value("mine")
    disks = bench.form.findChildren(FormDisk)
    slow.gate.set()
    qtbot.waitUntil(lambda: len(bench.form.findChildren(FormDisk)) < len(disks))
    assert bench.form.data.source() == "task"


@pytest.mark.parametrize("taken", [True, False])
def test_start_waits_for_what_the_disk_says_of_the_folder(
    qtbot: QtBot, bench: Bench, slow: SlowDisk, tmp_path: Path, taken: bool
) -> None:
    folder = tmp_path / "far" / "model"
    slow.gate.set()
    bench.form.result.out.set_value(str(folder))
    bench.form.check()
    qtbot.waitUntil(lambda: bench.form.foot.start.isEnabled() and not bench.form._disk.busy)
    if taken:
        folder.mkdir()
    slow.gate.clear()
    bench.form.foot.start.click()
    assert bench.form.foot.reason.text() == WAITING
    assert bench.started == []
    slow.gate.set()
    if taken:
        qtbot.waitUntil(lambda: "already taken" in bench.form.result.out.problem.text())
        assert bench.started == []
    else:
        qtbot.waitUntil(lambda: [order.out for order in bench.started] == [str(folder)])


def test_a_file_without_a_name_is_not_there(bench: Bench) -> None:
    assert not seen(Asked("pairs", "")).is_file
    bench.form.set_options(TrainOptions(name="empty", pairs=("",)))
    assert "There is no file" in bench.form.problems()["pairs"]
