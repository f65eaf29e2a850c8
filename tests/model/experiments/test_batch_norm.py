"""What is noted of a model with BatchNorm in training, against numpy; and what is said of it."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.data.batches import make_batch
from model.experiments.batch_norm import BATCH_NORM
from model.experiments.recorded import recorded_result
from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.measures.batch_norm import measure, watch
from model.experiments.running.trained import Trained
from model.network.masks import AttentionMask
from model.training.control import Control
from model.training.progress.events import StepEvent
from model.training.train import train
from model.training.trainer import Trainer
from model.work import result_of

FIRST = "encoder.layers.0.norm1"
VALUES = {"curve": "heldout", "statistic": "mean"}


def by_hand(trainer: Trainer) -> tuple[float, float, float]:
    """Of the encoder's first norm, which no other stands before: what enters it, batch by batch."""
    mean = trainer.statistics[f"{FIRST}.running_mean"].double().numpy()
    variance = trainer.statistics[f"{FIRST}.running_var"].double().numpy()
    plain = copy.deepcopy(trainer.transformer.encoder.layers[0])
    entered: list[NDArray[np.float64]] = []
    norm: Any = plain.get_submodule("norm1")
    own = norm.of

    def of(x: Tensor, real: Tensor | None = None) -> Tensor:
        entered.append(x.double().numpy())
        result: Tensor = own(x)
        return result

    norm.of = of
    rows = []
    for step in range(trainer.step, trainer.step + 4):
        corpus, batches = trainer.pairs_of(step)
        batch = make_batch(corpus, batches[0], pad_id=0, start_id=2, end_id=3)
        model = trainer.transformer
        x = model._embed(model.source_embedding, torch.from_numpy(batch.source), None)
        mask = torch.from_numpy(batch.source_mask)
        plain.eval()(x, AttentionMask.of(mask[:, None, None], torch.float32), None)
        tokens = entered.pop()[batch.source_mask]
        off = ((tokens.mean(0) - mean) ** 2 / variance).mean() ** 0.5
        wide = np.abs(tokens.var(0, ddof=1) - variance).sum() / variance.sum()
        rows.append((off, wide, len(tokens) ** -0.5))
    found = np.mean(rows, axis=0)
    return float(found[0]), float(found[1]), float(found[2])


def test_what_is_noted_and_measured(tmp_path: Path) -> None:
    options = BATCH_NORM.train_options(BATCH_NORM.arm("batch"), 2, tiny=True)
    control, noted = Control(), 0
    for event in train(options, tmp_path / "model", control=control):
        if isinstance(event, StepEvent) and control.trainer is not None:
            trainer = control.trainer
            before = {name: one.clone() for name, one in trainer.statistics.items()}
            found = watch(trainer)
            assert all(torch.equal(one, before[name]) for name, one in trainer.statistics.items())
            with torch.no_grad():
                expected = by_hand(trainer)
            first = [found[name][0] for name in ("mean", "variance", "noise")]
            # A tenth of what is measured is added in float32 to numbers of about 1.
            np.testing.assert_allclose(first, expected, rtol=1e-4)
            noted += 1
    assert noted == options.train.steps
    for arm in ("batch", "layer"):
        model = tmp_path / arm
        options = BATCH_NORM.train_options(BATCH_NORM.arm(arm), 2, tiny=True)
        if arm == "batch":
            model = tmp_path / "model"
        else:
            for _ in train(options, model):
                pass
        told = result_of(measure(Trained(model, arm, 2, options, tiny=True)))
        assert told["mate_inference"] == 0
        assert (told["mate_training"] > 1e-4) == (arm == "batch")
        assert np.asarray(told["map"]).sum(1) == pytest.approx(1.0, abs=1e-3)
        if arm == "layer":  # no statistics: both are the same computation
            assert told["map"] == told["changed_map"]
            assert told["own_statistics"] == told["running_statistics"]


def test_what_is_said_follows_the_numbers() -> None:
    def arm(name: str, seed: int, loss: float, mate: float, off: float) -> ArmResult:
        watched = {"step": [1, 2], "mean": [[9.0] * 5, [off] * 4 + [2 * off]], "noise": [[0.1] * 5] * 2}
        watched["variance"] = watched["mean"]
        measured = {"loss": loss, "right": 0.5, "mate_training": mate, "mate_inference": 0.0}
        return ArmResult(name, seed, measured={**measured, "watched": watched if name == "batch" else {}})

    arms = (
        arm("layer", 1, 1.0, 0.0, 0), arm("batch", 1, 2.0, 0.25, 0.1),
        arm("layer", 2, 1.0, 0.0, 0), arm("batch", 2, 0.5, 0.5, 0.3),
    )  # fmt: skip
    found = {
        one.name: one
        for one in BATCH_NORM.numbers(ExperimentResult("batch_norm", "", "", {}, arms), VALUES).findings
    }
    assert (found["worse"].value, found["worse"].holds) == (1, False)
    assert found["mismatch"].value == pytest.approx((4 * 0.2 + 0.4) / 5)
    assert found["mismatch"].holds is True
    assert (found["largest"].value, found["largest"].about["stack"]) == (pytest.approx(0.4), "decoder")
    assert (found["largest"].about["layer"], found["largest"].about["norm"]) == (1, 3)
    assert (found["mate_batch"].value, found["mate_batch"].holds) == (0.5, True)
    assert (found["mate_layer"].value, found["mate_layer"].holds) == (0.0, True)
    alone = ExperimentResult("batch_norm", "", "", {}, arms[:1])
    assert [one.name for one in BATCH_NORM.numbers(alone, VALUES).findings] == ["loss_layer", "mate_layer"]
    assert not BATCH_NORM.numbers(ExperimentResult("batch_norm", "", "", {}, ()), VALUES).findings


def test_layer_norm_left_every_recorded_sentence_alone() -> None:
    result = recorded_result("batch_norm")
    assert not result.measured("layer", "mate_training").any()
    assert not result.measured("batch", "mate_inference").any()
    assert (result.measured("batch", "mate_training") > 0.01).all()
