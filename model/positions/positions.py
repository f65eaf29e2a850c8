"""Positions as numbers: the sinusoidal encodings (paper, section 3.5), without torch.

Pair i of a sinusoidal encoding is (sin ω_i pos, cos ω_i pos) with ω_i = base^(-2i/d_model): a hand that turns
by ω_i from one position to the next, clockwise from twelve o'clock where the sine points right and the cosine
up. Shapes: N positions, d = d_model, P = d/2 pairs.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.config import PositionLayout

Doubles = npt.NDArray[np.float64]
Rows = npt.NDArray[np.floating[Any]]

PAPER_BASE = 10000.0
SLIP_BASE = 1000.0
"""What lecture notes often write for the paper's 10000."""

_STARTS = 4  # a table that fairseq counts begins behind its padding, at 2
_STORED = 2e-3  # of a table to its formula: 16 bits lose that much, and float32 of an angle far out
_BLOCK = 1024  # rows whose distances to all others are worked out together
_SAME = 1e-5  # distances that differ by less, relatively, are one distance rounded differently


def frequencies(d_model: int, base: float) -> Doubles:
    """ω_i = base^(-2i/d_model) of every pair, radians a position, float64 [P]."""
    result: Doubles = np.exp(np.arange(0, d_model, 2, dtype=np.float64) * (-math.log(base) / d_model))
    return result


def wavelengths(d_model: int, base: float) -> Doubles:
    """2π / ω_i: positions that every pair takes to turn once, float64 [P], ascending."""
    return 2 * math.pi / frequencies(d_model, base)


def alibi_slopes(n_heads: int) -> Doubles:
    """What each head takes from a score a position of distance (arXiv 2108.12409, section 3), float64 [H].

    Of a power of two the geometric sequence from 2^(-8/H) on; of another number that of the power below it,
    then every second one of twice that power, as the authors' programs have it.
    """
    power = 1 << (n_heads.bit_length() - 1)

    def sequence(count: int) -> Doubles:
        result: Doubles = np.exp2(-8.0 / count * np.arange(1, count + 1, dtype=np.float64))
        return result

    return np.concatenate([sequence(power), sequence(2 * power)[0::2][: n_heads - power]])


def sinusoidal_table(
    count: int,
    d_model: int,
    *,
    base: float = 10000.0,
    layout: PositionLayout = "interleaved",
    first: int = 0,
) -> npt.NDArray[np.float32]:
    """PE(pos, 2i) = sin(ω_i pos), PE(pos, 2i+1) = cos(ω_i pos), float32 [count, d_model], from `first` on.

    Layout `halves` holds all sines, then all cosines. Angles are worked out in float64. `d_model` is even.
    """
    angle = np.arange(first, first + count, dtype=np.float64)[:, None] * frequencies(d_model, base)
    parts = (np.sin(angle), np.cos(angle))
    if layout == "halves":
        return np.concatenate(parts, axis=1).astype(np.float32)
    return np.stack(parts, axis=-1).reshape(count, d_model).astype(np.float32)


@dataclass(frozen=True)
class Sinusoids:
    """Which sinusoids a table holds.

    Attributes:
        start: which position of the formula stands in row 0: 2 in tables that fairseq counts.
    """

    base: float
    layout: PositionLayout
    start: int = 0


def sinusoids_in(rows: Rows, starts: Iterable[int] = ()) -> Sinusoids | None:
    """The formula that a table [N, d] of any origin follows within the rounding of 16 bits, None if none.

    Args:
        starts: positions that row 0 may have, before the usual ones are tried.
    """
    count, width = rows.shape
    if count < 2 or width % 2 or width <= 2:
        return None
    # Tensor2Tensor's and fairseq's frequencies end at 1/10000 itself, one pair earlier than the paper's.
    bases = (PAPER_BASE, PAPER_BASE ** (width / (width - 2)), SLIP_BASE)
    layouts: tuple[PositionLayout, ...] = ("interleaved", "halves")
    for start in dict.fromkeys((*starts, *range(_STARTS))):
        for base, layout in itertools.product(bases, layouts):
            # Two rows part nearly all that is not so; a whole table is only worked out for the others.
            for end in (2, count):
                wanted = sinusoidal_table(end, width, base=base, layout=layout, first=start)
                if not np.allclose(rows[:end], wanted, atol=_STORED, rtol=0):
                    break
            else:
                return Sinusoids(base, layout, start)
    return None


