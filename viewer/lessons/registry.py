"""TOLD: every lesson in words and pictures, in the order of `model.lessons.registry`."""

from __future__ import annotations

from viewer.lessons.base import BASE
from viewer.lessons.bleu import BLEU
from viewer.lessons.explanation import EXPLANATION
from viewer.lessons.masks import MASKS
from viewer.lessons.norms import NORMS
from viewer.lessons.parallel import PARALLEL
from viewer.lessons.scaling import SCALING
from viewer.lessons.search import SEARCH
from viewer.lessons.slips import SLIPS
from viewer.lessons.smoothing import SMOOTHING
from viewer.lessons.tokenisation import TOKENISATION
from viewer.lessons.told import Told
from viewer.lessons.weighted_average import WEIGHTED_AVERAGE

TOLD: tuple[Told, ...] = (
    WEIGHTED_AVERAGE,
    SCALING,
    MASKS,
    SLIPS,
    BASE,
    PARALLEL,
    NORMS,
    SEARCH,
    SMOOTHING,
    BLEU,
    TOKENISATION,
    EXPLANATION,
)


def told_named(name: str) -> Told:
    """A lesson by its name; raises as `model.lessons.registry.lesson_named`."""
    from model.lessons.registry import lesson_named

    lesson = lesson_named(name)
    return next(told for told in TOLD if told.lesson is lesson)
