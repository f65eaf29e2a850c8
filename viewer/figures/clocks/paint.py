"""Painting the wavelengths of a sinusoidal encoding and the hands of its pairs."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import LABEL, SMALLEST, TextRun, draw_runs, elided, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import draw_plot
from viewer.figures.canvas.theme import Theme
from viewer.figures.clocks.layout import ClocksGeometry, face


def paint_clocks(painter: QPainter, place: ClocksGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw the plot, the clocks and the sentences where their geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    draw_plot(painter, place.plot, theme, marked=place.spec.pair)
    draw_runs(painter, place.notes, theme)
    _heading(painter, place, theme)
    for pair, cell in zip(place.clocks.pairs, place.clocks.cells, strict=True):
        _clock(painter, place, pair, cell, theme)
    painter.restore()


def draw_hand(
    painter: QPainter, centre: QPointF, tip: tuple[float, float], radius: float, colour: QColor, thick: float
) -> QPointF:
    """A hand from `centre` to (sine, cosine) = `tip` of a circle; sine to the right, cosine up.

    Returns:
        where it ends.
    """
    end = QPointF(centre.x() + tip[0] * radius, centre.y() - tip[1] * radius)
    painter.setPen(QPen(colour, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(centre, end)
    return end


def _heading(painter: QPainter, place: ClocksGeometry, theme: Theme) -> None:
    translate, clocks = QCoreApplication.translate, place.clocks
    text = translate("Figure", "Every pair's hand at position {position}").format(
        position=place.spec.position
    )
    if clocks.pairs and len(clocks.pairs) < place.spec.pairs:
        text = translate("Figure", "Every {n}th pair's hand at position {position}").format(
            n=clocks.pairs[1] if len(clocks.pairs) > 1 else place.spec.pairs, position=place.spec.position
        )
    pixels, box = LABEL * place.scale, clocks.heading
    note = translate("Figure", "shaded face: more than one turn since position 0")
    text = elided(text, pixels, box.width(), True)
    y = middle(box.center().y(), pixels)
    runs = [TextRun(text, box.left(), y, pixels, "text", True)]
    small = SMALLEST * place.scale
    room = box.width() - width(text, pixels, True) - 14 * place.scale
    if width(note, small) <= room:
        runs.append(TextRun(note, box.right() - width(note, small), y, small, "dim"))
    draw_runs(painter, runs, theme)


def _clock(painter: QPainter, place: ClocksGeometry, pair: int, cell: QRectF, theme: Theme) -> None:
    spec, scale = place.spec, place.scale
    centre, radius = face(cell, place.clocks.numbered, scale)
    chosen, turns = pair == spec.pair, spec.turns(pair)
    box = QRectF(centre.x() - radius, centre.y() - radius, 2 * radius, 2 * radius)
    ring = QColor(theme.curves[1]) if chosen else theme.color("faint")
    painter.setPen(QPen(ring, (2.0 if chosen else 0.8) * scale))
    painter.setBrush(theme.color("badge" if turns >= 1 else "panel"))
    painter.drawEllipse(box)
    if turns < 1:
        # How far it has come: from twelve o'clock clockwise, in sixteenths of a degree.
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("highlight"))
        painter.drawPie(box.adjusted(1, 1, -1, -1), 90 * 16, -round(360 * 16 * turns))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    sine, cosine = (float(value) for value in spec.hands[pair])
    colour = QColor(theme.curves[1] if chosen else theme.curves[0])
    thick = max(1.2, min(3.0, 0.09 * radius)) * (1.2 if chosen else 1.0)
    end = draw_hand(painter, centre, (sine, cosine), 0.92 * radius, colour, thick)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    dot = max(1.2, min(3.5 * scale, 0.11 * radius))
    if math.hypot(sine, cosine) > 0:
        painter.drawEllipse(end, dot, dot)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if place.clocks.numbered:
        pixels, text = SMALLEST * scale, str(pair)
        x = centre.x() - width(text, pixels) / 2
        y = middle((centre.y() + radius + cell.bottom()) / 2, pixels)
        draw_runs(painter, [TextRun(text, x, y, pixels, "text" if chosen else "dim", chosen)], theme)
