"""Painting similarity by offset and distances of positions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import draw_band, draw_plot
from viewer.figures.canvas.theme import Theme
from viewer.figures.distance.layout import DistanceGeometry


def paint_distance(painter: QPainter, place: DistanceGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw both plots and the sentences where their geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    spec = place.spec
    draw_words(painter, place.words, theme)
    draw_band(painter, place.by_offset, spec.by_offset.low.tolist(), spec.by_offset.high.tolist(), theme)
    draw_plot(painter, place.by_offset, theme, marked=spec.offset)
    draw_plot(painter, place.by_position, theme)
    if spec.nearest.pair is not None and place.by_position.box.width() > 8:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 1.6 * place.scale))
        for position in spec.nearest.pair:
            at = place.by_position.at(position, float(spec.nearest.by_position[position]))
            painter.drawEllipse(at, 5 * place.scale, 5 * place.scale)
    draw_runs(painter, place.notes, theme)
    painter.restore()
