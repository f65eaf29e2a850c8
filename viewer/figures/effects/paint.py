"""Painting what carrying over did."""

from __future__ import annotations

from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.frame import draw_bar, draw_words
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.effects.layout import EffectsGeometry


def paint_effects(painter: QPainter, place: EffectsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw title, grids and the colour bar."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    for grid in place.grids:
        painter.save()
        grid.paint(painter, theme, vector=options.vector)
        painter.restore()
    painter.setPen(QPen(theme.color("outline"), 1))
    draw_bar(painter, place.bar, theme.diverging, theme, vector=options.vector)
    painter.restore()
