"""What stands where the form points: a disk at hand, and one that takes long to answer or never does."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from model.training.progress.progress import TRAINING_STATE
from tests.marian_assets import spm
from viewer.document.messages.training_requests import ReadCorpus
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
    with qtbot.waitSignal(disk.answered):
        slow.gate.set()
    assert disk.at(far) == Standing(is_free=True)


def test_of_what_was_asked_for_meanwhile_the_last_counts(
    qtbot: QtBot, tmp_path: Path, slow: SlowDisk
) -> None:
    disk = FormDisk()
    typed = [Asked("out", str(tmp_path / "far" / name)) for name in ("m", "mo", "mod", "mode", "model")]
    for each in typed:
        disk.look([each])
    assert slow.asked == [typed[0].path]
    slow.gate.set()
    qtbot.waitUntil(lambda: disk.at(typed[-1]) is not None)
    assert slow.asked == [typed[0].path, typed[-1].path]


def test_an_answer_that_changes_nothing_is_not_told(qtbot: QtBot, tmp_path: Path, slow: SlowDisk) -> None:
    disk, said = FormDisk(), list[bool]()
    disk.answered.connect(lambda: said.append(True))
    asked = Asked("pairs", str(tmp_path / "far" / "pairs.tsv"))
    disk.look([asked])
    slow.gate.set()
    qtbot.waitUntil(lambda: said == [True])
    slow.gate.clear()
    disk.look([asked])
    assert disk.at(asked) == Standing()  # as before, until it answers
    slow.gate.set()
    qtbot.waitUntil(lambda: not disk._timer.isActive())
    assert said == [True]


def test_the_form_says_that_it_waits_and_goes_on_by_itself(
    qtbot: QtBot, tmp_path: Path, slow: SlowDisk
) -> None:
    training, asked = Training(), list[ReadCorpus]()
    training.serve({ReadCorpus: asked.append})
    host = QWidget()
    qtbot.addWidget(host)
    form = TrainForm(training, Appearance("light"), host)
    host.resize(600, 800)
    host.show()
    qtbot.waitExposed(host)
    path = tmp_path / "far" / "pairs.tsv"
    path.write_text("one\tun\n", encoding="utf-8")
    form.take_files([str(path)])

    assert form.row("pairs").problem.text() == "Waiting for the disk to answer."
    assert not form.foot.start.isEnabled()
    assert form.foot.reason.text() == "Files: Waiting for the disk to answer."
    slow.gate.set()
    qtbot.waitUntil(lambda: form.foot.start.isEnabled())
    assert not form.row("pairs").problem.isVisible()
    qtbot.waitUntil(lambda: len(asked) == 1)  # the data is read as soon as it is known to be there
    host.hide()
