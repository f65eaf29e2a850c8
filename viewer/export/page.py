"""A figure laid out on a page of paper, as every picture file and every frame of an animation shows it."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from model.errors import HeadscopeError
from viewer.export.picture import MM_PER_INCH, PX_PER_INCH, PX_PER_POINT, Picture, page_height, page_width
from viewer.figures.building import build_figure
from viewer.figures.canvas.lettering import LABEL, SMALLEST
from viewer.figures.canvas.theme import theme
from viewer.figures.drawing import DrawOptions, figure_geometry, figure_height, paint_figure
from viewer.figures.figure import AnyFigure
from viewer.figures.paper import FONT_PT, HEIGHT_MM
from viewer.figures.registry import drawing_of
from viewer.figures.request import ExportRequest, Source
from viewer.figures.text import maximum_badge, sentence

MARGIN = 6.0  # logical pixels around the figure
_FULL_TYPE_MM = 110.0
LEAST_ON_PAPER = 5 * PX_PER_POINT
_NO_CHANGE = 1e-3


@dataclass(frozen=True)
class PlacedPage:
    """What is drawn where on a page.

    Attributes:
        figure: with the words that are drawn.
        room: what the figure is laid out in, in units of `zoom` logical pixels.
        topped: colours end at the largest weight shown; not every picture can have that.
    """

    picture: Picture
    figure: AnyFigure
    options: DrawOptions
    room: QRectF
    zoom: float
    topped: bool = False

    @property
    def label_points(self) -> float | None:
        """The type of the smallest labels on the page, in points; None where there are none to speak of."""
        place = figure_geometry(self.figure, self.room, self.options)
        pixels = drawing_of(self.figure.body).label_size(place)
        return None if pixels is None else round(pixels) * self.zoom / PX_PER_POINT


def build_page(source: Source, request: ExportRequest) -> PlacedPage:
    """The figure on a page of the request's width; raises as `build_figure` and `figure_picture`."""
    return _page(build_figure(source, request), request)


def build_picture(source: Source, request: ExportRequest) -> Picture:
    """The picture of `build_page`."""
    return build_page(source, request).picture


def figure_picture(figure: AnyFigure, request: ExportRequest) -> Picture:
    """A figure laid out on a page; its caption is that of the file, drawn or not.

    Raises:
        HeadscopeError: an impossible width, height or size of type, or too little height.
    """
    return _page(figure, request).picture


def _page(figure: AnyFigure, request: ExportRequest) -> PlacedPage:
    badges = figure.body.badges
    figure = as_told(figure, request)
    shown = replace(figure, caption="") if request.bare else figure
    width = page_width(request.width_mm)
    across = width - 2 * MARGIN

    def natural(zoom: float) -> float:
        return figure_height(shown, across / zoom, page_options(request, zoom)) * zoom

    zoom = _zoom(request)
    high = natural(zoom)
    most = _most(request)
    if most is not None and high > most - 2 * MARGIN:
        zoom, high = _lowered(shown, request, zoom, most - 2 * MARGIN, natural)
    options = page_options(request, zoom)
    colors = theme(request.theme, request.colours)
    height = page_height(high + 2 * MARGIN)
    room = QRectF(0, 0, across / zoom, (height - 2 * MARGIN) / zoom)

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        inner = rect.adjusted(MARGIN, MARGIN, -MARGIN, -MARGIN)
        drawn = replace(options, vector=vector)
        if zoom == 1:
            paint_figure(painter, shown, inner, colors, drawn)
            return
        painter.save()
        painter.translate(inner.topLeft())
        painter.scale(zoom, zoom)
        paint_figure(painter, shown, QRectF(0, 0, inner.width() / zoom, inner.height() / zoom), colors, drawn)
        painter.restore()

    picture = Picture(paint, width, height, colors.color("panel"), figure.body.title, figure.caption)
    return PlacedPage(picture, shown, options, room, zoom, topped=figure.body.badges != badges)


def page_options(request: ExportRequest, zoom: float = 1.0) -> DrawOptions:
    """How a figure is drawn on a page: with its caption, in type that suits the width or is asked for."""
    asked = request.font_size
    least = LEAST_ON_PAPER if asked is None else min(LEAST_ON_PAPER, asked * PX_PER_POINT)
    return DrawOptions(
        title=not request.bare,
        caption=True,
        font_scale=type_scale(request.width_mm) if asked is None else 1.0,
        least_type=least / zoom,
    )


def type_scale(width_mm: float) -> float:
    """How large type is on a page: on a journal's column smaller (never under 6 pt), so that a map fits."""
    return min(1.0, max(0.75, width_mm / _FULL_TYPE_MM))


def as_told(figure: AnyFigure, request: ExportRequest) -> AnyFigure:
    """The figure with its step marked only if that is wanted, and on the scale that is asked for."""
    drawing = drawing_of(figure.body)
    if not request.highlight:
        figure = replace(figure, body=drawing.unmarked(figure.body))
    if not request.to_maximum:
        return figure
    topped = drawing.topped(figure.body)
    if topped is None:
        return figure
    badge = maximum_badge(topped[1])
    body: Any = topped[0]
    body = replace(body, badges=(*body.badges, badge))
    said = sentence(f"{badge[:1].upper()}{badge[1:]}")
    return replace(figure, body=body, caption=f"{figure.caption} {said}".strip())


def _zoom(request: ExportRequest) -> float:
    """Type is in whole pixels: the page is drawn larger or smaller so that labels are of the size wanted."""
    if request.font_size is None:
        return 1.0
    low, high = FONT_PT
    if not low <= request.font_size <= high:
        raise HeadscopeError("picture_type", size=f"{request.font_size:g}", low=f"{low:g}", high=f"{high:g}")
    return request.font_size * PX_PER_POINT / LABEL


def _most(request: ExportRequest) -> float | None:
    """The most height of the page in logical pixels, a whole number of points."""
    if request.height_mm is None:
        return None
    low, high = HEIGHT_MM
    if not low <= request.height_mm <= high:
        raise HeadscopeError(
            "picture_height", height=f"{request.height_mm:g}", low=f"{low:g}", high=f"{high:g}"
        )
    return math.floor(request.height_mm / MM_PER_INCH * 72 + 1e-6) * PX_PER_POINT


def _lowered(
    figure: AnyFigure, request: ExportRequest, zoom: float, most: float, natural: Callable[[float], float]
) -> tuple[float, float]:
    """Zoom and height of a figure that is to be lower than it comes.

    A map has lower cells; what has no such slack is drawn smaller as a whole, down to the smallest type.
    """
    least = drawing_of(figure.body).least
    across = page_width(request.width_mm) - 2 * MARGIN
    if least is not None:
        needed = least(figure, across / zoom, page_options(request, zoom)) * zoom
        if needed <= most:
            return zoom, most
    else:
        smallest = SMALLEST * page_options(request, zoom).font_scale
        low, high = min(zoom, page_options(request).least_type / smallest), zoom
        needed = natural(low)
        if needed <= most:
            while high - low > _NO_CHANGE * high:
                middle = (low + high) / 2
                low, high = (middle, high) if natural(middle) <= most else (low, middle)
            return low, min(most, natural(low))
    needed_mm = (needed + 2 * MARGIN) * MM_PER_INCH / PX_PER_INCH
    raise HeadscopeError("picture_low", width=f"{request.width_mm:g}", least=math.ceil(needed_mm + 0.2))
