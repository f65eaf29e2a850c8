from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from model.errors import HeadscopeError
from model.folder.training_log import read_entries
from model.training.control import Control
from model.training.progress.events import DoneEvent, EvalEvent, SavedEvent, StepEvent, WorkEvent
from model.training.train import stored_options, train
from tests.model.tiny_training import events, losses, options, refused, rewritten, state_metadata, told


def test_a_stopped_run_goes_on_as_if_it_had_not(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=24, eval_every=8)
    whole = events(plain, tmp_path / "whole")
    out = tmp_path / "out"
    first = events(plain, out, stop_at=11)
    assert isinstance(first[-1], SavedEvent)
    assert not any(isinstance(event, DoneEvent) for event in first)
    stopped_at = first[-1].step
    assert 0 < stopped_at < 24
    second = events(stored_options(out), out, resume=True)
    assert losses(first) | losses(second) == losses(whole)
    assert min(losses(second)) == stopped_at + 1
    for name in ("model.safetensors", "training_state.safetensors"):
        kept, wanted = load_file(out / name), load_file(tmp_path / "whole" / name)
        if "history.steps" in wanted:  # all but its last column, which is a speed
            assert [*map(int, kept["history.steps"][:, 0])] == list(range(1, 25))
            kept["history.steps"], wanted["history.steps"] = (
                x["history.steps"][:, :4] for x in (kept, wanted)
            )
        assert all(torch.equal(kept[tensor], wanted[tensor]) for tensor in wanted)
    evals = [entry for entry in read_entries(out) if entry["event"] == "eval"]
    assert [{**entry, "minutes": 0} for entry in evals] == [
        {**entry, "minutes": 0} for entry in read_entries(tmp_path / "whole") if entry["event"] == "eval"
    ]


def test_a_run_killed_between_saves_repeats_what_was_lost(pairs: Path, tmp_path: Path) -> None:
    plain = options(pairs, steps=16, save_every=5, eval_every=7)
    whole = events(plain, tmp_path / "whole")
    out, copied = tmp_path / "out", tmp_path / "copied"
    for event in train(plain, out):
        if isinstance(event, StepEvent) and event.step == 9:
            shutil.copytree(out, copied)  # evaluated at 7, saved there; as if killed at 9
    second = events(stored_options(copied), copied, resume=True)
    assert min(losses(second)) == 8
    assert losses(second) == {step: loss for step, loss in losses(whole).items() if step > 7}


@pytest.mark.slow
def test_a_run_that_is_left_is_saved_wherever_it_was(pairs: Path, tmp_path: Path) -> None:
    """Closed at the first event of each kind at each step: it goes on as an unbroken run does."""
    plain = options(pairs, steps=4, eval_every=2, probe_every=3, bleu_sentences=1)
    counted = list(train(plain, tmp_path / "whole"))
    whole = losses(counted)
    kinds = [(event.name, event.step, getattr(event, "stage", "")) for event in counted]
    begun = kinds.index(("start", 0, ""))
    for count in sorted(kinds.index(kind) + 1 for kind in set(kinds)):
        out = tmp_path / f"out{count}"
        run = train(plain, out)
        seen = [event for _, event in zip(range(count), run)]
        run.close()  # type: ignore[attr-defined]
        assert out.exists() == (count > begun)
        if count <= begun:
            continue
        second = events(stored_options(out), out, resume=True)
        done = max(losses(seen), default=0)
        assert losses(second) == {step: loss for step, loss in whole.items() if step > done}
        assert (out / "model.safetensors").read_bytes() == (tmp_path / "whole/model.safetensors").read_bytes()


def test_a_log_ahead_of_the_state_is_cut(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=6, eval_every=3), out, stop_at=5)
    state = (out / "training_state.safetensors").read_bytes()
    step = json.loads(state_metadata(out)["step"])
    events(stored_options(out), out, resume=True)
    (out / "training_state.safetensors").write_bytes(state)
    events(stored_options(out), out, resume=True)
    entries = read_entries(out)
    places = [entry["step"] for entry in entries if entry["event"] == "eval"]
    assert places == sorted(set(places))
    assert [entry["event"] for entry in entries].count("done") == 1
    assert [entry["step"] for entry in entries if entry["event"] == "resume"] == [step, step]


@pytest.mark.parametrize(
    "log", [None, b"", b"\xff\x00 nonsense\n{", b'{"event": "eval", "step": "x"}\n[1]\n']
)
def test_a_lost_log_does_not_stop_a_resume(pairs: Path, out: Path, log: bytes | None) -> None:
    events(options(pairs, steps=6), out, stop_at=5)
    path = out / "training_log.jsonl"
    path.unlink() if log is None else path.write_bytes(log)
    assert events(stored_options(out), out, resume=True)[-1].step == 6
    assert [entry["event"] for entry in read_entries(out)] == ["start", "resume", "eval", "curve", "done"]


