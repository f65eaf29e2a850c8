"""What is asked of a run while it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from model.bundle.bundle import load_bundle
from model.training.control import Control
from model.training.progress.events import (
    DoneEvent,
    EvalEvent,
    SavedEvent,
    SnapshotEvent,
    StepEvent,
    TrainEvent,
)
from model.training.train import stored_options, train
from model.translator.translator import Translator
from tests.assets import SENTENCE
from tests.model.tiny_training import events, losses, options


def until_step(run: Iterator[TrainEvent], step: int) -> None:
    """Advance a run until it waits at its report of `step`."""
    for event in run:
        if isinstance(event, StepEvent) and event.step == step:
            return


def state(out: Path) -> dict[str, torch.Tensor]:
    return load_file(out / "training_state.safetensors")


COMMANDS: dict[str, Callable[[Control], None]] = {
    "save": lambda control: control.save.set(),
    "snapshot": lambda control: control.snapshot.set(),
    "stop": lambda control: control.stop.set(),
}


@pytest.mark.parametrize("command", COMMANDS)
def test_a_paused_run_answers_before_it_makes_a_step(pairs: Path, out: Path, command: str) -> None:
    control = Control()
    run = train(options(pairs, steps=9, eval_every=9), out, control=control)
    until_step(run, 4)
    COMMANDS[command](control)
    event = next(run)
    assert event.step == 4
    assert isinstance(event, SnapshotEvent if command == "snapshot" else SavedEvent)
    rest = list(run)
    if command == "stop":
        assert rest == []
    else:
        assert list(losses(rest)) == [5, 6, 7, 8, 9]
        assert isinstance(rest[-1], DoneEvent)
        # Answered once.
        assert not any(isinstance(event, SnapshotEvent) for event in rest)
        assert [event.step for event in rest if isinstance(event, SavedEvent)] == [9]


def test_the_same_steps_whatever_was_asked(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=9, eval_every=4)
    whole = events(plain, tmp_path / "whole")
    control, found = Control(), []
    for event in train(plain, tmp_path / "asked", control=control):
        found.append(event)
        if isinstance(event, StepEvent) and event.step % 2:
            control.save.set()
            control.snapshot.set()
    assert losses(found) == losses(whole)
    assert [event.step for event in found if isinstance(event, SnapshotEvent)] == [1, 3, 5, 7, 9]
    assert {1, 3, 5, 7, 9} <= {event.step for event in found if isinstance(event, SavedEvent)}
    weights = "model.safetensors"
    assert (tmp_path / "asked" / weights).read_bytes() == (tmp_path / "whole" / weights).read_bytes()


def test_a_snapshot_is_a_complete_bundle_of_the_moment(pairs: Path, out: Path) -> None:
    control = Control()
    run = train(options(pairs, steps=8, eval_every=3, half=False), out, control=control)
    until_step(run, 5)
    control.snapshot.set()
    control.save.set()
    event = next(run)
    assert isinstance(event, SnapshotEvent)
    folder = Path(event.path)
    assert folder == out / "snapshots" / "step-5"
    assert sorted(path.name for path in folder.iterdir()) == [
        "README.md", "README.zh.md", "config.json", "model.safetensors", "source.spm", "target.spm",
    ]  # fmt: skip
    assert isinstance(next(run), SavedEvent)
    kept, moment, best = (
        load_file(folder / "model.safetensors"),
        state(out),
        load_file(out / "model.safetensors"),
    )
    for name, tensor in kept.items():
        assert torch.equal(tensor, moment[f"weights.{name}"])
    assert any(not torch.equal(kept[name], best[name]) for name in kept)
    bundle = load_bundle(folder)
    assert bundle.config.name == "tiny, step 5"
    assert "Not measured" in (folder / "README.md").read_text("utf-8")
    translator = Translator.load(folder)
    assert list(translator.decode(SENTENCE))[-1].done
    # Asked for again at the same step (of a run that was killed meanwhile), it is written anew.
    run.close()  # type: ignore[attr-defined]
    control = Control()
    control.snapshot.set()
    again = train(stored_options(out), out, resume=True, control=control)
    assert next(event for event in again if isinstance(event, SnapshotEvent)).path == str(folder)
    assert load_bundle(folder).sha256 == bundle.sha256


def test_stop_after_evaluation(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=9, eval_every=4)
    whole = events(plain, tmp_path / "whole")
    out, control = tmp_path / "out", Control()
    run = train(plain, out, control=control)
    until_step(run, 5)
    control.stop_after_evaluation.set()
    rest = [event for event in run if event.name != "work"]
    assert [event.name for event in rest] == ["eval", "probe", "saved", "done"]
    assert {event.step for event in rest} == {5}
    done = rest[-1]
    assert isinstance(done, DoneEvent)
    assert done.reason == "asked"
    assert (out / "example.trace").exists()
    second = events(stored_options(out), out, resume=True)
    assert losses(second) == {step: loss for step, loss in losses(whole).items() if step > 5}
    last = second[-1]
    assert isinstance(last, DoneEvent)
    assert last.reason == "steps"


def test_stop_after_an_evaluation_that_was_just_made(pairs: Path, out: Path) -> None:
    control = Control()
    found = []
    for event in train(options(pairs, steps=9, eval_every=4), out, control=control):
        found.append(event)
        if isinstance(event, EvalEvent):
            control.stop_after_evaluation.set()
    assert [event.step for event in found if isinstance(event, EvalEvent)] == [4]
    assert isinstance(found[-1], DoneEvent)
    assert found[-1].step == 4


def test_cancelled_while_preparing(pairs: Path, out: Path) -> None:
    """At any event before the first write: nothing is left, and the folder is free."""
    count = 1
    while True:
        run = train(options(pairs, steps=2), out)
        seen = [event for _, event in zip(range(count), run)]
        run.close()  # type: ignore[attr-defined]
        if seen[-1].name == "start":
            break
        assert not out.exists()
        assert [path.name for path in out.parent.iterdir()] == ["pairs.tsv"]
        count += 1
    assert count > 3
    assert events(stored_options(out), out, resume=True)[-1].step == 2


def test_control_knows_the_trainer_while_it_trains(pairs: Path, out: Path) -> None:
    control = Control()
    run = train(options(pairs, steps=2), out, control=control)
    seen = [(event.name, control.trainer is not None) for event in run]
    begun = [name for name, _ in seen].index("start")
    assert not any(known for _, known in seen[:begun])
    assert all(known for _, known in seen[begun:])
    assert control.trainer is None
