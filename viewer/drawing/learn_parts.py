"""Layout and drawing of the Learn page's figures, by what they are of."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.drawing.closeness_layout import ClosenessGeometry, closeness_geometry, closeness_height
from viewer.drawing.closeness_painter import paint_closeness
from viewer.drawing.options import DrawOptions
from viewer.drawing.theme import Theme
from viewer.drawing.walk_layout import WalkGeometry, walk_geometry, walk_height
from viewer.drawing.walk_painter import paint_walk
from viewer.state.closeness import ClosenessSpec
from viewer.state.figure import FigureSpec
from viewer.state.walk import WalkSpec

LearnGeometry = WalkGeometry | ClosenessGeometry
LearnSpec = WalkSpec | ClosenessSpec


def learn_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> LearnGeometry:
    """Where everything goes; `figure.body` is a `LearnSpec`."""
    if isinstance(figure.body, WalkSpec):
        return walk_geometry(figure, rect, options)
    return closeness_geometry(figure, rect, options)


def learn_height(figure: FigureSpec, width: float, options: DrawOptions) -> float:
    """The height that suits the figure at a width."""
    if isinstance(figure.body, WalkSpec):
        return walk_height(figure, width, options)
    return closeness_height(figure, width, options)


def paint_learn(painter: QPainter, place: LearnGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw the figure where its geometry says."""
    if isinstance(place, WalkGeometry):
        paint_walk(painter, place, theme, options)
    else:
        paint_closeness(painter, place, theme, options)
