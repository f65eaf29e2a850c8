"""`Experiment`: models that differ in one thing, trained side by side, and their page. No torch."""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from model.config import Architecture, TrainConfig
from model.data.tasks.registry import TASKS
from model.experiments.result import ExperimentResult
from model.lessons.control import Control
from model.lessons.lesson import Numbers, Values
from model.questions.questions import Question
from model.train_options import PRESETS, TrainOptions


@dataclass(frozen=True)
class Arm:
    """One of the models that are compared.

    Attributes:
        name: as results and commands know it.
        options: what it is told that the others are not: options of any level by their own names.
    """

    name: str
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Experiment:
    """An experiment's row in the registry.

    Attributes:
        name: as files and commands know it.
        arms: what is trained, the plain one first.
        options: what all are told, by name; `task` and `steps` among them. The task's own options and preset
            hold where nothing is said, and these run on the processor in float32, as results must not
            depend on the machine more than they have to.
        tiny: options that make it quick enough for a check that it runs at all.
        measured_by: "module:function", called with a `model.experiments.running.trained.Trained`; yields None
            where it may be interrupted and returns what is measured, JSON-able, by name.
        controls: what can be turned on its page, beside what every experiment has.
        numbers: what its page shows of a result, which may be of a run under way: arms may be missing, and
            be without measures; and of where the controls stand.
        seeds: how many the recorded result is of.
        watched_by: "module:function", a `model.experiments.running.watching.Watch`; empty where nothing is
            noted of a model while it is trained.
    """

    name: str
    arms: tuple[Arm, ...]
    options: Mapping[str, Any]
    tiny: Mapping[str, Any]
    measured_by: str
    numbers: Callable[[ExperimentResult, Values], Numbers]
    controls: Callable[[], tuple[Control, ...]] = lambda: ()
    unused: Callable[[Values], frozenset[str]] = lambda values: frozenset()
    stations: tuple[Values, ...] = ()
    seeds: int = 3
    watched_by: str = ""

    def train_options(self, arm: Arm, seed: int, *, tiny: bool = False) -> TrainOptions:
        """All that an arm's training is told."""
        given: dict[str, Any] = {**self.options, **(self.tiny if tiny else {}), **arm.options}
        task = TASKS[given["task"]]
        preset = PRESETS[given.pop("preset", task.preset)]
        wide = {one.name for one in dataclasses.fields(Architecture)}
        own = {one.name for one in dataclasses.fields(TrainConfig)}
        usual: dict[str, Any] = {
            "seed": seed,
            "precision": "float32",
            "device": "cpu",
            "bleu_sentences": 0,
            "log_every": 1,
            "output_start": "unit",  # as the recorded ones began
            "eval_every": max(1, int(given["steps"]) // EVALUATIONS),
        }
        train = {name: value for name, value in given.items() if name in own}
        shape = {name: value for name, value in given.items() if name in wide}
        rest = {name: value for name, value in given.items() if name not in own | wide}
        return TrainOptions(
            **{
                "name": f"{self.name}: {arm.name}",
                "task_size": task.size,
                "half": False,
                **task.options,
                **rest,
            },
            architecture={**preset.architecture, **shape},
            train=TrainConfig(**{**preset.train, **usual, **train}),
        )

    def arm(self, name: str) -> Arm:
        """One of the arms."""
        return next(arm for arm in self.arms if arm.name == name)

    def key(self, *, tiny: bool = False) -> str:
        """Changes when what is trained does: results and folders of unfinished runs are known by it."""
        told = [
            (arm.name, {**self.options, **(self.tiny if tiny else {}), **arm.options}) for arm in self.arms
        ]
        return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:10]


EVALUATIONS = 10
"""How often the loss of held-out pairs is measured in a run."""


@dataclass(frozen=True)
class ExperimentRun(Question, answered_by="model.experiments.running.run:experiment_run"):
    """An experiment run now; answered by `ExperimentResult`, which grows.

    Attributes:
        name: of the experiment.
        seeds: how many are run, from 1 on.
    """

    activity = "experiment"
    urgency = "background"
    needs_model = False

    name: str
    seeds: int = 1
