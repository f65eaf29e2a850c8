"""Runs that work their numbers out: what they record, and that they go on as they began."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
import torch

from model.config import TrainConfig
from model.data.corpus import EncodedCorpus
from model.train_options import DERIVED, TrainOptions
from model.training import derived_options
from model.training.progress.events import StartEvent
from model.training.speed import guessed_speed, measured_speed, stand_in_corpus
from model.training.train import stored_options
from model.work import result_of
from tests.model.tiny_training import ARCHITECTURE, events, losses, options, state_metadata

AUTO = tuple(name for name in DERIVED if name not in ("epochs", "probe_every"))


def on_a_machine(monkeypatch: pytest.MonkeyPatch, speed: float) -> list[TrainConfig]:
    """Pretend that the machine makes so many tokens a second; what was timed."""
    timed: list[TrainConfig] = []

    def measured(
        shape: Any, config: TrainConfig, corpus: EncodedCorpus, threads: int
    ) -> Generator[None, None, float]:
        timed.append(config)
        yield
        return speed

    monkeypatch.setattr(derived_options, "measured_speed", measured)
    return timed


def usual(pairs: Path, **changes: Any) -> TrainOptions:
    return options(
        pairs,
        auto=AUTO,
        vocab_size=8000,
        warmup=4000,
        batch_tokens=4096,
        learning_rate=1.0,
        dropout=0.1,
        **changes,
    )


def test_the_numbers_are_recorded_said_and_resumed(pairs: Path, out: Path, tmp_path: Path) -> None:
    whole = events(usual(pairs, steps=40), out)

    start = whole[0]
    assert isinstance(start, StartEvent)
    told = {one.name: one.value for one in start.derived}
    assert told == {
        "vocab_size": 400,
        "batch_tokens": 1024,
        "warmup": 10,
        "learning_rate": 0.28,
        "dropout": 0.3,
    }
    made = stored_options(out)
    assert made.auto == ()
    assert {name: made.value(name) for name in told} == told
    entry = json.loads((out / "training_log.jsonl").read_text("utf-8").splitlines()[0])
    assert entry["options"] == made.to_json()
    assert {one["name"]: one["usual"] for one in entry["derived"]}["warmup"] == 4000

    broken = events(usual(pairs, steps=40), tmp_path / "broken", stop_at=7)
    broken += events(stored_options(tmp_path / "broken"), tmp_path / "broken", resume=True)
    assert losses(broken) == losses(whole)
    by_hand = events(made, tmp_path / "by hand")
    assert losses(by_hand) == losses(whole)


def test_a_run_by_the_clock_is_timed_once(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # 2 minutes of 1,000 tokens a second are 117 batches of 1,024.
    timed = on_a_machine(monkeypatch, 1000.0)
    first = events(usual(pairs, steps=0, minutes=2.0), out, stop_at=5)
    assert len(timed) == 1
    assert json.loads(state_metadata(out)["options"])["train"]["warmup"] == 20

    on_a_machine(monkeypatch, 9.0)  # the machine is slow today
    resumed = events(stored_options(out), out, resume=True, stop_at=9)
    assert stored_options(out).train.warmup == 20
    rates = {event.step: event.lr for event in (*first, *resumed) if event.name == "step"}
    factor = stored_options(out).train.learning_rate
    assert rates == pytest.approx({step: factor * 32**-0.5 * step * 20**-1.5 for step in range(1, 10)})


def test_what_was_given_is_not_timed(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    timed = on_a_machine(monkeypatch, 1000.0)
    events(options(pairs, steps=0, minutes=1.0), out, stop_at=1)
    assert timed == []
    assert stored_options(out) == options(pairs, steps=0, minutes=1.0)


def test_timing_touches_nothing_of_the_program_s() -> None:
    shape = options(Path("p"), tie_embeddings="none").architecture_with(40, 30)
    assert shape.d_model == ARCHITECTURE["d_model"]
    before, threads = torch.get_rng_state(), torch.get_num_threads()
    speed = result_of(
        measured_speed(shape, TrainConfig(precision="float32"), stand_in_corpus((40, 30), 9.0), 1)
    )

    assert speed > 0
    assert torch.equal(torch.get_rng_state(), before)
    assert torch.get_num_threads() == threads


@pytest.mark.parametrize("size", [1, 4, 5, 30])
def test_a_size_that_is_still_being_typed_is_timed(size: int) -> None:
    assert result_of(guessed_speed(options(Path("p"), vocab_size=size), 9.0)) > 0
