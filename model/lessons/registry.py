"""LESSONS: every lesson, in the order of a lecture. No torch."""

from __future__ import annotations

from model.errors import HeadscopeError
from model.lessons.lesson import Lesson
from model.lessons.norms import NORMS
from model.lessons.scaling import SCALING
from model.lessons.smoothing import SMOOTHING
from model.lessons.weighted_average import WEIGHTED_AVERAGE

LESSONS: tuple[Lesson, ...] = (WEIGHTED_AVERAGE, SCALING, NORMS, SMOOTHING)


def lesson_named(name: str) -> Lesson:
    """A lesson by its name.

    Raises:
        HeadscopeError: `lesson_unknown`.
    """
    for lesson in LESSONS:
        if lesson.name == name:
            return lesson
    raise HeadscopeError("lesson_unknown", name=name, known=", ".join(lesson.name for lesson in LESSONS))
