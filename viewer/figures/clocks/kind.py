"""The kinds of clocks: hands of a sinusoidal table, and of queries and keys that are turned."""

from __future__ import annotations

from viewer.figures.clocks.layout import clocks_geometry, clocks_height
from viewer.figures.clocks.paint import paint_clocks
from viewer.figures.clocks.rotary import RotaryClocksSpec
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.clocks.spoken import spoken_clocks
from viewer.figures.clocks.table import clocks_rows, rotary_clocks_rows
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "clocks",
    Drawing(ClocksSpec, clocks_geometry, clocks_height, paint_clocks, rows=clocks_rows, spoken=spoken_clocks),
)

ROTARY = FigureKind(
    "rotary_clocks",
    Drawing(
        RotaryClocksSpec,
        clocks_geometry,
        clocks_height,
        paint_clocks,
        rows=rotary_clocks_rows,
        spoken=spoken_clocks,
    ),
)
