"""Painting how alike a word's two vectors are, layer by layer."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.curves import curve_pen
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import SMALL, TextRun, draw_runs, elided, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.closeness.layout import ClosenessGeometry


def paint_closeness(painter: QPainter, place: ClosenessGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw sentences, axes, the other words' lines, and above them the chosen one with its values."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    draw_runs(painter, place.runs, theme)
    _axes(painter, place, theme)
    lines = list(enumerate(place.spec.lines))
    for index, line in reversed(lines):
        pen = curve_pen(index, theme, (3.0 if line.chosen else 1.6) * place.scale)
        points = [place.at(stage, value) for stage, value in enumerate(line.values)]
        painter.setPen(pen)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPolyline(QPolygonF(points))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.curves[index % len(theme.curves)]))
        for point in points:
            painter.drawEllipse(point, *(2 * [(4.0 if line.chosen else 2.2) * place.scale]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    _names(painter, place, theme)
    _values(painter, place, theme)
    painter.restore()


def _axes(painter: QPainter, place: ClosenessGeometry, theme: Theme) -> None:
    pixels, box = SMALL * place.scale, place.box
    line = line_height(pixels)
    ticks = [place.low + share * (1 - place.low) for share in (0, 0.25, 0.5, 0.75, 1)]
    if place.low == 0.5:
        ticks = [0.5, 0.6, 0.7, 0.8, 0.9, 1.0]
    runs = []
    for value in ticks:
        y = place.at(0, value).y()
        painter.setPen(QPen(theme.color("faint" if value == 0 else "grid"), 1))
        painter.drawLine(QLineF(box.left(), y, box.right(), y))
        text = f"{value:g}".replace("-", "−")
        x = box.left() - 7 * place.scale - width(text, pixels)
        runs.append(TextRun(text, x, middle(y, pixels), pixels, "dim"))
    slot = box.width() / len(place.spec.stages)
    for stage, name in enumerate(place.spec.stages):
        if slot < 44 * place.scale and stage % 2:
            continue
        room = slot * (2 if slot < 44 * place.scale else 1) - 4 * place.scale
        text = elided(name, pixels, room)
        x = place.at(stage, 1.0).x() - width(text, pixels) / 2
        runs.append(
            TextRun(text, x, middle(box.bottom() + 6 * place.scale + line / 2, pixels), pixels, "dim")
        )
    title = QCoreApplication.translate("Closeness", "cosine")
    if place.low > 0:
        title = QCoreApplication.translate("Closeness", "cosine (the axis starts at {low})")
        title = title.format(low=f"{place.low:g}")
    runs.append(TextRun(title, box.left() + 6 * place.scale, box.bottom() - 6 * place.scale, pixels, "dim"))
    draw_runs(painter, runs, theme)


def _names(painter: QPainter, place: ClosenessGeometry, theme: Theme) -> None:
    """Each line's word at its right end, in its own colour."""
    pixels, last = SMALL * place.scale, len(place.spec.stages) - 1
    for index, (line, y) in enumerate(zip(place.spec.lines, place.names, strict=True)):
        end = place.at(last, line.values[-1])
        left = place.box.right() + 10 * place.scale
        painter.setPen(curve_pen(index, theme, 1.2 * place.scale))
        painter.drawLine(QLineF(end + QPointF(5 * place.scale, 0), QPointF(left - 3 * place.scale, y)))
        text = elided(line.name, pixels, place.words.room.right() - left, line.chosen)
        role = "accent" if line.chosen else "dim"
        draw_runs(painter, [TextRun(text, left, middle(y, pixels), pixels, role, line.chosen)], theme)


def _values(painter: QPainter, place: ClosenessGeometry, theme: Theme) -> None:
    """The chosen line's numbers below its points, or above where there is no room."""
    pixels = SMALL * place.scale
    line = line_height(pixels)
    slot = place.box.width() / len(place.spec.stages)
    runs = []
    for stage, value in enumerate(place.spec.lines[0].values):
        text = f"{value:.2f}".replace("-", "−")
        long = width(text, pixels, True)
        if long > slot and stage % 2:
            continue
        point = place.at(stage, value)
        below = point.y() + 8 * place.scale + line / 2
        y = below if below + line / 2 < place.box.bottom() else point.y() - 8 * place.scale - line / 2
        behind = QRectF(point.x() - long / 2 - 2, y - line / 2, long + 4, line)
        painter.fillRect(behind, theme.color("panel"))
        runs.append(TextRun(text, point.x() - long / 2, middle(y, pixels), pixels, "text", True))
    draw_runs(painter, runs, theme)
