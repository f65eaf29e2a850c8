from __future__ import annotations

import dataclasses
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from model.folder.training_log import read_entries
from model.training import evaluation as training_evaluation
from model.training import run as training_run
from model.training.control import Control
from model.training.progress import clock as training_clock
from model.training.progress.events import DoneEvent, EvalEvent, SavedEvent, StartEvent, StepEvent, WorkEvent
from model.training.train import stored_options, train
from model.training.trainer import Trainer
from tests.model.tiny_training import events, losses, options, state_metadata, told, write_pairs


def test_whole_epochs(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training_run, "LEAST_APART", 9)
    found = events(options(pairs, steps=0, epochs=4.0, batch_tokens=256), out)
    epochs = [event.epoch for event in found if isinstance(event, StepEvent)]
    ends = [step for step, epoch in enumerate(epochs, 1) if epoch == int(epoch)]
    assert epochs[-1] == 4.0
    assert len(ends) == 4
    # Measured at the end of an epoch, unless it was not long ago, and always at the end.
    wanted, last = [], 0
    for end in ends:
        if end - last >= 9 or end == ends[-1]:
            wanted.append(end)
            last = end
    assert [event.step for event in found if isinstance(event, EvalEvent)] == wanted
    assert 1 < len(wanted) < 4


class FakeTime:
    """Seconds that pass only when told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


def test_minutes_count_work_and_not_waiting(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, own = FakeTime(), Trainer.run_step
    monkeypatch.setattr(training_clock, "time", clock)

    def slow(trainer: Trainer) -> Any:
        clock.now += 30.0
        return own(trainer)

    monkeypatch.setattr(Trainer, "run_step", slow)
    steps: list[int] = []
    chosen = options(pairs, steps=0, minutes=3.0, eval_every=100)
    control = Control()
    for event in train(chosen, out, control=control):
        if isinstance(event, StepEvent):
            steps.append(event.step)
            if len(steps) == 4:
                control.stop.set()
        clock.now += 500.0  # somebody else's
    assert steps == [1, 2, 3, 4]
    assert json.loads(state_metadata(out)["progress"])["minutes"] == pytest.approx(2.0)
    second = events(stored_options(out), out, resume=True)
    assert list(losses(second)) == [5, 6]
    assert isinstance(second[-1], DoneEvent)
    assert second[-1].minutes == pytest.approx(3.0)


# patience


def scripted(monkeypatch: pytest.MonkeyPatch, losses: list[float], bleus: list[float]) -> None:
    """Evaluations that find these, once for the weights and worse for their average."""
    loss_script = iter([x for loss in losses for x in (loss, loss + 1)])
    bleu_script = iter(bleus)

    def fake_loss(*args: Any) -> Generator[None, None, float]:
        yield
        return next(loss_script)

    def fake_bleu(*args: Any) -> Generator[int, None, tuple[float, tuple[tuple[str, str], ...]]]:
        yield 0
        return next(bleu_script), ()

    monkeypatch.setattr(training_evaluation, "heldout_loss", fake_loss)
    monkeypatch.setattr(training_evaluation, "heldout_bleu", fake_bleu)


LOSSES = [5.0, 4.0, 4.5, 4.2, 3.9, 3.9, 4.1, 4.0, 4.0, 1.0]
BLEUS = [1.0, 2.0, 2.0, 3.0, 2.0, 2.5, 3.0, 9.0, 9.0, 9.0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stop_on", "bleu_sentences", "last"),
    # By hand, three in a row without a new best: of losses 3.9 at 5, then 3.9, 4.1, 4.0; of BLEU 3.0 at 4.
    [("loss", 4, 8), ("bleu", 4, 7), ("bleu", 0, 8)],
)
def test_patience(
    pairs: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    stop_on: str,
    bleu_sentences: int,
    last: int,
) -> None:
    chosen = options(
        pairs, steps=20, eval_every=2, patience=3, stop_on=stop_on, bleu_sentences=bleu_sentences
    )
    scripted(monkeypatch, LOSSES, BLEUS)
    found = events(chosen, tmp_path / "whole")
    done = found[-1]
    assert isinstance(done, DoneEvent)
    assert (done.step, done.reason) == (2 * last, "patience")
    assert [event.step for event in found if isinstance(event, EvalEvent)] == list(range(2, 2 * last + 1, 2))
    # Interrupted in the midst of waiting, it waits no longer and no less.
    out = tmp_path / "out"
    scripted(monkeypatch, LOSSES, BLEUS)
    for stop_at in (7, 13):
        resume = out.exists()
        events(stored_options(out) if resume else chosen, out, resume=resume, stop_at=stop_at)
    again = events(stored_options(out), out, resume=True)
    assert again[-1].step == 2 * last
    # Resumed as it is, it has nothing to do; with more patience it goes on.
    assert told(events(stored_options(out), out, resume=True)) == ["done"]
    scripted(monkeypatch, [9.0] * 9, [0.0] * 9)
    more = events(stored_options(out).resumed_with({"patience": 4}), out, resume=True)
    assert more[-1].step == 2 * last + 2


# what is told beforehand, and on the way


def test_start_event(pairs: Path, out: Path) -> None:
    with pairs.open("a", encoding="utf-8") as file:
        file.write("a " * 300 + "\tb\n")
    chosen = options(pairs, steps=0, epochs=2.0, probe_every=4, probe_megabytes=5)
    found = events(chosen, out)
    start = found[0]
    assert isinstance(start, StartEvent)
    assert not start.resumed
    assert start.train_pairs + start.dev_pairs == 60
    assert start.dev_pairs > 0
    assert start.left_out["long"] == 1
    tensors = load_file(out / "model.safetensors")
    assert start.parameters == sum(tensor.numel() for tensor in tensors.values())
    steps = [event for event in found if isinstance(event, StepEvent)]
    assert start.steps_per_epoch == sum(event.epoch <= 1 for event in steps)
    assert start.precision == "float32"
    assert start.device == ("cuda" if torch.cuda.is_available() else "cpu")
    assert 0 < start.probe_bytes <= 5_000_000
    again = events(stored_options(out), out, resume=True)[0]
    assert isinstance(again, StartEvent)
    assert again == dataclasses.replace(
        start, resumed=True, step=start.step + len(steps), epoch=2.0, steps_per_epoch=again.steps_per_epoch
    )
    json.dumps(start.to_json())


def test_dev_pairs_are_none_where_training_pairs_stand_in(tmp_path: Path, out: Path) -> None:
    path = write_pairs(tmp_path / "p.tsv", [("the house", "la maison"), ("the cat", "le chat")] * 4)
    start = events(options(path, steps=1), out)[0]
    assert isinstance(start, StartEvent)
    assert start.dev_pairs == 0
    assert read_entries(out)[0]["pairs"]["dev"] == 0


def test_minutes_left(pairs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a minute a step, two minutes an evaluation, somebody else's time left out."""
    clock, own = FakeTime(), Trainer.run_step
    monkeypatch.setattr(training_clock, "time", clock)

    def slow(trainer: Trainer) -> Any:
        clock.now += 30.0
        return own(trainer)

    def slow_loss(*args: Any) -> Generator[None, None, float]:
        clock.now += 60.0
        yield from ()
        return 3.0

    monkeypatch.setattr(Trainer, "run_step", slow)
    monkeypatch.setattr(training_evaluation, "heldout_loss", slow_loss)

    def left(out: str, **more: Any) -> list[float | None]:
        found = []
        for event in train(options(pairs, eval_every=4, bleu_sentences=0, **more), tmp_path / out):
            if isinstance(event, StepEvent):
                found.append(event.minutes_left)
            clock.now += 500.0
        return found

    assert left("steps", steps=9) == [4.0, 3.5, 3.0, 2.5, 2 + 4, 1.5 + 4, 1 + 4, 0.5 + 4, 2]
    assert left("minutes", steps=0, minutes=3.0) == [2.5, 2.0, 1.5, 1.0]
    assert left("both", steps=6, minutes=100.0) == [2.5, 2.0, 1.5, 1.0, 0.5 + 2, 2]
    assert left("epochs", steps=0, epochs=1.0, batch_tokens=768)[-1] == 0.0


