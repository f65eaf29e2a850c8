"""Painting a sheet."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.layout import SheetGeometry


def paint_sheet(painter: QPainter, place: SheetGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw title, parts, formula and notes."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    for part in place.parts:
        painter.save()
        part.paint(painter, theme, vector=options.vector)
        painter.restore()
    if place.formula is not None:
        place.formula.draw(painter, place.formula_at, theme.text)
    draw_runs(painter, place.runs, theme)
    painter.restore()
