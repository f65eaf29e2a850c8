"""Painting one weight's arithmetic: stages with formulas, strips of coloured numbers, tables with bars."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QLineF, QPointF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.arithmetic.blocks import PlacedStage, PlacedStrip
from viewer.figures.arithmetic.layout import ArithmeticGeometry
from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.cells import draw_image, draw_rectangles, image_of
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import draw_runs
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme


def paint_arithmetic(
    painter: QPainter, place: ArithmeticGeometry, theme: Theme, options: DrawOptions
) -> None:
    """Draw the stages where their geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    draw_runs(painter, place.lead, theme)
    for stage in place.stages:
        painter.setPen(QPen(theme.color("grid"), 1))
        y = stage.box.top() - 6 * place.scale
        painter.drawLine(QLineF(stage.box.left(), y, stage.box.right(), y))
        _stage(painter, stage, theme, options, place.scale)
    painter.restore()


def _stage(painter: QPainter, stage: PlacedStage, theme: Theme, options: DrawOptions, scale: float) -> None:
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("accent"))
    painter.drawEllipse(stage.badge)
    painter.setBrush(theme.color("highlight"))
    for band in stage.bands:
        painter.drawRoundedRect(band, 3 * scale, 3 * scale)
    for bar, negative, chosen in stage.bars:
        painter.setBrush(bar_colour(theme, negative=negative, chosen=chosen))
        painter.drawRect(bar)
    for strip in stage.strips:
        _strip(painter, strip, theme, options)
    for centre, tone in stage.signs:
        _sign(painter, centre, tone, theme, scale)
    draw_runs(painter, stage.runs, theme)


def bar_colour(theme: Theme, *, negative: bool, chosen: bool) -> QColor:
    """The colour of a row's bar."""
    return QColor((theme.negative if negative else theme.positive)[4 if chosen else 3])


def _strip(painter: QPainter, placed: PlacedStrip, theme: Theme, options: DrawOptions) -> None:
    """The numbers from left to right and from top to bottom; cells beyond the last are the panel's."""
    count, cells = len(placed.strip.values), placed.rows * placed.columns
    shape = placed.rows, placed.columns
    levels = (-placed.strip.level, placed.strip.level)
    values = np.zeros(cells, np.float32)
    values[:count] = placed.strip.values
    beyond = (np.arange(cells) >= count).reshape(shape)
    places = codes(values.reshape(shape), None, levels, sqrt_scale=False, absent=beyond)
    table = palette(theme, levels)
    if options.vector:
        draw_rectangles(painter, placed.area, places, table)
    else:
        draw_image(painter, placed.area, image_of(table[places]))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(placed.area)
    painter.setPen(Qt.PenStyle.NoPen)


def _sign(painter: QPainter, centre: QPointF, tone: str, theme: Theme, scale: float) -> None:
    """A tick for what agrees; a triangle for what does not, or is not as the model computes it."""

    def at(x: float, y: float) -> QPointF:
        return centre + QPointF(x, y) * scale

    painter.save()
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if tone == "good":
        painter.setPen(QPen(theme.color("accent"), 2 * scale, c=Qt.PenCapStyle.RoundCap))
        painter.drawPolyline(QPolygonF([at(-4, 0), at(-1, 3.5), at(5, -4)]))
    else:
        painter.setPen(QPen(QColor(theme.negative[3]), 1.6 * scale, j=Qt.PenJoinStyle.RoundJoin))
        painter.drawPolygon(QPolygonF([at(0, -5), at(5.5, 4.5), at(-5.5, 4.5)]))
        painter.drawLine(at(0, -1.5), at(0, 1.2))
        painter.drawPoint(at(0, 3))
    painter.restore()
