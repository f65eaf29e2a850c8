"""Registry of the lessons in words and pictures, in the order of `model.lessons.registry`."""

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
