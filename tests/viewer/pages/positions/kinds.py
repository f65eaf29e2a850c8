"""Models that turn queries and keys, or add a bias by distance, worked out by plain loops."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import numpy as np

from model.abilities import Ability
from model.positions.position_facts import (
    NoPositions,
    PositionFacts,
    RelativeBias,
    RotaryPositions,
    TablePositions,
)
from tests.viewer.pages.positions.samples import info, learned
from viewer.document.session import Session


def rotary(**changes: Any) -> RotaryPositions:
    """Six pairs of a head of 16 dimensions."""
    speeds = np.array([500.0 ** (-2 * pair / 12) for pair in range(6)])
    return dataclasses.replace(RotaryPositions(speeds, 16, 500.0, max_positions=80), **changes)


def bucket(offset: int, *, both: bool, buckets: int = 32, furthest: int = 128) -> int:
    """Raffel et al. 2020, 2.1: half the buckets for one distance each, the others growing logarithmically."""
    distance, first = -offset, 0
    if both:
        buckets //= 2
        first = buckets if offset > 0 else 0
        distance = abs(distance)
    exact = buckets // 2
    if distance < exact:
        return first + max(0, distance)
    grown = math.log(distance / exact) / math.log(furthest / exact) * (buckets - exact)
    return first + min(buckets - 1, exact + int(grown + 1e-9))


def bias(*, both: bool = True, heads: int = 3, furthest: int = 20) -> RelativeBias:
    """Eight buckets with random numbers."""
    offsets = np.arange(-furthest, furthest + 1 if both else 1)
    buckets = [bucket(int(offset), both=both, buckets=8, furthest=furthest) for offset in offsets]
    weights = np.random.default_rng(3).normal(0, 1, (8, heads)).astype(np.float32)
    stack = "encoder" if both else "decoder"
    return RelativeBias(weights, np.array(buckets), offsets, furthest, both, stack)  # type: ignore[arg-type]


def two_tables() -> tuple[PositionFacts, ...]:
    """As BART has them."""
    return (
        TablePositions(learned(40, 12), learned=True, stack="encoder"),
        TablePositions(learned(40, 12)[::-1], learned=True, stack="decoder"),
    )


def session_of(*facts: PositionFacts, family: str = "encoder_decoder") -> Session:
    """With a model of which this is known, and which cannot be altered."""
    made = Session()
    told = facts or (NoPositions(),)
    made.set_model(
        dataclasses.replace(
            info(None), position_facts=told, family=family, can=frozenset((Ability.WRITE,)), name="foreign"
        )
    )
    return made
