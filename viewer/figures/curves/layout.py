"""Layout of training curves: the first plot large, the others below it."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QRectF

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.figure import FigureSpec

_EDGE, _GAP = 8.0, 10.0
_LARGE = 0.58  # share of the height that the first plot has


@dataclass(frozen=True, eq=False)
class CurvesGeometry:
    """Plots, placed; `places` has one rectangle for each."""

    spec: CurvesSpec
    places: tuple[QRectF, ...]


def curves_geometry(figure: FigureSpec[CurvesSpec], rect: QRectF, options: DrawOptions) -> CurvesGeometry:
    """Lay the plots out; as in the window nothing stands above them."""
    spec = figure.body
    room = rect.adjusted(_EDGE, _EDGE, -_EDGE, -_EDGE)
    rows = math.ceil((len(spec.plots) - 1) / spec.across)
    large = QRectF(room.left(), room.top(), room.width(), room.height() * (_LARGE if rows < 2 else 0.4))
    wide = (room.width() - (spec.across - 1) * _GAP) / spec.across
    top = large.bottom() + _GAP
    high = (room.bottom() - top - (rows - 1) * _GAP) / max(1, rows)
    small = [
        QRectF(room.left() + column * (wide + _GAP), top + row * (high + _GAP), wide, high)
        for row, column in (divmod(number, spec.across) for number in range(len(spec.plots) - 1))
    ]
    return CurvesGeometry(spec, (large, *small))


def curves_height(figure: FigureSpec[CurvesSpec], width: float, options: DrawOptions) -> float:
    """As high as it is in view."""
    return figure.body.shape * width
