"""What a run's folder tells about it afterwards."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from model.errors import HeadscopeError
from model.folder.training_log import read_entries
from model.training.progress import history
from model.training.progress.events import DoneEvent, EvalEvent, StartEvent, StepEvent, TrainEvent
from model.training.progress.history import StepHistory, stored_run
from model.training.train import stored_options
from tests.model.tiny_training import events, options

ROOT = Path(__file__).parents[4]


def steps_of(found: list[TrainEvent]) -> list[list[float]]:
    return [
        [event.step, event.loss, event.lr, event.grad_norm, event.tokens_per_second]
        for event in found
        if isinstance(event, StepEvent)
    ]


def test_a_finished_run(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=9, eval_every=4, probe_every=4), out)
    run = stored_run(out)
    assert (run.out, run.options, run.step, run.resumable) == (out, stored_options(out), 9, True)
    assert run.history.tolist() == steps_of(found)
    assert load_file(out / "training_state.safetensors")["history.steps"].tolist() == steps_of(found)
    assert list(run.evals) == [event for event in found if isinstance(event, EvalEvent)]
    assert run.start == found[0]
    assert isinstance(run.start, StartEvent)
    assert run.done == found[-1]
    assert isinstance(run.done, DoneEvent)
    assert run.minutes == pytest.approx(run.done.minutes, abs=1e-3)
    assert run.frames == (0, 4, 8, 9)


def test_an_interrupted_run(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=9, eval_every=4, log_every=2), out, stop_at=6)
    log = out / "training_log.jsonl"
    log.write_bytes(log.read_bytes() + b'{"event": "eval", "step": 8}\n')
    run = stored_run(out)
    assert run.done is None
    assert run.resumable
    assert (run.step, len(run.evals)) == (6, 1)
    # Every step is there, reported or not.
    assert run.history[:, 0].tolist() == [1, 2, 3, 4, 5, 6]
    assert run.history[1::2].tolist() == steps_of(found)
    more = events(stored_options(out), out, resume=True)
    assert stored_run(out).history[6:][1::2].tolist() == steps_of(more)
    start = more[0]
    assert isinstance(start, StartEvent)
    assert start.resumed


def test_a_bundle_that_is_shipped(pairs: Path, out: Path) -> None:
    """Without its state the log tells the curve."""
    found = events(options(pairs, steps=7, eval_every=4), out)
    (out / "training_state.safetensors").unlink()
    run = stored_run(out)
    assert not run.resumable
    assert run.step == 7
    assert run.options == options(pairs, steps=7, eval_every=4)
    np.testing.assert_allclose(run.history, steps_of(found), rtol=1e-5)
    assert len(run.evals) == 2
    assert run.done == found[-1]


def test_nothing_and_damage(pairs: Path, out: Path) -> None:
    with pytest.raises(HeadscopeError, match="no training state"):
        stored_run(out)
    events(options(pairs, steps=3), out)
    (out / "training_log.jsonl").write_bytes(b"\x00\n[]\n")
    run = stored_run(out)
    assert (run.start, run.evals, run.done, run.step) == (None, (), None, 3)
    path = out / "training_state.safetensors"
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(HeadscopeError):
        stored_run(out)
    path.unlink()
    with pytest.raises(HeadscopeError, match="no training state"):
        stored_run(out)


def test_no_torch_is_needed(pairs: Path, out: Path) -> None:
    events(options(pairs, steps=3), out)
    code = (
        "import sys; from model.training.progress.history import stored_run; "
        f"run = stored_run({str(out)!r}); assert len(run.history) == 3; "
        "sys.exit(bool({'torch', 'sentencepiece'} & sys.modules.keys()))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_the_log_ends_with_a_thinned_curve(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history.StepHistory.thinned, "__defaults__", (5,))
    found = events(options(pairs, steps=12, eval_every=12), out)
    lines = (out / "training_log.jsonl").read_text("utf-8").splitlines()
    curve = json.loads(lines[-2])
    assert curve["event"] == "curve"
    assert curve["columns"] == ["step", "loss", "lr", "grad_norm", "tokens_per_second"]
    rows = steps_of(found)
    assert [row[0] for row in curve["rows"]] == [1, 4, 7, 9, 12]
    for row in curve["rows"]:
        assert row[1] == pytest.approx(rows[row[0] - 1][1], rel=1e-5)
    again = events(stored_options(out).resumed_with({"steps": 14}), out, resume=True)
    assert isinstance(again[-1], DoneEvent)
    assert [entry["event"] for entry in read_entries(out)].count("curve") == 1


def test_bounded_whatever_way_it_grew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(history, "MOST_ROWS", 16)
    one = StepHistory()
    for step in range(1, 300):
        one.add(step, step / 2, 0.0, 0.0, 0.0)
        kept = one.rows[:, 0].tolist()
        assert len(kept) <= 16
        # By hand: the multiples of the smallest power of two that leaves at most 16.
        stride = next(2**k for k in range(10) if step // 2**k <= 16)
        assert kept == list(range(stride, step + 1, stride))
        assert (one.rows[:, 1] == one.rows[:, 0] / 2).all()
        if step % 7 == 0:
            one = StepHistory(one.rows.copy())  # saved and resumed


def test_the_real_bound_is_some_megabytes() -> None:
    assert history.MOST_ROWS * len(history.COLUMNS) * 8 < 3e6
