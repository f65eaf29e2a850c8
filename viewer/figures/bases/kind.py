"""The kind of bases: sinusoids of two of them beside each other."""

from __future__ import annotations

from viewer.figures.bases.layout import bases_geometry
from viewer.figures.bases.paint import paint_bases
from viewer.figures.bases.spec import BasesSpec
from viewer.figures.bases.spoken import spoken_bases
from viewer.figures.bases.table import bases_rows
from viewer.figures.canvas.plot_pair import plots_height
from viewer.figures.kind import Drawing, FigureKind

KIND = FigureKind(
    "bases",
    Drawing(BasesSpec, bases_geometry, plots_height, paint_bases, rows=bases_rows, spoken=spoken_bases),
)
