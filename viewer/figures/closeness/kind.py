"""The kind of closeness: one word in two sentences."""

from __future__ import annotations

from viewer.figures.closeness.layout import closeness_geometry, closeness_height
from viewer.figures.closeness.paint import paint_closeness
from viewer.figures.closeness.spec import ClosenessSpec
from viewer.figures.closeness.spoken import spoken_closeness
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "closeness",
    Drawing(ClosenessSpec, closeness_geometry, closeness_height, paint_closeness, spoken=spoken_closeness),
)
