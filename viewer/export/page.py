"""A figure laid out on a page of paper, as every picture file and every frame of an animation shows it."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.export.picture import Picture, page_height, page_width
from viewer.figures.building import build_figure
from viewer.figures.canvas.theme import theme
from viewer.figures.drawing import DrawOptions, figure_height, paint_figure
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest, Source

MARGIN = 6.0  # logical pixels around the figure
_FULL_TYPE_MM = 110.0
LEAST_ON_PAPER = 5 * 96 / 72  # 5 pt in logical pixels


def build_picture(source: Source, request: ExportRequest) -> Picture:
    """The figure laid out on a page of the request's width; raises as `build_figure`."""
    return figure_picture(build_figure(source, request), request.width_mm, request.theme)


def figure_picture(figure: AnyFigure, width_mm: float, theme_name: str) -> Picture:
    """A figure laid out on a page; `HeadscopeError` for an impossible width."""
    colors = theme(theme_name)
    width = page_width(width_mm)
    options = page_options(width_mm)
    natural = figure_height(figure, width - 2 * MARGIN, options)

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        inner = rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        paint_figure(painter, figure, inner, colors, replace(options, vector=vector))

    height = page_height(natural + 2 * MARGIN)
    return Picture(paint, width, height, colors.color("panel"), figure.body.title, figure.caption)


def page_options(width_mm: float) -> DrawOptions:
    """How a figure is drawn on a page of a width: with its caption, in type that suits it."""
    return DrawOptions(caption=True, font_scale=type_scale(width_mm), least_type=LEAST_ON_PAPER)


def type_scale(width_mm: float) -> float:
    """How large type is on a page: on a journal's column smaller (never under 6 pt), so that a map fits."""
    return min(1.0, max(0.75, width_mm / _FULL_TYPE_MM))
