"""The one door through which the window and every export draw a figure."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.drawing.heads_layout import HeadsGeometry, heads_geometry, heads_height
from viewer.drawing.heads_painter import paint_heads
from viewer.drawing.map_layout import MapGeometry, map_geometry, map_height
from viewer.drawing.map_painter import paint_map
from viewer.drawing.options import DrawOptions
from viewer.drawing.positions_layout import PositionsGeometry, positions_geometry, positions_height
from viewer.drawing.positions_painter import paint_positions
from viewer.drawing.theme import Theme
from viewer.state.figure import FigureSpec, HeadsSpec, MapSpec

__all__ = ["DrawOptions", "figure_geometry", "figure_height", "paint_figure"]

Geometry = MapGeometry | HeadsGeometry | PositionsGeometry
_PLAIN = DrawOptions()


def paint_figure(
    painter: QPainter, figure: FigureSpec, rect: QRectF, theme: Theme, options: DrawOptions = _PLAIN
) -> Geometry:
    """Draw a figure into `rect`, whose background the caller has filled with `theme.panel`.

    Lengths are logical pixels (1/96 inch); an export scales the painter instead of asking for larger ones.

    Returns:
        where everything went, for hit tests.
    """
    place = figure_geometry(figure, rect, options)
    if isinstance(place, MapGeometry):
        paint_map(painter, place, theme, options)
    elif isinstance(place, HeadsGeometry):
        paint_heads(painter, place, theme, options)
    else:
        paint_positions(painter, place, theme, options)
    return place


def figure_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions = _PLAIN) -> Geometry:
    """Where everything goes when the figure is drawn into `rect`."""
    if isinstance(figure.body, MapSpec):
        return map_geometry(figure, rect, options)
    if isinstance(figure.body, HeadsSpec):
        return heads_geometry(figure, rect, options)
    return positions_geometry(figure, rect, options)


def figure_height(figure: FigureSpec, width: float, options: DrawOptions = _PLAIN) -> float:
    """The height that suits the figure at a width, for a page cropped to it."""
    if isinstance(figure.body, MapSpec):
        return map_height(figure, width, options)
    if isinstance(figure.body, HeadsSpec):
        return heads_height(figure, width, options)
    return positions_height(figure, width, options)
