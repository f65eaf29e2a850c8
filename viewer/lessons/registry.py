"""TOLD: every lesson in words and pictures, in the order of `model.lessons.registry`."""

from __future__ import annotations

from viewer.lessons.norms import NORMS
from viewer.lessons.scaling import SCALING
from viewer.lessons.smoothing import SMOOTHING
from viewer.lessons.told import Told
from viewer.lessons.weighted_average import WEIGHTED_AVERAGE

TOLD: tuple[Told, ...] = (WEIGHTED_AVERAGE, SCALING, NORMS, SMOOTHING)


def told_named(name: str) -> Told:
    """A lesson by its name; raises as `model.lessons.registry.lesson_named`."""
    from model.lessons.registry import lesson_named

    lesson = lesson_named(name)
    return next(told for told in TOLD if told.lesson is lesson)
