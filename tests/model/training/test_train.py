from __future__ import annotations

from pathlib import Path

import torch

from model.bundle.bundle import load_bundle
from model.folder.training_log import read_entries
from model.training.progress.events import DoneEvent, EvalEvent, StepEvent
from model.training.train import train
from tests.model.tiny_training import events, losses, options, told


def test_a_run_leaves_a_whole_bundle(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=20, eval_every=10, log_every=2, dropout=0.0), out)
    kinds = told(found)
    assert kinds == ["step"] * 5 + ["eval", "saved"] + ["step"] * 5 + ["eval", "saved", "done"]
    assert [event.step for event in found if isinstance(event, StepEvent)] == list(range(2, 21, 2))
    steps = list(losses(found).values())
    assert steps[-1] < steps[0] - 0.3
    done = found[-1]
    assert isinstance(done, DoneEvent)
    last = [event for event in found if isinstance(event, EvalEvent) and event.best][-1]
    assert (done.heldout_loss, done.bleu) == (last.heldout_loss, last.bleu)
    assert sorted(path.name for path in out.iterdir()) == [
        "README.md",
        "README.zh.md",
        "config.json",
        "example.trace",
        "model.safetensors",
        "source.spm",
        "target.spm",
        "training_log.jsonl",
        "training_state.safetensors",
    ]
    assert [path.name for path in out.parent.iterdir() if path.name.endswith((".lock", ".tmp"))] == []
    bundle = load_bundle(out)
    assert bundle.config.showcase is not None
    assert (bundle.config.name, bundle.config.languages) == ("tiny", ("en", "fr"))
    entries = read_entries(out)
    assert [entry["event"] for entry in entries] == ["start", "eval", "eval", "curve", "done"]
    start = entries[0]
    assert start["command"] == "headscope train …"
    assert start["seed"] == 1
    assert start["versions"]["torch"] == torch.__version__
    assert list(start["data"]) == ["pairs.tsv"]
    assert start["pairs"]["train"] + start["pairs"]["dev"] == 60


def test_a_longer_run_learns(pairs: Path, out: Path) -> None:
    found = events(options(pairs, steps=150, dropout=0.0, batch_tokens=512), out)
    steps = list(losses(found).values())
    assert steps[-1] < 0.5 * steps[0]
    bests = [event for event in found if isinstance(event, EvalEvent) and event.best]
    assert bests[-1].heldout_loss < bests[0].heldout_loss


def test_same_options_same_run(pairs: Path, tmp_path: Path) -> None:
    first = events(options(pairs, steps=8), tmp_path / "a")
    again = events(options(pairs, steps=8), tmp_path / "b")
    other = events(options(pairs, steps=8, seed=2), tmp_path / "c")
    assert losses(first) == losses(again)
    assert (tmp_path / "a/model.safetensors").read_bytes() == (tmp_path / "b/model.safetensors").read_bytes()
    assert losses(first) != losses(other)


def test_threads_are_given_back(pairs: Path, out: Path) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    try:
        seen = [torch.get_num_threads() for _ in train(options(pairs, steps=2, threads=1), out)]
        assert set(seen) == {1}
        assert torch.get_num_threads() == 3
    finally:
        torch.set_num_threads(before)
