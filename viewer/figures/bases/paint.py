"""Painting two bases beside each other."""

from __future__ import annotations

from PySide6.QtCore import QLineF
from PySide6.QtGui import QPainter, QPen

from viewer.figures.bases.layout import BasesGeometry
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import draw_plot
from viewer.figures.canvas.theme import Theme


def paint_bases(painter: QPainter, place: BasesGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw both plots and the table where their geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    draw_plot(painter, place.wavelengths, theme, marked=place.spec.pair)
    draw_plot(painter, place.similarity, theme, marked=place.spec.offset)
    painter.setPen(QPen(theme.color("grid"), 1))
    room = place.words.room
    for y in place.lines:
        painter.drawLine(QLineF(room.left(), y, room.right(), y))
    draw_runs(painter, place.table, theme)
    painter.restore()
