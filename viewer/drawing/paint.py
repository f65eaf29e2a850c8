"""The one door through which the window and every export draw a figure."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.drawing.all_heads_layout import AllHeadsGeometry, all_heads_geometry, all_heads_height
from viewer.drawing.all_heads_painter import paint_all_heads
from viewer.drawing.arithmetic_layout import (
    ArithmeticGeometry,
    arithmetic_geometry,
    arithmetic_height,
)
from viewer.drawing.arithmetic_painter import paint_arithmetic
from viewer.drawing.flow_layout import FlowGeometry, flow_geometry, flow_height
from viewer.drawing.flow_painter import paint_flow
from viewer.drawing.heads_layout import HeadsGeometry, heads_geometry, heads_height
from viewer.drawing.heads_painter import paint_heads
from viewer.drawing.learn_parts import LearnGeometry, LearnSpec, learn_geometry, learn_height, paint_learn
from viewer.drawing.map_layout import MapGeometry, map_geometry, map_height
from viewer.drawing.map_painter import paint_map
from viewer.drawing.options import DrawOptions
from viewer.drawing.positions_layout import PositionsGeometry, positions_geometry, positions_height
from viewer.drawing.positions_painter import paint_positions
from viewer.drawing.positions_parts import PartGeometry, PartSpec, paint_part, part_geometry, part_height
from viewer.drawing.shares_layout import SharesGeometry, shares_geometry, shares_height
from viewer.drawing.shares_painter import paint_shares
from viewer.drawing.theme import Theme
from viewer.drawing.words_layout import WordsGeometry, words_geometry, words_height
from viewer.drawing.words_painter import paint_words
from viewer.state.all_heads import AllHeadsSpec
from viewer.state.arithmetic import ArithmeticSpec
from viewer.state.figure import FigureSpec, HeadsSpec, MapSpec
from viewer.state.flow import FlowSpec
from viewer.state.shares import SharesSpec
from viewer.state.words_spec import WordsSpec

__all__ = ["DrawOptions", "figure_geometry", "figure_height", "paint_figure"]

Geometry = (
    MapGeometry
    | HeadsGeometry
    | PositionsGeometry
    | FlowGeometry
    | WordsGeometry
    | ArithmeticGeometry
    | PartGeometry
    | LearnGeometry
    | SharesGeometry
    | AllHeadsGeometry
)
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
    elif isinstance(place, AllHeadsGeometry):
        paint_all_heads(painter, place, theme, options)
    elif isinstance(place, FlowGeometry):
        paint_flow(painter, place, theme, options)
    elif isinstance(place, WordsGeometry):
        paint_words(painter, place, theme, options)
    elif isinstance(place, ArithmeticGeometry):
        paint_arithmetic(painter, place, theme, options)
    elif isinstance(place, LearnGeometry):
        paint_learn(painter, place, theme, options)
    elif isinstance(place, PartGeometry):
        paint_part(painter, place, theme, options)
    elif isinstance(place, SharesGeometry):
        paint_shares(painter, place, theme, options)
    else:
        paint_positions(painter, place, theme, options)
    return place


def figure_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions = _PLAIN) -> Geometry:
    """Where everything goes when the figure is drawn into `rect`."""
    if isinstance(figure.body, MapSpec):
        return map_geometry(figure, rect, options)
    if isinstance(figure.body, HeadsSpec):
        return heads_geometry(figure, rect, options)
    if isinstance(figure.body, AllHeadsSpec):
        return all_heads_geometry(figure, rect, options)
    if isinstance(figure.body, FlowSpec):
        return flow_geometry(figure, rect, options)
    if isinstance(figure.body, WordsSpec):
        return words_geometry(figure, rect, options)
    if isinstance(figure.body, ArithmeticSpec):
        return arithmetic_geometry(figure, rect, options)
    if isinstance(figure.body, LearnSpec):
        return learn_geometry(figure, rect, options)
    if isinstance(figure.body, PartSpec):
        return part_geometry(figure, rect, options)
    if isinstance(figure.body, SharesSpec):
        return shares_geometry(figure, rect, options)
    return positions_geometry(figure, rect, options)


def figure_height(figure: FigureSpec, width: float, options: DrawOptions = _PLAIN) -> float:
    """The height that suits the figure at a width, for a page cropped to it."""
    if isinstance(figure.body, MapSpec):
        return map_height(figure, width, options)
    if isinstance(figure.body, HeadsSpec):
        return heads_height(figure, width, options)
    if isinstance(figure.body, AllHeadsSpec):
        return all_heads_height(figure, width, options)
    if isinstance(figure.body, FlowSpec):
        return flow_height(figure, width, options)
    if isinstance(figure.body, WordsSpec):
        return words_height(figure, width, options)
    if isinstance(figure.body, ArithmeticSpec):
        return arithmetic_height(figure, width, options)
    if isinstance(figure.body, LearnSpec):
        return learn_height(figure, width, options)
    if isinstance(figure.body, PartSpec):
        return part_height(figure, width, options)
    if isinstance(figure.body, SharesSpec):
        return shares_height(figure, width, options)
    return positions_height(figure, width, options)
