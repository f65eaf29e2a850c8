"""The kind of training curves: as they are in view, with every number that was measured."""

from __future__ import annotations

from viewer.figures.curves.layout import curves_geometry, curves_height
from viewer.figures.curves.paint import paint_curves
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.curves.table import curves_rows
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "curves", Drawing(CurvesSpec, curves_geometry, curves_height, paint_curves, rows=curves_rows)
)
