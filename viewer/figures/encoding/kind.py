"""The kind of an encoding: the table of positions itself."""

from __future__ import annotations

from viewer.figures.encoding.layout import positions_geometry, positions_height
from viewer.figures.encoding.paint import paint_positions
from viewer.figures.encoding.spec import PositionsSpec
from viewer.figures.encoding.spoken import spoken_encoding
from viewer.figures.encoding.table import encoding_rows
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "encoding",
    Drawing(
        PositionsSpec,
        positions_geometry,
        positions_height,
        paint_positions,
        rows=encoding_rows,
        spoken=spoken_encoding,
    ),
)