def pair_columns(pair: int, d_model: int, layout: PositionLayout) -> tuple[int, int]:
    """The dimensions that hold a pair's sine and its cosine."""
    if layout == "halves":
        return pair, d_model // 2 + pair
    return 2 * pair, 2 * pair + 1


def hands(rows: Rows, layout: PositionLayout) -> Doubles:
    """Every pair's (sine, cosine) as they stand in the table: float64 [..., P, 2] of rows [..., d]."""
    wide = np.asarray(rows, np.float64)
    if layout == "halves":
        half = wide.shape[-1] // 2
        return np.stack([wide[..., :half], wide[..., half:]], axis=-1)
    return wide.reshape(*wide.shape[:-1], -1, 2)


def rotation(angle: float | Doubles) -> Doubles:
    """R = [[cos, sin], [-sin, cos]] of angles kω [...], float64 [..., 2, 2].

    R(k) (sin ω pos, cos ω pos) = (sin ω (pos + k), cos ω (pos + k)) for every pos: the paper's "linear
    function of PE(pos)". On the clock it turns a hand by kω clockwise.
    """
    cos, sin = np.cos(angle), np.sin(angle)
    result: Doubles = np.stack([np.stack([cos, sin], axis=-1), np.stack([-sin, cos], axis=-1)], axis=-2)
    return result


@dataclass(frozen=True, eq=False)
class Turned:
    """R(k) · PE(pos) beside the table's own PE(pos + k).

    Attributes:
        before, wanted: pairs of PE(pos) and of PE(pos + k) as the table has them, float64 [P, 2].
        turned: R(k) · PE(pos), float64 [P, 2].
        matrices: R(k) of every pair, float64 [P, 2, 2].
        differences: the larger of a pair's two absolute differences, float64 [P].
    """

    before: Doubles
    wanted: Doubles
    turned: Doubles
    matrices: Doubles
    differences: Doubles


def turned(table: Rows, position: int, offset: int, *, base: float, layout: PositionLayout) -> Turned:
    """Turn every pair of a table's row by `offset` positions; raises IndexError beyond the table."""
    before = hands(table[position], layout)
    wanted = hands(table[position + offset], layout)
    matrices = rotation(frequencies(table.shape[1], base) * offset)
    result = np.einsum("pij,pj->pi", matrices, before)
    return Turned(before, wanted, result, matrices, np.abs(result - wanted).max(axis=1))


@dataclass(frozen=True, eq=False)
class ByOffset:
    """PE(pos) · PE(pos + k) over all pos that have both rows, by offset k = 0 … N - 1; float64 [N].

    Attributes:
        mean, low, high: mean, smallest and largest product.
        deviation: standard deviation over pos.
        cosine: mean of the products divided by both lengths, 0 beside a zero vector.
    """

    mean: Doubles
    low: Doubles
    high: Doubles
    deviation: Doubles
    cosine: Doubles


def similarity_by_offset(table: Rows) -> ByOffset:
    """Dot products of a table's rows [N, d] by how far apart they are."""
    wide = np.asarray(table, np.float64)
    count = len(wide)
    norms = np.linalg.norm(wide, axis=1)
    unit = np.divide(wide, norms[:, None], out=np.zeros_like(wide), where=norms[:, None] > 0)
    sums, squares, cosines = np.zeros(count), np.zeros(count), np.zeros(count)
    low, high = np.full(count, np.inf), np.full(count, -np.inf)
    first = wide @ wide[0]  # deviations are taken from these: squares of the products would lose them
    for start in range(0, count, _BLOCK):
        rows = min(_BLOCK, count - start)
        products = wide[start : start + rows] @ wide[start:].T
        alike = unit[start : start + rows] @ unit[start:].T
        for row in range(rows):
            line = products[row, row:]
            reach = len(line)
            beyond = line - first[:reach]
            sums[:reach] += beyond
            squares[:reach] += beyond * beyond
            cosines[:reach] += alike[row, row:]
            np.minimum(low[:reach], line, out=low[:reach])
            np.maximum(high[:reach], line, out=high[:reach])
    times = np.arange(count, 0, -1, dtype=np.float64)
    beyond = sums / times
    deviation = np.sqrt(np.maximum(squares / times - beyond * beyond, 0.0))
    return ByOffset(first + beyond, low, high, deviation, cosines / times)


