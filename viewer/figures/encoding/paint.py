"""Painting a positional encoding: heatmap, curves, similarity of positions."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QPainter, QPen, QPolygonF

from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.cells import draw_matrix
from viewer.figures.canvas.curves import curve_pen, ticks
from viewer.figures.canvas.frame import draw_bar, draw_words, place_on_bar
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
from viewer.figures.canvas.theme import Theme
from viewer.figures.encoding.layout import SIMILARITY_LEVELS, PositionsGeometry


def paint_positions(painter: QPainter, place: PositionsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw the three pictures where their geometry says."""
    translate = QCoreApplication.translate
    spec = place.spec
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    positions, dimensions = spec.encoding.shape
    position, dimension = translate("Figure", "position"), translate("Figure", "dimension")
    beyond = place.encoding_bar.box.right()
    colours, vector = palette(theme, spec.levels), options.vector
    draw_matrix(painter, place.encoding, spec.encoding, spec.levels, colours, vector=vector)
    _heading(painter, place.encoding, beyond, translate("Figure", "Values"), place.scale, theme)
    _axes(painter, place.encoding, (dimension, dimensions), (position, positions), place.scale, theme)
    draw_bar(painter, place.encoding_bar, colours, theme, vector=vector)
    _curves(painter, place, theme)
    colours = palette(theme, SIMILARITY_LEVELS)
    draw_matrix(painter, place.similarity, spec.similarity, SIMILARITY_LEVELS, colours, vector=vector)
    heading = translate("Figure", "Cosine similarity of positions")
    _heading(painter, place.similarity, place.words.room.right(), heading, place.scale, theme)
    _axes(painter, place.similarity, (position, positions), (position, positions), place.scale, theme)
    draw_bar(painter, place.similarity_bar, colours, theme, vector=vector)
    painter.restore()


def _heading(painter: QPainter, area: QRectF, right: float, text: str, scale: float, theme: Theme) -> None:
    """A heading above `area` that ends left of `right` and may begin above the numbers of the axis."""
    pixels, before = LABEL * scale, 40 * scale
    y = area.top() - 6 * scale - line_height(pixels) / 2
    text = elided(text, pixels, before + right - area.left(), True)
    left = min(area.left(), right - width(text, pixels, True))
    draw_runs(painter, [TextRun(text, left, middle(y, pixels), pixels, "text", True)], theme)


def _axes(
    painter: QPainter,
    area: QRectF,
    across: tuple[str, int],
    down: tuple[str, int] | None,
    scale: float,
    theme: Theme,
) -> None:
    """Frame, numbers and titles: (title, count) of the cells across and down."""
    pixels = SMALL * scale
    line = line_height(pixels)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(area)
    title, count = across
    runs = []
    for value in ticks(count, area.width(), 3.2 * pixels):
        x = area.left() + (value + 0.5) * area.width() / count
        painter.drawLine(QPointF(x, area.bottom()), QPointF(x, area.bottom() + 3))
        text = str(value)
        runs.append(
            TextRun(
                text, x - width(text, pixels) / 2, middle(area.bottom() + 4 + line / 2, pixels), pixels, "dim"
            )
        )
    y = middle(area.bottom() + 4 + 1.5 * line, pixels)
    runs.append(TextRun(title, area.center().x() - width(title, pixels) / 2, y, pixels, "dim"))
    if down is not None:
        title, count = down
        for value in ticks(count, area.height(), 1.7 * pixels):
            y = area.top() + (value + 0.5) * area.height() / count
            painter.drawLine(QPointF(area.left() - 3, y), QPointF(area.left(), y))
            text = str(value)
            x = area.left() - 6 * scale - width(text, pixels)
            runs.append(TextRun(text, x, middle(y, pixels), pixels, "dim"))
        _upright(painter, area, title, pixels, theme)
    draw_runs(painter, runs, theme)


def _upright(painter: QPainter, area: QRectF, title: str, pixels: float, theme: Theme) -> None:
    """An axis title left of the numbers, read from bottom to top."""
    numbers = max(width(text, pixels) for text in ("-0.5", "000"))
    painter.save()
    painter.translate(area.left() - numbers - 14, area.center().y() + width(title, pixels) / 2)
    painter.rotate(-90)
    draw_runs(painter, [TextRun(title, 0.0, 0.0, pixels, "dim")], theme)
    painter.restore()


def _curves(painter: QPainter, place: PositionsGeometry, theme: Theme) -> None:
    """The chosen dimensions over the positions, with a legend to the right."""
    translate = QCoreApplication.translate
    spec, area, scale = place.spec, place.curves, place.scale
    count = len(spec.encoding)
    _heading(
        painter, area, place.encoding_bar.box.right(), translate("Figure", "Chosen dimensions"), scale, theme
    )
    _axes(painter, area, (translate("Figure", "position"), count), None, scale, theme)
    _upright(painter, area, translate("Figure", "value"), SMALL * scale, theme)
    _value_lines(painter, place, theme)
    pixels = SMALL * scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for index, dimension in enumerate(spec.curves):
        values = spec.encoding[:, dimension]
        points = QPolygonF()
        for position, value in enumerate(values.tolist()):
            x = area.left() + (position + 0.5) * area.width() / count
            points.append(
                QPointF(x, area.bottom() - place_on_bar(value, spec.levels, sqrt_scale=False) * area.height())
            )
        painter.setPen(curve_pen(index, theme, 1.8 * scale))
        painter.drawPolyline(points)
        y = area.top() + (index + 0.5) * line_height(pixels)
        if y + line_height(pixels) / 2 > area.bottom():
            continue
        x = area.right() + 6 * scale
        painter.drawLine(QPointF(x, y), QPointF(x + 16 * scale, y))
        draw_runs(
            painter, [TextRun(str(dimension), x + 20 * scale, middle(y, pixels), pixels, "text")], theme
        )


def _value_lines(painter: QPainter, place: PositionsGeometry, theme: Theme) -> None:
    """Horizontal lines at round values, with their numbers."""
    spec, area, pixels = place.spec, place.curves, SMALL * place.scale
    low, high = spec.levels
    runs = []
    values = [low, low / 2, 0.0, high / 2, high] if area.height() > 8 * pixels else [low, 0.0, high]
    values = values if area.height() > 3 * pixels else [low, high]
    for value in values:
        y = area.bottom() - place_on_bar(value, spec.levels, sqrt_scale=False) * area.height()
        painter.setPen(QPen(theme.color("grid" if value else "faint"), 1))
        painter.drawLine(QPointF(area.left(), y), QPointF(area.right(), y))
        text = f"{value:.3g}".replace("-", "−")
        x = area.left() - 6 * place.scale - width(text, pixels)
        runs.append(TextRun(text, x, middle(y, pixels), pixels, "dim"))
    draw_runs(painter, runs, theme)
