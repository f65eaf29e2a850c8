"""The kind of a bias by distance."""

from __future__ import annotations

from viewer.figures.bias.layout import bias_geometry
from viewer.figures.bias.paint import paint_bias
from viewer.figures.bias.spec import BiasSpec
from viewer.figures.bias.spoken import spoken_bias
from viewer.figures.bias.table import bias_rows
from viewer.figures.canvas.tables import tables_height
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "bias", Drawing(BiasSpec, bias_geometry, tables_height, paint_bias, rows=bias_rows, spoken=spoken_bias)
)
