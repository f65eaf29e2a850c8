"""The kind of distance: how alike positions are, and how far apart."""

from __future__ import annotations

from viewer.figures.canvas.plot_pair import plots_height
from viewer.figures.distance.layout import distance_geometry
from viewer.figures.distance.paint import paint_distance
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.distance.spoken import spoken_distance
from viewer.figures.distance.table import distance_rows
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "distance",
    Drawing(
        DistanceSpec,
        distance_geometry,
        plots_height,
        paint_distance,
        rows=distance_rows,
        spoken=spoken_distance,
    ),
)