def test_no_limit_that_is_known(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scripted(monkeypatch, [1.0] * 9, [])
    found = events(options(pairs, steps=0, eval_every=2, patience=1, bleu_sentences=0), out)
    assert found[-1].step == 4
    assert {event.minutes_left for event in found if isinstance(event, StepEvent)} == {None}


def test_saved_every_five_minutes(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    clock, own = FakeTime(), Trainer.run_step
    monkeypatch.setattr(training_clock, "time", clock)

    def slow(trainer: Trainer) -> Any:
        clock.now += 70.0
        return own(trainer)

    monkeypatch.setattr(Trainer, "run_step", slow)
    found = events(options(pairs, steps=14, eval_every=7), out)
    # 5 minutes are over in the fifth step, and in the fifth after the save at 7.
    assert [event.step for event in found if isinstance(event, SavedEvent)] == [5, 7, 12, 14]


def test_steps_that_are_not_reported_are_signs_of_life(pairs: Path, out: Path) -> None:
    found = list(train(options(pairs, steps=6, log_every=4), out))
    quiet = [event.step for event in found if isinstance(event, WorkEvent) and event.stage == "training"]
    assert quiet == [1, 2, 3, 5, 6]
    assert [event.step for event in found if isinstance(event, StepEvent)] == [4]
