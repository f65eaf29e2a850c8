"""The kind of a sheet: what a lesson draws."""

from __future__ import annotations

from viewer.figures.kind import Drawing, FigureKind
from viewer.figures.sheet.layout import sheet_geometry, sheet_height
from viewer.figures.sheet.paint import paint_sheet
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.spoken import spoken_sheet

KIND = FigureKind(
    "sheet",
    Drawing(
        SheetSpec,
        sheet_geometry,
        sheet_height,
        paint_sheet,
        rows=lambda spec: spec.rows(),
        spoken=spoken_sheet,
    ),
)
