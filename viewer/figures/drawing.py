"""Drawing a figure: the one door through which the window and every export lay out and paint."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.figure import AnyFigure
from viewer.figures.registry import drawing_of

__all__ = ["DrawOptions", "figure_geometry", "figure_height", "paint_figure"]

_PLAIN = DrawOptions()


def paint_figure(
    painter: QPainter, figure: AnyFigure, rect: QRectF, theme: Theme, options: DrawOptions = _PLAIN
) -> Any:
    """Draw a figure into `rect`, whose background the caller has filled with `theme.panel`.

    Lengths are logical pixels (1/96 inch); an export scales the painter instead of asking for larger ones.

    Returns:
        where everything went, for hit tests: the geometry of the figure's kind.
    """
    drawing = drawing_of(figure.body)
    place = drawing.layout(figure, rect, options)
    drawing.paint(painter, place, theme, options)
    return place


def figure_geometry(figure: AnyFigure, rect: QRectF, options: DrawOptions = _PLAIN) -> Any:
    """Where everything goes when the figure is drawn into `rect`: the geometry of its kind."""
    return drawing_of(figure.body).layout(figure, rect, options)


def figure_height(figure: AnyFigure, width: float, options: DrawOptions = _PLAIN) -> float:
    """The height that suits the figure at a width, for a page cropped to it."""
    return drawing_of(figure.body).height(figure, width, options)
