"""The numbers of a figure of positions as CSV (RFC 4180, UTF-8), everything counted from 0."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from model.positions import pair_columns
from viewer.export.csv_table import POSITIONS_HEADER, number
from viewer.state.bias_figure import BiasSpec
from viewer.state.figure import FigureSpec, PositionsSpec
from viewer.state.positions_known import Bias, KnownPositions, Rotary
from viewer.state.positions_specs import BasesSpec, ClocksSpec, DistanceSpec, RotationSpec
from viewer.state.rotary_specs import AnglesSpec, RotaryClocksSpec, RotaryRotationSpec

Rows = Iterator[Sequence[object]]


def positions_rows(figure: FigureSpec) -> Rows:
    """A header, then a line a number or a pair; what the badges say is repeated in a last column `notes`.

    Encoding: `position,dimension,value`. Angles: a line a position and pair. Bias: a line a head and offset,
    then a line a query and key of the head that is looked at (`what` tells). Wavelengths: a line a pair, with
    its hand at the position. Rotation: a line a pair. Distance: a line an offset, then a line a position
    (`what` tells). Bases: `what` is `base`, `pair` or `offset`. Numbers that do not exist are empty.

    Raises:
        TypeError: the figure is not of positions.
    """
    notes = "; ".join(figure.body.badges)
    for index, line in enumerate(_lines(figure)):
        yield (*line, "notes" if index == 0 else notes) if notes else line


def positions_arrays(known: KnownPositions) -> dict[str, npt.NDArray[Any]]:
    """All numbers of a model's positions: `positions` [position, dimension]; of rotations
    `inverse_frequencies` [pair]; of a bias `bias` [bucket, head], `buckets` and `offsets` [offset].
    """
    if isinstance(known, Rotary):
        return {"inverse_frequencies": known.fact.inverse_frequencies}
    if isinstance(known, Bias):
        fact = known.fact
        return {"bias": fact.weights, "buckets": fact.buckets, "offsets": fact.offsets}
    return {"positions": known.rows}


def _lines(figure: FigureSpec) -> Rows:
    body = figure.body
    if isinstance(body, PositionsSpec):
        return _encoding(body)
    if isinstance(body, AnglesSpec):
        return _angles(body)
    if isinstance(body, BiasSpec):
        return _bias(body)
    if isinstance(body, RotaryClocksSpec):
        return _rotary_clocks(body)
    if isinstance(body, RotaryRotationSpec):
        return _rotary_rotation(body)
    if isinstance(body, ClocksSpec):
        return _clocks(body)
    if isinstance(body, RotationSpec):
        return _rotation(body)
    if isinstance(body, DistanceSpec):
        return _distance(body)
    if isinstance(body, BasesSpec):
        return _bases(body)
    raise TypeError(f"no figure of positions: {type(body).__name__}")


def _encoding(spec: PositionsSpec) -> Rows:
    yield POSITIONS_HEADER
    for position, row in enumerate(spec.encoding):
        for dimension, value in enumerate(row):
            yield position, dimension, number(value)


def _angles(spec: AnglesSpec) -> Rows:
    yield "position", "pair", "frequency", "cosine", "sine"
    for position, (cosines, sines) in enumerate(zip(spec.cosines, spec.sines, strict=True)):
        for pair, frequency in enumerate(spec.frequencies):
            yield position, pair, _exact(frequency), number(cosines[pair]), number(sines[pair])


def _bias(spec: BiasSpec) -> Rows:
    yield "what", "head", "offset", "bucket", "query", "key", "value"
    for head, values in enumerate(spec.bias):
        for offset, bucket, value in zip(spec.offsets, spec.buckets, values, strict=True):
            yield "offset", head, int(offset), int(bucket), "", "", number(value)
    for query, row in enumerate(spec.square):
        for key, value in enumerate(row):
            if not spec.masked[query, key]:
                bucket = int(spec.buckets[spec.column_of(key - query)])
                yield "cell", spec.head, key - query, bucket, query, key, number(value)


def _rotary_clocks(spec: RotaryClocksSpec) -> Rows:
    yield (
        "pair",
        "first_dimension",
        "second_dimension",
        "frequency",
        "wavelength",
        "position",
        "angle",
        "turns",
    )
    for pair in range(spec.pairs):
        frequency = 2 * math.pi / float(spec.wavelengths[pair])
        columns = pair_columns(pair, 2 * spec.pairs, spec.layout)
        numbers = (frequency, spec.wavelengths[pair])
        angle = frequency * spec.position
        yield (pair, *columns, *map(_exact, numbers), spec.position, _exact(angle), _exact(spec.turns(pair)))


def _rotary_rotation(spec: RotaryRotationSpec) -> Rows:
    yield (
        "pair", "key_position", "query_position", "key_angle", "query_angle", "angle", "cos_angle",
        "sin_angle", "product_cos", "product_sin", "difference",
    )  # fmt: skip
    for pair, frequency in enumerate(spec.frequencies):
        key, query = spec.position, spec.position + spec.offset
        numbers = (
            *(float(frequency) * place for place in (key, query, spec.offset)),
            *spec.wanted[pair, :, 0],
            *spec.turned.matrices[pair, :, 0],
            spec.turned.differences[pair],
        )
        yield (pair, key, query, *map(_exact, numbers))


def _clocks(spec: ClocksSpec) -> Rows:
    yield (
        "pair", "sine_dimension", "cosine_dimension", "frequency", "wavelength", "position", "sine", "cosine",
        "turns",
    )  # fmt: skip
    for pair in range(spec.pairs):
        wavelength = float(spec.wavelengths[pair])
        yield (
            pair,
            *pair_columns(pair, 2 * spec.pairs, spec.layout),
            _exact(2 * math.pi / wavelength),
            _exact(wavelength),
            spec.position,
            *map(_exact, spec.hands[pair]),
            _exact(spec.turns(pair)),
        )


def _rotation(spec: RotationSpec) -> Rows:
    yield (
        "pair", "position", "offset", "angle", "cos_angle", "sin_angle", "sine", "cosine", "turned_sine",
        "turned_cosine", "table_sine", "table_cosine", "difference",
    )  # fmt: skip
    found = spec.turned
    for pair, frequency in enumerate(spec.frequencies):
        yield (
            pair,
            spec.position,
            spec.offset,
            _exact(float(frequency) * spec.offset),
            *map(_exact, found.matrices[pair, 0]),
            *map(_exact, found.before[pair]),
            *map(_exact, found.turned[pair]),
            *map(_exact, found.wanted[pair]),
            _exact(found.differences[pair]),
        )


def _distance(spec: DistanceSpec) -> Rows:
    yield (
        "what", "index", "dot_mean", "dot_low", "dot_high", "dot_deviation", "cosine_mean", "dot_exact",
        "nearest_distance", "norm",
    )  # fmt: skip
    found = spec.by_offset
    for offset in range(spec.count):
        exact = "" if spec.exact is None else _exact(spec.exact[offset])
        numbers = (found.mean, found.low, found.high, found.deviation, found.cosine)
        yield "offset", offset, *(_exact(values[offset]) for values in numbers), exact, "", ""
    for position in range(spec.count):
        nearest = _exact(spec.nearest.by_position[position])
        yield "position", position, "", "", "", "", "", "", nearest, _exact(spec.norms[position])


def _bases(spec: BasesSpec) -> Rows:
    yield "what", "index", "base", "wavelength", "cosine", "smallest_distance", "apart"
    for side in spec.sides:
        base = _exact(side.base)
        yield "base", "", base, _exact(side.longest), "", _exact(side.smallest), side.apart
        yield from (("pair", i, base, _exact(v), "", "", "") for i, v in enumerate(side.wavelengths))
        yield from (("offset", i, base, "", _exact(v), "", "") for i, v in enumerate(side.cosine))


def _exact(value: float | np.floating[Any]) -> str:
    """Twelve significant digits; empty for what is no number."""
    plain = float(value)
    return f"{plain:.12g}" if math.isfinite(plain) else ""
