"""run_experiment: every arm trained by the one trainer, side by side, and measured.

Each model is a bundle in a folder of its own, so a run that was killed goes on where it was last saved.
"""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

import numpy as np
import torch

from model.errors import HeadscopeError
from model.experiments.experiment import Arm, Experiment, ExperimentRun
from model.experiments.kept import experiments_folder
from model.experiments.registry import experiment_named
from model.experiments.result import ArmResult, ExperimentResult, rounded, thinned
from model.experiments.running.trained import Trained
from model.experiments.running.watching import Watch, Watching
from model.files.files import replace_bytes, write_error
from model.files.tensor_file import parse_json
from model.inspection.asked import Asked
from model.questions.questions import Partial
from model.training.control import Control
from model.training.progress.events import EvalEvent, StartEvent, StepEvent
from model.training.progress.history import stored_run
from model.training.train import train
from model.version import VERSION

MEASURED = "measured.json"

_GROWS = 20  # so many times a run's result grows before it is whole

Found = tuple[int, int] | Partial | ExperimentResult | None


def experiment_run(question: ExperimentRun, asked: Asked) -> Iterator[Found]:
    """An experiment run in the window; what is trained stays in the user's cache, to be opened."""
    experiment = experiment_named(question.name)
    yield from run_experiment(experiment, range(1, question.seeds + 1), run_folder(experiment))


def run_folder(experiment: Experiment, *, tiny: bool = False) -> Path:
    """Where an experiment's models lie when nobody says where; what is trained is in its name."""
    return experiments_folder() / f"{experiment.name}-{experiment.key(tiny=tiny)}"


def run_experiment(
    experiment: Experiment, seeds: Sequence[int], folder: Path, *, tiny: bool = False
) -> Generator[Found, None, None]:
    """Train every arm from every seed, and measure it.

    Yields None where it may be left, (done, total) steps, `Partial` results, and at last the result. Left or
    killed at any moment, it goes on there when called again with the same folder.

    Raises:
        HeadscopeError: as `model.training.train.train`.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from None
    work = [_ArmRun(experiment, arm, seed, folder, tiny) for seed in seeds for arm in experiment.arms]
    total = sum(one.total for one in work)
    grow = max(1, total // _GROWS)
    told = 0

    def result() -> ExperimentResult:
        return _result(experiment, len(seeds), tiny, [one.result for one in work])

    with contextlib.ExitStack() as open_runs:
        for one in work:
            open_runs.callback(one.close)
        for seed in seeds:
            # Side by side, so that the arms' curves grow together.
            running = [one for one in work if one.seed == seed]
            while running:
                for one in list(running):
                    if not one.advance():
                        running.remove(one)
                    done = sum(each.result.steps for each in work)
                    yield done, total
                    if done - told >= grow:
                        told = done
                        yield Partial(result())
            for one in (one for one in work if one.seed == seed):
                yield from one.measure()
                yield Partial(result())
    yield result()


class _ArmRun:
    """One arm from one seed: its training under way, and what is known of it."""

    def __init__(self, experiment: Experiment, arm: Arm, seed: int, folder: Path, tiny: bool) -> None:
        self.seed = seed
        self.options = experiment.train_options(arm, seed, tiny=tiny)
        self.total = self.options.train.steps
        self.result = ArmResult(arm.name, seed)
        self._measures: Callable[[Trained], Generator[None, None, Mapping[str, Any]]]
        self._measures = resolve_name(experiment.measured_by)
        self._out = folder / f"{arm.name}-{seed}"
        watch: Watch | None = resolve_name(experiment.watched_by) if experiment.watched_by else None
        self._watching = Watching(self._out, watch, self.total)
        self._trained = Trained(self._out, arm.name, seed, self.options, tiny)
        self._columns: dict[str, list[float]] = {"step": [], "loss": [], "grad_norm": []}
        self._heldout: dict[str, list[float]] = {"step": [], "loss": []}
        self._parameters = 0
        self._events = self._train()

    def advance(self) -> bool:
        """One more step, or whatever comes next; False once it is trained."""
        try:
            next(self._events)
        except StopIteration:
            return False
        return True

    def measure(self) -> Iterator[None]:
        """What it is like, asked of it once."""
        kept = self._out / MEASURED
        found = _read(kept)
        if found is None:
            found = rounded((yield from self._measures(self._trained)))
            replace_bytes(kept, json.dumps(found).encode())
        self.result = replace(self.result, measured=found, done=True, path=str(self._out))

    def close(self) -> None:
        """Leave the training, which saves where it is."""
        self._events.close()

    def _train(self) -> Generator[None, None, None]:
        resume = self._resumable()
        if resume and self._finished():
            return
        control = Control()
        for event in train(self.options, self._out, resume=resume, command="experiment", control=control):
            if isinstance(event, StartEvent):
                self._watching.begin(control.trainer)
                self._parameters = event.parameters
                if event.resumed:
                    self._take_stored()
            elif isinstance(event, StepEvent):
                self._watching.note(control.trainer)
                for name, column in self._columns.items():
                    column.append(float(getattr(event, name)))
            elif isinstance(event, EvalEvent):
                self._heldout["step"].append(event.step)
                self._heldout["loss"].append(event.heldout_loss)
            self._grown(event.step)
            yield

    def _resumable(self) -> bool:
        """Whether an earlier run can be gone on with; what it cannot is cleared away."""
        if not self._out.exists():
            return False
        try:
            return stored_run(self._out).resumable
        except HeadscopeError:
            shutil.rmtree(self._out)
            return False

    def _finished(self) -> bool:
        stored = stored_run(self._out)
        if stored.done is None or stored.step < self.total:
            return False
        self._take_stored()
        self._grown(stored.step)
        return True

    def _take_stored(self) -> None:
        stored = stored_run(self._out)
        rows = stored.history
        columns = ("step", "loss", "lr", "grad_norm")
        self._columns = {name: list(rows[:, columns.index(name)]) for name in self._columns}
        self._heldout = {
            "step": [float(one.step) for one in stored.evals],
            "loss": [one.heldout_loss for one in stored.evals],
        }
        self._parameters = 0 if stored.start is None else stored.start.parameters

    def _grown(self, step: int) -> None:
        self.result = replace(
            self.result,
            parameters=self._parameters,
            steps=step,
            curve=thinned({name: np.array(column) for name, column in self._columns.items()}),
            heldout={name: np.array(column) for name, column in self._heldout.items()},
        )


def _result(experiment: Experiment, seeds: int, tiny: bool, arms: list[ArmResult]) -> ExperimentResult:
    command = f"headscope experiment {experiment.name} --seeds {seeds}" + (" --tiny" if tiny else "")
    versions = {"headscope": VERSION, "torch": torch.__version__}
    return ExperimentResult(experiment.name, command, experiment.key(tiny=tiny), versions, tuple(arms))


def _read(path: Path) -> dict[str, Any] | None:
    """What was measured earlier; None where nothing was, or it is damaged."""
    try:
        values = parse_json(path.read_bytes())
    except OSError:
        return None
    return values if isinstance(values, dict) else None
