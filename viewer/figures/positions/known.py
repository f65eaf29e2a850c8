"""Known positions: what a model knows of them, and by which figure each of it is shown."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from viewer.document.positions.positions_known import Bias, KnownPositions, Rotary
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.angles.build import angles_figure, opening_pairs
from viewer.figures.angles.table import angles_rows
from viewer.figures.asking import check_range
from viewer.figures.bias.build import bias_figure
from viewer.figures.bias.table import bias_rows
from viewer.figures.encoding.build import opening_curves, positions_figure
from viewer.figures.encoding.table import encoding_rows
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest
from viewer.figures.table import Rows

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True, eq=False)
class Shown:
    """How one sort of knowledge is shown.

    Attributes:
        build: its figure for a request.
        rows: lines of a CSV of the figure's spec, the names of the columns first.
        arrays: all its numbers by name.
        plain: the rows [position, dimension] of a table that needs no words beside its numbers, else None.
        check: raises `HeadscopeError` unless it has what is asked for.
        unused: options that make no difference to it.
    """

    build: Callable[[Any, ExportRequest], AnyFigure]
    rows: Callable[[Any], Rows]
    arrays: Callable[[Any], Arrays]
    plain: Callable[[Any], npt.NDArray[np.float32] | None] = lambda known: None
    check: Callable[[Any, ExportRequest], None] = lambda known, request: None
    unused: tuple[str, ...] = ("head",)


def shown_as(known: KnownPositions) -> Shown:
    """How it is shown."""
    return _SHOWN[type(known)]


def _table(known: PositionTable, request: ExportRequest) -> AnyFigure:
    dimensions = known.dimensions
    curves = opening_curves(dimensions) if request.curves is None else request.curves
    _check_curves(curves, dimensions)
    return positions_figure(
        known.rows,
        curves,
        count=min(request.positions, len(known.rows)),
        model_name=known.model_name,
        model_sha256=known.model_sha256,
        badges=known.badges,
    )


def _angles(known: Rotary, request: ExportRequest) -> AnyFigure:
    pairs = opening_pairs(known.pairs) if request.curves is None else request.curves
    _check_curves(pairs, known.pairs)
    return angles_figure(known, pairs, count=request.positions)


def _bias(known: Bias, request: ExportRequest) -> AnyFigure:
    return bias_figure(known, head=request.bias_head, length=request.positions)


def _check_curves(curves: tuple[int, ...], count: int) -> None:
    for curve in curves:
        if not 0 <= curve < count:
            raise HeadscopeError("export_curve", value=curve, last=count - 1)


def _bias_arrays(known: Bias) -> Arrays:
    fact = known.fact
    return {"bias": fact.weights, "buckets": fact.buckets, "offsets": fact.offsets}


_SHOWN: dict[type, Shown] = {
    PositionTable: Shown(
        _table,
        encoding_rows,
        lambda known: {"positions": known.rows},
        lambda known: known.rows if known.stack == "both" else None,
    ),
    Rotary: Shown(
        _angles, angles_rows, lambda known: {"inverse_frequencies": known.fact.inverse_frequencies}
    ),
    Bias: Shown(
        _bias,
        bias_rows,
        _bias_arrays,
        check=lambda known, request: check_range("bias_head", request.bias_head, known.heads),
        unused=("curves",),
    ),
}
