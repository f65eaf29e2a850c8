"""A full disk, a folder that is gone: the run waits, nothing is damaged, and it goes on once mended."""

from __future__ import annotations

import errno
import os
import shutil
import subprocess
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import Any

import pytest

from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.folder.training_log import read_entries
from model.trace.trace_file import open_trace
from model.train_options import TrainOptions
from model.training import evaluation as training_evaluation
from model.training.control import Control
from model.training.progress.events import (
    ContinuedEvent,
    DoneEvent,
    EvalEvent,
    PausedEvent,
    SnapshotEvent,
    StepEvent,
    TrainEvent,
)
from model.training.state import load_training_state
from model.training.train import stored_options, train
from tests.model.tiny_training import events, losses, options


def check(out: Path) -> None:
    """Every file in the folder can be read."""
    load_bundle(out)
    load_training_state(out)
    assert read_entries(out)[0]["event"] == "start"
    for path in out.rglob("*.trace"):
        open_trace(path)
    for path in (out / "snapshots").glob("step-*"):
        load_bundle(path)


def names_in(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def busy(pairs: Path, **more: Any) -> TrainOptions:
    """A short run that writes all there is to write."""
    return options(pairs, **{"steps": 6, "eval_every": 3, "save_every": 2, "probe_every": 2, **more})


def with_snapshots(chosen: TrainOptions, out: Path) -> Iterator[TrainEvent]:
    control = Control()
    for event in train(chosen, out, control=control):
        if isinstance(event, StepEvent) and event.step == 5:
            control.snapshot.set()
        yield event


class Faults:
    """While armed, lets the named function of `os` fail, a number of times in a row."""

    def __init__(self, patch: pytest.MonkeyPatch, name: str, code: int, times: int = 2) -> None:
        self.times, self.left = times, 0
        real: Callable[..., Any] = getattr(os, name)

        def failing(*args: Any, **kwargs: Any) -> Any:
            if self.left:
                self.left -= 1
                raise OSError(code, os.strerror(code))
            return real(*args, **kwargs)

        patch.setattr(os, name, failing)

    def arm(self) -> None:
        self.left = self.times


@pytest.mark.parametrize(
    ("name", "code", "wanted"),
    [
        ("write", errno.ENOSPC, "disk_full"),
        ("fsync", errno.EIO, "file_failed"),
        ("replace", errno.EROFS, "file_read_only"),
        ("open", errno.EACCES, "file_denied"),
    ],
)
def test_every_write_fails_and_is_made_up_for(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, code: int, wanted: str
) -> None:
    """State, weights, log, probe, snapshot, example, card: each refuses twice before it is written."""
    whole = list(with_snapshots(busy(pairs), tmp_path / "whole"))
    out = tmp_path / "out"
    faults = Faults(monkeypatch, name, code)
    found: list[TrainEvent] = []
    for event in with_snapshots(busy(pairs), out):
        found.append(event)
        if isinstance(event, PausedEvent):
            left, faults.left = faults.left, 0
            check(out)
            assert event.error.code == wanted
            faults.left = left
        elif out.exists():
            faults.arm()  # whatever is written next fails
    assert losses(found) == losses(whole)
    assert isinstance(found[-1], DoneEvent)
    paused = [event for event in found if isinstance(event, PausedEvent)]
    continued = [event for event in found if isinstance(event, ContinuedEvent)]
    # 3 probes, 2 evaluations (weights and log), saves at 2, 3, 4, 6 and the end, snapshot, example, log, card
    assert len(continued) >= 14
    assert len(paused) >= len(continued)
    faults.left = 0
    check(out)
    weights = "model.safetensors"
    assert (out / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()
    files = names_in(out)
    if name == "open":  # a folder that cannot be opened cannot be tidied up either
        files = [file for file in files if ".tmp" not in file]
    assert files == names_in(tmp_path / "whole")
    assert [entry["event"] for entry in read_entries(out)] == [
        entry["event"] for entry in read_entries(tmp_path / "whole")
    ]


def full(*args: Any) -> int:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def paused_run(
    pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch, control: Control
) -> tuple[Any, dict[str, bytes]]:
    """A run that waits for a full disk, and what was there before."""
    run = train(options(pairs, steps=8, save_every=3, eval_every=8), out, control=control)
    for event in run:
        if isinstance(event, StepEvent) and event.step == 5:
            break
    before = {path.name: path.read_bytes() for path in out.iterdir()}
    monkeypatch.setattr(os, "write", full)
    for event in run:
        if isinstance(event, PausedEvent):
            assert event.step == 6
            assert event.to_json()["code"] == "disk_full"
            assert "free some space" in event.to_json()["error"]
            break
    return run, before


def test_told_to_stop_on_a_full_disk(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    control = Control()
    run, before = paused_run(pairs, out, monkeypatch, control)
    assert [type(next(run)) for _ in range(3)] == [PausedEvent] * 3
    control.stop.set()
    with pytest.raises(HeadscopeError) as error:
        next(run)
    assert error.value.code == "disk_full"
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert list(losses(events(stored_options(out), out, resume=True))) == [4, 5, 6, 7, 8]


def test_left_on_a_full_disk(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    run, before = paused_run(pairs, out, monkeypatch, Control())
    run.close()
    monkeypatch.undo()
    assert {path.name: path.read_bytes() for path in out.iterdir()} == before
    assert list(losses(events(stored_options(out), out, resume=True))) == [4, 5, 6, 7, 8]


def test_told_to_stop_once_there_is_room(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    control = Control()
    run, _ = paused_run(pairs, out, monkeypatch, control)
    monkeypatch.undo()
    control.stop.set()
    assert [event.name for event in run] == ["continued", "saved", "saved"]
    assert list(losses(events(stored_options(out), out, resume=True))) == [7, 8]


# a folder that is gone


def worse_and_worse(monkeypatch: pytest.MonkeyPatch) -> None:
    """Evaluations of which the first is the best."""
    script = iter(range(100))

    def fake(*args: Any) -> Generator[None, None, float]:
        yield
        return 1.0 + next(script)

    monkeypatch.setattr(training_evaluation, "heldout_loss", fake)


def test_a_removed_folder_is_written_anew_once_there_is_one(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the best weights, which are long gone from the trainer, and the whole log."""
    worse_and_worse(monkeypatch)
    chosen = busy(pairs, steps=12, bleu_sentences=0, half=False)
    whole = events(chosen, tmp_path / "whole")
    worse_and_worse(monkeypatch)
    out, found = tmp_path / "out", []
    for event in train(chosen, out):
        found.append(event)
        if isinstance(event, StepEvent) and event.step == 7:
            shutil.rmtree(out)
        if isinstance(event, PausedEvent):
            assert not out.exists()
            if sum(isinstance(other, PausedEvent) for other in found) == 3:
                out.mkdir()
        if isinstance(event, ContinuedEvent):
            check(out)
            shutil.copytree(out, tmp_path / "killed")
    names = [event.name for event in found if event.name != "work"]
    assert (names.count("paused"), names.count("continued")) == (3, 1)
    first = next(event for event in found if isinstance(event, PausedEvent))
    assert first.error.code == "training_folder_gone"
    assert losses(found) == losses(whole)
    evals = [event.best for event in found if isinstance(event, EvalEvent)]
    assert evals == [True, False, False, False]
    for folder in (out, tmp_path / "killed"):
        weights = "model.safetensors"
        assert (folder / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()
    assert [entry["event"] for entry in read_entries(out)] == [
        entry["event"] for entry in read_entries(tmp_path / "whole")
    ]
    # Killed right after, it goes on from there.
    monkeypatch.undo()
    again = events(stored_options(tmp_path / "killed"), tmp_path / "killed", resume=True)
    assert losses(again) == {step: loss for step, loss in losses(whole).items() if step > 8}


def test_a_folder_that_comes_back(pairs: Path, tmp_path: Path) -> None:
    """A disk is unplugged for a while: the folder's parent is gone, then there again."""
    whole = events(busy(pairs), tmp_path / "whole")
    disk = tmp_path / "disk"
    disk.mkdir()
    found, waited = [], 0
    for event in train(busy(pairs), disk / "out"):
        found.append(event)
        if isinstance(event, StepEvent) and event.step == 3:
            disk.rename(tmp_path / "unplugged")
        if isinstance(event, PausedEvent):
            assert event.error.code == "training_folder_gone"
            waited += 1
            if waited == 3:
                (tmp_path / "unplugged").rename(disk)
    assert waited == 3
    assert losses(found) == losses(whole)
    assert isinstance(found[-1], DoneEvent)
    check(disk / "out")
    assert len(list((disk / "out" / "probe").iterdir())) == 4


@pytest.mark.parametrize("closed", [False, True])
def test_a_run_that_ends_while_its_folder_is_gone_makes_it_anew(
    pairs: Path, tmp_path: Path, *, closed: bool
) -> None:
    whole, out, control = losses(events(busy(pairs), tmp_path / "whole")), tmp_path / "out", Control()
    run = train(busy(pairs), out, control=control)
    last = 0
    for event in run:
        if isinstance(event, StepEvent):
            last = event.step
            if event.step == 3:
                out.rename(tmp_path / "moved")
        if isinstance(event, PausedEvent):
            assert not out.exists()
            if closed:
                break
            control.stop.set()
    run.close()  # type: ignore[attr-defined]
    check(out)
    again = losses(events(stored_options(out), out, resume=True))
    assert again == {step: loss for step, loss in whole.items() if step > last}


def test_a_folder_exchanged_for_an_older_copy(
    pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The best weights and the log are put back, not left as the copy had them."""
    chosen = busy(pairs, bleu_sentences=0)
    whole = events(chosen, tmp_path / "whole")
    worse_and_worse(monkeypatch)
    out, found = tmp_path / "out", []
    for event in train(chosen, out):
        found.append(event)
        if isinstance(event, StepEvent) and event.step == 1:
            shutil.copytree(out, tmp_path / "older")
        if isinstance(event, StepEvent) and event.step == 5:
            out.rename(tmp_path / "newer")
            (tmp_path / "older").rename(out)
        if isinstance(event, ContinuedEvent):
            best = (tmp_path / "newer" / "model.safetensors").read_bytes()
            assert (out / "model.safetensors").read_bytes() == best
            assert "eval" in [entry["event"] for entry in read_entries(out)]
    assert [event.name for event in found].count("continued") == 1
    assert losses(found) == losses(whole)
    check(out)


def test_single_files_that_are_gone(pairs: Path, out: Path) -> None:
    """Noticed when they are needed, at the end: the example is decoded from the folder."""
    found = []
    for event in train(options(pairs, steps=4, eval_every=2), out):
        found.append(event)
        if isinstance(event, StepEvent) and event.step == 3:
            (out / "config.json").unlink()
            (out / "source.spm").unlink()
    assert isinstance(found[-1], DoneEvent)
    assert [event.name for event in found].count("continued") >= 1
    check(out)
    assert load_bundle(out).config.showcase is not None


def test_lost_weights_do_not_stop_a_resume(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=4, eval_every=2), out, stop_at=3)
    (out / "model.safetensors").write_bytes(b"")
    second = events(stored_options(out), out, resume=True)
    assert [event.best for event in second if isinstance(event, EvalEvent)] == [True]
    check(out)


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(folder)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("needs to mount a file system of its own")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_disk_that_is_really_full(pairs: Path, tmp_path: Path, small_disk: Path) -> None:
    whole = events(busy(pairs), tmp_path / "whole")
    out, ballast = small_disk / "out", small_disk / "ballast"
    found, paused = [], 0
    for event in train(busy(pairs), out):
        found.append(event)
        if isinstance(event, StepEvent) and event.step in (1, 3):
            free = os.statvfs(small_disk)
            ballast.write_bytes(bytes(free.f_bavail * free.f_frsize))
        if isinstance(event, PausedEvent):
            assert event.error.code == "disk_full"
            check(out)
            paused += 1
            if paused % 3 == 0:
                ballast.unlink()
    assert paused == 6
    assert losses(found) == losses(whole)
    assert not any(isinstance(event, SnapshotEvent) for event in found)
    check(out)
