"""Painting two maps of numbers, a plot and sentences."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.cells import draw_matrix, hatch_lines
from viewer.figures.canvas.frame import draw_bar, draw_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.plot import draw_plot
from viewer.figures.canvas.tables import PlacedMap, Tables
from viewer.figures.canvas.theme import Theme


def paint_tables(
    painter: QPainter,
    place: Tables,
    theme: Theme,
    options: DrawOptions,
    behind: Callable[[], None] = lambda: None,
) -> None:
    """Draw all parts where their geometry says.

    Args:
        behind: draws what stands behind the plot's curve.
    """
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    for each in place.maps:
        _map(painter, each, place.scale, theme, vector=options.vector)
    behind()
    draw_plot(painter, place.plot, theme)
    draw_runs(painter, place.notes, theme)
    painter.restore()


def counted(first: int, count: int, room: float, apart: float) -> list[int]:
    """Round numbers from `first` on, `count` in all, at least `apart` from each other on an axis."""
    step = 1
    for step in (factor * 10**power for power in range(7) for factor in (1, 2, 5)):
        if step * room / max(1, count) >= apart:
            break
    begin = first if first in (0, 1) and step == 1 else -(-first // step) * step
    return list(range(begin, first + count, step))


def _map(painter: QPainter, place: PlacedMap, scale: float, theme: Theme, *, vector: bool) -> None:
    part, box = place.part, place.box
    colours = palette(theme, part.levels)
    draw_matrix(painter, box, part.matrix, part.levels, colours, vector=vector)
    rows, columns = part.matrix.shape
    tall, wide = box.height() / rows, box.width() / columns
    if part.masked is not None:
        for row in range(rows):
            for column in range(columns):
                if part.masked[row, column]:
                    corner = QPointF(box.left() + column * wide, box.top() + row * tall)
                    painter.fillRect(QRectF(corner.x(), corner.y(), wide, tall), theme.color("masked"))
        painter.setPen(QPen(theme.color("hatch"), 1))
        painter.drawLines(hatch_lines(part.masked, box, scale))
    pixels = LABEL * scale
    right = place.bar.box.right()
    heading = elided(part.heading, pixels, max(0.0, right - box.left() + 30 * scale), True)
    y = middle(box.top() - 6 * scale - line_height(pixels) / 2, pixels)
    draw_runs(painter, [TextRun(heading, box.left(), y, pixels, "text", True)], theme)
    _axes(painter, place, scale, theme)
    if part.marked is not None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("accent"), 2 * scale))
        painter.drawRect(QRectF(box.left(), box.top() + part.marked * tall, box.width(), tall))
    draw_bar(painter, place.bar, colours, theme, vector=vector)


def _axes(painter: QPainter, place: PlacedMap, scale: float, theme: Theme) -> None:
    """Frame, numbers and titles."""
    part, box, pixels = place.part, place.box, SMALL * scale
    line = line_height(pixels)
    rows, columns = part.matrix.shape
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(box)
    runs: list[TextRun] = []
    title, first = part.across
    for value in counted(first, columns, box.width(), 3.2 * pixels):
        x = box.left() + (value - first + 0.5) * box.width() / columns
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.bottom() + 3))
        text = str(value).replace("-", "−")
        y = middle(box.bottom() + 4 + line / 2, pixels)
        runs.append(TextRun(text, x - width(text, pixels) / 2, y, pixels, "dim"))
    title = elided(title, pixels, max(box.width(), 60 * scale))
    y = middle(box.bottom() + 4 + 1.5 * line, pixels)
    runs.append(TextRun(title, box.center().x() - width(title, pixels) / 2, y, pixels, "dim"))
    title, first = part.down
    widest = 0.0
    for value in counted(first, rows, box.height(), 1.7 * pixels):
        y = box.top() + (value - first + 0.5) * box.height() / rows
        painter.drawLine(QPointF(box.left() - 3, y), QPointF(box.left(), y))
        text = str(value)
        widest = max(widest, width(text, pixels))
        runs.append(TextRun(text, box.left() - 6 - width(text, pixels), middle(y, pixels), pixels, "dim"))
    draw_runs(painter, runs, theme)
    title = elided(title, pixels, box.height())
    painter.save()
    painter.translate(box.left() - widest - 6 - 0.5 * line, box.center().y() + width(title, pixels) / 2)
    painter.rotate(-90)
    draw_runs(painter, [TextRun(title, 0.0, 0.0, pixels, "dim")], theme)
    painter.restore()
