"""page_of: an experiment as a page of Learn: the recorded result at once, or run again. No torch."""

from __future__ import annotations

from typing import Any

from model.experiments.experiment import Experiment, ExperimentRun
from model.experiments.recorded import recorded_result
from model.lessons.control import Control, Press, Slider
from model.lessons.lesson import Ask, Lesson, Numbers, Subject, Values

AGAIN, SEEDS = "again", "seeds"
MOST_SEEDS = 5


def page_of(experiment: Experiment) -> Lesson:
    """Its page; the controls that every experiment has come last."""

    def controls(subject: Subject | None) -> tuple[Control, ...]:
        own = experiment.controls()
        return (*own, Slider(SEEDS, 1, MOST_SEEDS, 1, whole=True), Press(AGAIN))

    def asks(values: Values, subject: Subject | None) -> Ask | None:
        if not values[AGAIN]:
            return None
        return ExperimentRun(experiment.name, int(values[SEEDS])), None

    def numbers(values: Values, answer: Any, subject: Subject | None) -> Numbers:
        result = recorded_result(experiment.name) if answer is None else answer
        found = experiment.numbers(result, values)
        facts = {
            "recorded": result.recorded,
            "seeds": result.seeds,
            "command": result.command,
            "models": result.models,
        }
        return Numbers(found.findings, {**found.data, **facts})

    return Lesson(
        experiment.name,
        controls,
        numbers,
        asks,
        unused=experiment.unused,
        stations=lambda subject: experiment.stations,
    )
