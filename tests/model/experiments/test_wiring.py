"""What the mix of encoder layers was in training, also of a run that was left; and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from model.experiments.result import ArmResult, ExperimentResult
from model.experiments.running.run import run_experiment
from model.experiments.wiring import WIRING, over_time


def test_a_run_that_was_left_has_noted_all_of_it(tmp_path: Path) -> None:
    experiment = replace(WIRING, arms=(WIRING.arm("mix"),))
    *_, whole = run_experiment(experiment, [1], tmp_path / "whole", tiny=True)
    left = run_experiment(experiment, [1], tmp_path / "left", tiny=True)
    while not (isinstance(found := next(left), tuple) and found[0] >= 2):
        pass
    left.close()
    *_, again = run_experiment(experiment, [1], tmp_path / "left", tiny=True)
    assert isinstance(whole, ExperimentResult)
    assert isinstance(again, ExperimentResult)
    assert again.to_json() == whole.to_json()
    steps, mixes = over_time(whole)
    assert steps.tolist() == [0, 1, 2, 3, 4]
    assert mixes.shape == (5, 2, 3)
    np.testing.assert_allclose(mixes[0], 1 / 3, atol=1e-4)
    np.testing.assert_allclose(mixes.sum(2), 1.0, atol=1e-4)
    state = load_file(tmp_path / "whole" / "mix-1" / "training_state.safetensors")
    powers = np.exp(state["weights.memory_mix.weight"].astype(np.float64))
    np.testing.assert_allclose(mixes[-1], powers / powers.sum(1, keepdims=True), rtol=1e-4)


def test_what_is_said_follows_the_numbers() -> None:
    def arm(name: str, seed: int, loss: float, gradients: list[float]) -> ArmResult:
        mix = [[0.5, 0.3, 0.2], [0.1, 0.7, 0.2]]
        measured = {"loss": loss, "right": 0.5, "gradients": gradients, "mix": mix, "watched": {}}
        return ArmResult(name, seed, measured=measured)

    even, low = [2.0, 2.0], [1.0, 3.0]
    arms = (
        arm("last", 1, 1.0, low), arm("mix", 1, 0.5, even), arm("same_depth", 1, 1.5, even),
        arm("last", 2, 1.0, low), arm("mix", 2, 0.9, even), arm("same_depth", 2, 0.5, even),
    )  # fmt: skip
    values = {"curve": "heldout", "layer": 1}
    numbers = WIRING.numbers(ExperimentResult("wiring", "", "", {}, arms), values)
    found = {one.name: one for one in numbers.findings}
    assert (found["better_mix"].value, found["better_mix"].holds) == (2, True)
    assert (found["better_same_depth"].value, found["better_same_depth"].holds) == (1, False)
    assert (found["gradient"].value, found["gradient"].about["last"]) == (0.5, 0.25)
    assert (found["top"].value, found["top"].about["most"]) == (pytest.approx(0.2), 1)
    assert found["loss_mix"].value == pytest.approx(0.7)
    assert not WIRING.numbers(ExperimentResult("wiring", "", "", {}, ()), values).findings
    alone = WIRING.numbers(ExperimentResult("wiring", "", "", {}, arms[:1]), values)
    assert [one.name for one in alone.findings] == ["loss_last"]