def exact_similarity(count: int, d_model: int, base: float) -> Doubles:
    """Σ_i cos(ω_i k) for k = 0 … count - 1: what PE(pos) · PE(pos + k) of sinusoids is at every pos."""
    angle = np.arange(count, dtype=np.float64)[:, None] * frequencies(d_model, base)
    total: Doubles = np.cos(angle).sum(axis=1)
    return total


@dataclass(frozen=True, eq=False)
class Nearest:
    """How far each position of a table is from the one most like it.

    Attributes:
        distance: smallest Euclidean distance of two rows; infinite where there are fewer than two.
        pair: the first two positions that are so near each other, within rounding; None if there are none.
        by_position: distance to the nearest other row, float64 [N].
    """

    distance: float
    pair: tuple[int, int] | None
    by_position: Doubles


def smallest_distance(table: Rows) -> Nearest:
    """The two rows of a table [N, d] nearest each other; memory for `_BLOCK` x N numbers at a time."""
    wide = np.asarray(table, np.float64)
    count = len(wide)
    nearest, partner = np.full(count, np.inf), np.zeros(count, np.int64)
    if count < 2:
        return Nearest(math.inf, None, nearest)
    for start, found in _distances(wide):
        _take_nearer(nearest, partner, slice(start, start + len(found)), found, start)
        _take_nearer(nearest, partner, slice(start, None), found.T, start)
    exact: Doubles = np.linalg.norm(wide - wide[partner], axis=1)
    least = float(exact.min())
    first = int(np.argmax(exact <= least * (1 + _SAME)))
    apart = np.linalg.norm(wide[first + 1 :] - wide[first], axis=1)
    second = first + 1 + int(np.argmax(apart <= float(apart.min()) * (1 + _SAME)))
    return Nearest(float(apart[second - first - 1]), (first, second), exact)


def _take_nearer(
    nearest: Doubles, partner: npt.NDArray[np.int64], rows: slice, found: Doubles, start: int
) -> None:
    """Note for some rows which of the columns, counted from `start`, is nearer than what was known."""
    column = found.argmin(axis=1)
    distance = found[np.arange(len(found)), column]
    nearer = distance < nearest[rows]
    nearest[rows] = np.where(nearer, distance, nearest[rows])
    partner[rows] = np.where(nearer, column + start, partner[rows])


def _distances(wide: Doubles) -> Iterator[tuple[int, Doubles]]:
    """Distances of a block of rows to themselves and all later rows, infinite to itself."""
    # |a - b|² = |a|² + |b|² - 2 a·b loses what the rows have in common: take that away first.
    centred = wide - wide.mean(axis=0)
    squares = (centred * centred).sum(axis=1)
    for start in range(0, len(wide), _BLOCK):
        block = centred[start : start + _BLOCK]
        found = (
            squares[start : start + _BLOCK, None] + squares[None, start:] - 2 * (block @ centred[start:].T)
        )
        np.fill_diagonal(found, np.inf)
        yield start, np.sqrt(np.maximum(found, 0.0))


def sinusoidal_distances(count: int, d_model: int, base: float) -> Doubles:
    """|PE(pos) - PE(pos + k)| = sqrt(Σ_i 2 - 2 cos ω_i k) for k = 0 … count - 1, whatever pos is."""
    half = 0.5 * np.arange(count, dtype=np.float64)[:, None] * frequencies(d_model, base)
    # 2 - 2 cos x = 4 sin² (x/2), which keeps its digits where x is small.
    result: Doubles = 2.0 * np.sqrt((np.sin(half) ** 2).sum(axis=1))
    return result
