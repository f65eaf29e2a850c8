"""The kinds of rotation: of a sinusoidal table, and of queries and keys that are turned."""

from __future__ import annotations

from viewer.figures.kind import Drawing, FigureKind
from viewer.figures.rotation.layout import rotation_geometry, rotation_height
from viewer.figures.rotation.paint import paint_rotation
from viewer.figures.rotation.rotary import RotaryRotationSpec
from viewer.figures.rotation.spec import RotationSpec
from viewer.figures.rotation.spoken import spoken_rotation
from viewer.figures.rotation.table import rotary_rotation_rows, rotation_rows

KIND = FigureKind(
    "rotation",
    Drawing(
        RotationSpec,
        rotation_geometry,
        rotation_height,
        paint_rotation,
        rows=rotation_rows,
        spoken=spoken_rotation,
    ),
)

ROTARY = FigureKind(
    "rotary_rotation",
    Drawing(
        RotaryRotationSpec,
        rotation_geometry,
        rotation_height,
        paint_rotation,
        rows=rotary_rotation_rows,
        spoken=spoken_rotation,
    ),
)
