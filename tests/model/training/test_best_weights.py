from __future__ import annotations

from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from torch import Tensor

from model.bundle.bundle import load_bundle
from model.network.transformer import Transformer
from model.training import evaluation as training_evaluation
from model.training.heldout import Heldout
from model.training.progress.events import DoneEvent, EvalEvent
from model.training.train import stored_options
from model.training.trainer import Trainer
from tests.model.tiny_training import events, losses, options, refused, write_pairs


class Poisoned:
    """Makes the weights of a run infinite before a given step."""

    def __init__(self, step: int) -> None:
        self.step, self.own = step, Trainer.run_step

    def __call__(self, trainer: Trainer) -> Any:
        if trainer.step + 1 == self.step:
            with torch.no_grad():
                trainer.parameters[0].fill_(float("inf"))
        return self.own(trainer)


def test_a_loss_that_is_no_number_keeps_the_last_good_state(
    pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    poisoned = Poisoned(6)
    monkeypatch.setattr(Trainer, "run_step", lambda trainer: poisoned(trainer))
    error = refused("training_diverged", options(pairs, eval_every=4, steps=9), out)
    assert error.values["step"] == 6
    monkeypatch.undo()
    load_bundle(out)  # finite, or it would be refused
    state = load_file(out / "training_state.safetensors")
    assert all(bool(torch.isfinite(tensor).all()) for tensor in state.values())
    assert list(losses(events(stored_options(out), out, resume=True))) == [5, 6, 7, 8, 9]


def test_weights_that_an_update_ruined_are_not_saved(
    pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loss was still a number; what is on disk stays what it was."""
    own = Trainer.run_step

    def ruined(trainer: Trainer) -> Any:
        result = own(trainer)
        if trainer.step == 6:
            with torch.no_grad():
                trainer.parameters[0][0] = float("inf")
        return result

    monkeypatch.setattr(Trainer, "run_step", ruined)
    refused("training_diverged", options(pairs, eval_every=9, save_every=3, steps=9), out)
    monkeypatch.undo()
    assert list(losses(events(stored_options(out), out, resume=True))) == [4, 5, 6, 7, 8, 9]


def _scripted(monkeypatch: pytest.MonkeyPatch, script: Iterator[float]) -> list[Tensor]:
    """Held-out losses from a script, and the table of each model that was asked about."""
    asked: list[Tensor] = []

    def fake(transformer: Transformer, heldout: Heldout, *rest: Any) -> Generator[None, None, float]:
        asked.append(transformer.source_embedding.weight.detach().clone())
        yield
        return next(script)

    monkeypatch.setattr(training_evaluation, "heldout_loss", fake)
    return asked


def test_the_best_on_dev_is_kept(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Own weights and average in turn: the third evaluation's average is the best of all."""
    asked = _scripted(monkeypatch, iter([5.0, 6.0, 4.0, 4.5, 3.5, 3.0, 3.2, 3.1]))
    found = events(options(pairs, steps=24, eval_every=6, bleu_sentences=0, half=False), out)
    evals = [event for event in found if isinstance(event, EvalEvent)]
    assert [event.heldout_loss for event in evals] == [5.0, 4.0, 3.0, 3.1]
    assert [event.averaged for event in evals] == [False, False, True, True]
    assert [event.best for event in evals] == [True, True, True, False]
    assert [event.bleu for event in evals] == [None] * 4
    stored = load_file(out / "model.safetensors")["source_embedding.weight"]
    assert torch.equal(stored, asked[5])
    assert not torch.equal(asked[4], asked[5])
    done = found[-1]
    assert isinstance(done, DoneEvent)
    assert (done.heldout_loss, done.bleu) == (3.0, None)
    # The run itself went on with its own weights, not with the average.
    state = load_file(out / "training_state.safetensors")
    assert torch.equal(state["weights.source_embedding.weight"], asked[6])


def test_bleu_decides_before_the_loss(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _scripted(monkeypatch, iter([3.0, 9.0, 2.0, 9.0, 2.5, 9.0]))
    scores = iter([10.0, 8.0, 10.0])

    def fake(*args: Any) -> Generator[None, None, tuple[float, tuple[tuple[str, str], ...]]]:
        yield
        return next(scores), ()

    monkeypatch.setattr(training_evaluation, "heldout_bleu", fake)
    found = events(options(pairs, steps=6, eval_every=2), out)
    evals = [event for event in found if isinstance(event, EvalEvent)]
    assert [event.best for event in evals] == [True, False, True]  # level on BLEU, better loss


def test_a_heldout_loss_that_is_no_number(pairs: Path, out: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _scripted(monkeypatch, iter([float("nan")]))
    refused("training_diverged", options(pairs, steps=2), out)


def test_the_test_part_is_never_looked_at(tmp_path: Path) -> None:
    """Two files that differ in nothing but their test part train to the same bytes."""
    from model.data.split import tatoeba_hash_part

    base = [(f"the {a} {b}", f"le {b} {a}") for a in ("red", "old", "big") for b in map(str, range(100))]
    parts = [tatoeba_hash_part(source) for source, _ in base]
    assert {"test", "dev"} <= set(parts)
    results = []
    for name, poison in (("a", False), ("b", True)):
        pairs = [
            (source, "ÞØÏŠÓÑ " * 3 if poison and part == "test" else target)
            for (source, target), part in zip(base, parts)
        ]
        path = write_pairs(tmp_path / f"{name}.tsv", pairs)
        out = tmp_path / name
        found = events(options(path, steps=6, eval_every=3, split="tatoeba-hash", name="same"), out)
        evals = [event for event in found if isinstance(event, EvalEvent)]
        results.append(
            [(out / file).read_bytes() for file in ("model.safetensors", "source.spm", "config.json")]
            + [repr(evals), repr(losses(found))]
        )
    assert results[0] == results[1]
