"""TOLD_EXPERIMENTS: every experiment in words and pictures, in the order of `model.experiments.registry`."""

from __future__ import annotations

from viewer.experiments.batch_norm import BATCH_NORM
from viewer.experiments.copying import COPYING
from viewer.experiments.guided import GUIDED
from viewer.experiments.kv_heads import KV_HEADS
from viewer.experiments.many_heads import MANY_HEADS
from viewer.experiments.norm_order import NORM_ORDER
from viewer.experiments.positions import POSITIONS
from viewer.experiments.rounds import ROUNDS
from viewer.experiments.scheduled_sampling import SCHEDULED_SAMPLING
from viewer.experiments.wiring import WIRING
from viewer.lessons.registry import TOLD
from viewer.lessons.told import Told

TOLD_EXPERIMENTS: tuple[Told, ...] = (
    COPYING,
    GUIDED,
    ROUNDS,
    SCHEDULED_SAMPLING,
    BATCH_NORM,
    NORM_ORDER,
    WIRING,
    POSITIONS,
    MANY_HEADS,
    KV_HEADS,
)


def told_named(name: str) -> Told:
    """A lesson or an experiment by its name; raises as `model.experiments.registry.page_named`."""
    from model.experiments.registry import page_named

    page = page_named(name)
    return next(told for told in (*TOLD, *TOLD_EXPERIMENTS) if told.lesson is page)
