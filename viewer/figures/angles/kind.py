"""The kind of angles: by how much queries and keys are turned."""

from __future__ import annotations

from viewer.figures.angles.layout import angles_geometry
from viewer.figures.angles.paint import paint_angles
from viewer.figures.angles.spec import AnglesSpec
from viewer.figures.angles.spoken import spoken_angles
from viewer.figures.angles.table import angles_rows
from viewer.figures.canvas.tables import tables_height
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "angles",
    Drawing(AnglesSpec, angles_geometry, tables_height, paint_angles, rows=angles_rows, spoken=spoken_angles),
)
