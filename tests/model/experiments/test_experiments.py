"""Every experiment: trained tiny, its recorded result, and runs that are left, killed or damaged."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from main import main
from model.bundle.bundle import load_bundle
from model.errors import HeadscopeError
from model.experiments.experiment import Experiment
from model.experiments.page import page_of
from model.experiments.recorded import FOLDER, recorded_result
from model.experiments.registry import EXPERIMENTS, experiment_named, page_named
from model.experiments.result import ArmResult, ExperimentResult, read_result, rounded, thinned
from model.experiments.running.run import MEASURED, run_experiment
from model.lessons.lesson import taken_values
from model.questions.questions import Partial

every = pytest.mark.parametrize("experiment", EXPERIMENTS, ids=lambda experiment: experiment.name)


def ran(experiment: Experiment, folder: Path) -> list[object]:
    return [found for found in run_experiment(experiment, [1], folder, tiny=True) if found is not None]


@pytest.mark.slow
@every
def test_it_runs_and_every_stage_of_it_can_be_shown(experiment: Experiment, tmp_path: Path) -> None:
    page = page_of(experiment)
    values = taken_values(page.controls(None), {"again": True})
    shown = 0
    for found in ran(experiment, tmp_path):
        if isinstance(found, Partial | ExperimentResult):
            result = found.answer if isinstance(found, Partial) else found
            json.dumps(page.numbers(values, result, None).to_json())
            shown += 1
    assert shown > 1
    assert isinstance(result, ExperimentResult)
    assert [one.arm for one in result.arms] == [arm.name for arm in experiment.arms]
    assert all(one.measured and one.parameters for one in result.arms)
    assert set(result.models) == {arm.name for arm in experiment.arms}
    for path in result.models.values():
        load_bundle(path)
    assert page.numbers(values, result, None).findings


@every
def test_what_is_recorded_is_what_the_command_makes(experiment: Experiment) -> None:
    """Of the experiment as it is now: the same models, all seeds, written by the command."""
    result = recorded_result(experiment.name)
    assert result.command == f"headscope experiment {experiment.name} --seeds {experiment.seeds}"
    assert result.key == experiment.key(), "what is trained has changed since: record it again"
    assert experiment.seeds >= 3
    arms = [(one.arm, one.seed) for one in result.arms]
    assert arms == [(arm.name, seed) for seed in range(1, experiment.seeds + 1) for arm in experiment.arms]
    for one in result.arms:
        assert one.steps == experiment.train_options(experiment.arm(one.arm), one.seed).train.steps
        assert one.measured
    assert (FOLDER / f"{experiment.name}.json").stat().st_size < 150_000
    page = page_named(experiment.name)
    for values in ({}, *page.stations(None)):
        numbers = page.numbers(taken_values(page.controls(None), values), None, None)
        assert numbers.findings
        assert numbers.data["recorded"]
        json.dumps(numbers.to_json())


def test_a_run_that_was_left_goes_on(tmp_path: Path) -> None:
    experiment = EXPERIMENTS[0]
    whole = ran(experiment, tmp_path / "whole")[-1]
    left = run_experiment(experiment, [1], tmp_path / "left", tiny=True)
    while not (isinstance(found := next(left), tuple) and found[0] >= found[1] // 2):
        pass
    left.close()
    damaged = tmp_path / "left" / f"{experiment.arms[0].name}-1" / MEASURED
    damaged.write_text("{")
    again = ran(experiment, tmp_path / "left")[-1]
    assert isinstance(whole, ExperimentResult)
    assert isinstance(again, ExperimentResult)
    assert again.to_json() == whole.to_json()


def test_a_result_and_its_file(tmp_path: Path) -> None:
    """Three seeds by hand: means, spreads, and curves as far as all have come."""

    def arm(seed: int, losses: list[float], score: float) -> ArmResult:
        steps = np.arange(1.0, len(losses) + 1)
        curve = {"step": steps, "loss": np.array(losses), "grad_norm": steps}
        return ArmResult(
            "a", seed, 7, len(losses), True, curve, {"step": steps[:1], "loss": steps[:1]}, {"s": score}
        )

    arms = (arm(1, [4.0, 2.0], 1.0), arm(2, [2.0, 1.0, 0.5], 0.25), arm(3, [3.0, 3.0], 0.5))
    result = ExperimentResult("x", "headscope experiment x --seeds 3", "k", {"torch": "0"}, arms)
    (tmp_path / "x.json").write_bytes(result.serialized())
    back = read_result(tmp_path / "x.json")
    assert back.recorded
    assert back.to_json() == result.to_json()
    assert (back.mean("a", "s"), back.spread("a", "s"), back.seeds) == (pytest.approx(1.75 / 3), 0.75, 3)
    steps, losses = back.curve("a")
    np.testing.assert_allclose((steps, losses), ([1, 2], [3.0, 2.0]))
    assert back.mean("b", "s") is None
    (tmp_path / "x.json").write_text('{"format": "other"}')
    with pytest.raises(HeadscopeError, match="holds no result"):
        read_result(tmp_path / "x.json")


def test_curves_are_thinned_to_means() -> None:
    steps = np.arange(1.0, 101)
    thin = thinned({"step": steps, "loss": steps**2}, points=10)
    np.testing.assert_allclose(thin["step"], np.arange(10, 101, 10))
    np.testing.assert_allclose(thin["loss"][0], (np.arange(1, 11) ** 2).mean())
    assert rounded({"a": [1.23456789, 3]}) == {"a": [1.2346, 3]}


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    name = EXPERIMENTS[0].name
    assert main(["experiment", "--list", "--json"]) == 0
    assert [json.loads(line)["name"] for line in capsys.readouterr().out.splitlines()] == [
        experiment.name for experiment in EXPERIMENTS
    ]
    out = tmp_path / "out"
    record = str(tmp_path / "r.json")
    assert main(["experiment", name, "--tiny", "--json", "--out", str(out), "--record", record]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["name"] == name
    assert told["findings"]
    assert read_result(record).arms
    assert len(list(out.glob("*/model.safetensors"))) == len(EXPERIMENTS[0].arms)
    late = tmp_path / "late"
    nowhere = str(tmp_path / "nowhere" / "result.json")
    assert main(["experiment", name, "--tiny", "--out", str(late), "--record", nowhere]) == 1
    assert not late.exists()  # said before anything is trained
    assert main(["experiment", "nothing"]) == 1
    assert "there is no experiment nothing" in capsys.readouterr().err
    with pytest.raises(HeadscopeError, match="no experiment"):
        experiment_named("nothing")