def test_stop_during_an_evaluation_changes_nothing(pairs: Path, out: Path) -> None:
    plain = options(pairs, steps=4, eval_every=2)
    control = Control()
    found = []
    for event in train(plain, out, control=control):
        found.append(event)
        if isinstance(event, WorkEvent) and event.stage == "evaluating" and event.step == 2:
            control.stop.set()
    assert isinstance(found[-1], SavedEvent)
    assert found[-1].step == 2
    assert not any(isinstance(event, EvalEvent) for event in found)
    state = load_file(out / "training_state.safetensors")
    kept = load_file(out / "model.safetensors")
    # Two steps were made and saved, and the bundle still holds the random start.
    name = "encoder.layers.0.linear1.weight"
    assert not torch.equal(state[f"weights.{name}"].half(), kept[name])
    second = events(stored_options(out), out, resume=True)
    assert [event.step for event in second if isinstance(event, EvalEvent)] == [2, 4]


def test_stop_before_there_is_anything(pairs: Path, out: Path) -> None:
    control = Control()
    control.stop.set()
    refused("cancelled", options(pairs), out, control=control)
    assert not out.exists()


def test_resuming_a_finished_run(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=4), out)
    again = events(stored_options(out), out, resume=True)
    assert told(again) == ["done"]
    longer = events(stored_options(out).resumed_with({"steps": 7}), out, resume=True)
    assert list(losses(longer)) == [5, 6, 7]
    assert [entry["event"] for entry in read_entries(out)].count("done") == 1


@pytest.mark.slow
def test_another_process_is_refused_and_a_killed_one_is_not_in_the_way(pairs: Path, out: Path) -> None:
    code = (
        "import sys, time; from pathlib import Path; from model.training.train import train; "
        "from tests.model.tiny_training import options; "
        f"run = train(options(Path({str(pairs)!r}), steps=9), Path({str(out)!r})); "
        "[next(run) for _ in range(20)]; print('there', flush=True); time.sleep(60)"
    )
    root = Path(__file__).parents[3]
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, cwd=root) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"there\n"
        refused("folder_busy", options(pairs), out)
        refused("folder_busy", options(pairs), out, resume=True)
        other.kill()
        other.wait()
    assert events(stored_options(out), out, resume=True)[-1].step == 9


def test_only_one_writer(pairs: Path, out: Path) -> None:
    first = train(options(pairs, steps=4), out)
    while not isinstance(next(first), StepEvent):
        pass
    refused("folder_busy", options(pairs), out, resume=True)
    refused("folder_busy", options(pairs), out)
    first.close()  # type: ignore[attr-defined]
    assert events(stored_options(out), out, resume=True)[-1].step == 4


def test_states_of_an_earlier_version_resume(pairs: Path, out: Path) -> None:
    """Headers without what was added since: the task, and when it was last evaluated."""
    events(options(pairs, steps=4), out, stop_at=4)
    chosen = json.loads(state_metadata(out)["options"])
    progress = json.loads(state_metadata(out)["progress"])
    del chosen["task"], chosen["task_size"], progress["last_eval"]
    path = out / "training_state.safetensors"
    change: dict[str, str | None] = {
        "options": json.dumps(chosen),
        "progress": json.dumps(progress),
        "config_hash": "0" * 64,
    }
    path.write_bytes(rewritten(change)(path.read_bytes()))
    assert events(stored_options(out), out, resume=True)[-1].step == 4


def test_cuts_drawn_at_random_are_drawn_again_after_a_stop(pairs: Path, tmp_path: Path) -> None:
    """BPE-dropout is part of a run's path: it follows from the step, and shows in the losses."""
    plain = options(pairs, steps=8, eval_every=8, bleu_sentences=0, vocab_type="bpe", bpe_dropout=0.3)
    whole = losses(events(plain, tmp_path / "whole"))
    out = tmp_path / "out"
    first = losses(events(plain, out, stop_at=3))
    assert first | losses(events(stored_options(out), out, resume=True)) == whole
    without = options(pairs, steps=8, eval_every=8, bleu_sentences=0, vocab_type="bpe")
    assert whole != losses(events(without, tmp_path / "without"))
    with pytest.raises(HeadscopeError, match="vocab_type"):
        options(pairs, vocab_type="unigram", bpe_dropout=0.3)
