"""EXPERIMENTS: every experiment of Learn, in the order of its list, and its page. No torch."""

from __future__ import annotations

from model.errors import HeadscopeError
from model.experiments.batch_norm import BATCH_NORM
from model.experiments.copying import COPYING
from model.experiments.experiment import Experiment
from model.experiments.guided import GUIDED_ATTENTION
from model.experiments.kv_heads import KV_HEADS
from model.experiments.many_heads import MANY_HEADS
from model.experiments.norm_order import NORM_ORDER
from model.experiments.page import page_of
from model.experiments.positions import POSITIONS
from model.experiments.rounds import ROUNDS_EXPERIMENT
from model.experiments.scheduled_sampling import SCHEDULED_SAMPLING
from model.experiments.wiring import WIRING
from model.lessons.lesson import Lesson
from model.lessons.registry import LESSONS

EXPERIMENTS: tuple[Experiment, ...] = (
    COPYING,
    GUIDED_ATTENTION,
    ROUNDS_EXPERIMENT,
    SCHEDULED_SAMPLING,
    BATCH_NORM,
    NORM_ORDER,
    WIRING,
    POSITIONS,
    MANY_HEADS,
    KV_HEADS,
)

PAGES: tuple[Lesson, ...] = (*LESSONS, *map(page_of, EXPERIMENTS))
"""Lessons and experiments, as commands name them."""


def experiment_named(name: str) -> Experiment:
    """An experiment by its name.

    Raises:
        HeadscopeError: `experiment_unknown`.
    """
    for experiment in EXPERIMENTS:
        if experiment.name == name:
            return experiment
    known = ", ".join(experiment.name for experiment in EXPERIMENTS)
    raise HeadscopeError("experiment_unknown", name=name, known=known)


def page_named(name: str) -> Lesson:
    """A lesson or an experiment's page by its name.

    Raises:
        HeadscopeError: `lesson_unknown`.
    """
    for page in PAGES:
        if page.name == name:
            return page
    raise HeadscopeError("lesson_unknown", name=name, known=", ".join(page.name for page in PAGES))
