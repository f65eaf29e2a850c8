"""Position facts: what a model knows of positions, as tables, rotations, biases. numpy only, no torch.

Shapes: N positions, d width, P pairs of dimensions that turn together, B buckets, H heads.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from model.config import PositionLayout
from model.positions.positions import sinusoids_in
from model.trace.trace import Floats

Stack = Literal["encoder", "decoder", "both"]


@dataclass(frozen=True, eq=False)
class TablePositions:
    """A vector added to each token's ("Attention Is All You Need", section 3.5; learned: its table 3, row E).

    Attributes:
        rows: float32 [N, d], row p what is added at position p (offsets such as BART's 2 already taken off).
        learned: trained rather than computed.
        base, layout: of sinusoids; None and the default where learned.
        stack: whose it is.
        stored: sinusoids that are kept as numbers among the weights, not computed when they are needed.
    """

    rows: Floats
    learned: bool
    base: float | None = None
    layout: PositionLayout = "interleaved"
    stack: Stack = "both"
    stored: bool = False


def stored_table(rows: Floats, stack: Stack = "both", starts: Iterable[int] = ()) -> TablePositions:
    """What a table among a model's weights is: learned, unless it follows the formula of sinusoids.

    Args:
        starts: see `model.positions.positions.sinusoids_in`.
    """
    found = sinusoids_in(rows, starts)
    if found is None:
        return TablePositions(rows, learned=True, stack=stack)
    return TablePositions(rows, False, found.base, found.layout, stack, stored=True)


@dataclass(frozen=True, eq=False)
class RotaryPositions:
    """Queries and keys turned by their position (RoPE, Su et al. 2021, section 3.2).

    Attributes:
        inverse_frequencies: float64 [P], radians a position of each pair, scaling included.
        head_width: dimensions of a head; where 2 P is less, the others are not turned.
        base: theta.
        scaling: the name of the rule that changed the frequencies, empty if none.
        layout: a pair's two dimensions are neighbours (`interleaved`) or half a head apart (`halves`).
        max_positions: how far the model was made to count.
    """

    inverse_frequencies: npt.NDArray[np.float64]
    head_width: int
    base: float
    scaling: str = ""
    layout: PositionLayout = "halves"
    max_positions: int = 0
    stack: Stack = "decoder"


BiasSort = Literal["buckets", "slopes", "lengths"]


@dataclass(frozen=True, eq=False)
class RelativeBias:
    """A number for each head and bucket of distances, added to the scores (T5, Raffel et al. 2020, 2.1).

    Attributes:
        sort: `slopes` grows with the distance without end, a bucket a distance (ALiBi, arXiv 2108.12409);
            `lengths` is no bias: how long the vector is that a layer adds to keys of that distance, H layers
            (arXiv 1803.02155), of which a query decides what comes of it.
        weights: float32 [B, H].
        buckets: int64 [offsets], the bucket of each offset key position - query position in `offsets`.
        offsets: int64, ascending.
        max_distance: from which distance on all share the last bucket.
        bidirectional: whether keys to the right have buckets of their own.
    """

    weights: Floats
    buckets: npt.NDArray[np.int64]
    offsets: npt.NDArray[np.int64]
    max_distance: int
    bidirectional: bool
    stack: Stack
    sort: BiasSort = "buckets"


@dataclass(frozen=True)
class NoPositions:
    """Nothing is known of positions, or they work in a way that this version cannot show.

    Attributes:
        known: True where the model truly has none.
    """

    known: bool = False


PositionFacts = TablePositions | RotaryPositions | RelativeBias | NoPositions


def position_name(facts: Sequence[PositionFacts]) -> str:
    """One word for it: learned, sinusoidal, rotary, relative, alibi, none or unknown."""
    first = facts[0]
    if isinstance(first, TablePositions):
        return "learned" if first.learned else "sinusoidal"
    if isinstance(first, RelativeBias):
        return "alibi" if first.sort == "slopes" else "relative"
    if isinstance(first, NoPositions):
        return "none" if first.known else "unknown"
    return "rotary"


def is_stored(facts: Sequence[PositionFacts]) -> bool:
    """Whether the positions are sinusoids that stand as a table among the weights."""
    return any(isinstance(fact, TablePositions) and fact.stored for fact in facts)
