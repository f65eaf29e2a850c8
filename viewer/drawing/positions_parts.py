"""Layout and drawing of the figures of a positional encoding's numbers, by what they are of."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from viewer.drawing.clocks_layout import ClocksGeometry, clocks_geometry, clocks_height
from viewer.drawing.clocks_painter import paint_clocks
from viewer.drawing.distance_layout import (
    BasesGeometry,
    DistanceGeometry,
    bases_geometry,
    distance_geometry,
    plots_height,
)
from viewer.drawing.distance_painter import paint_bases, paint_distance
from viewer.drawing.options import DrawOptions
from viewer.drawing.rotation_layout import RotationGeometry, rotation_geometry, rotation_height
from viewer.drawing.rotation_painter import paint_rotation
from viewer.drawing.tables_layout import TablesGeometry, tables_geometry, tables_height
from viewer.drawing.tables_painter import paint_tables
from viewer.drawing.theme import Theme
from viewer.state.bias_figure import BiasSpec
from viewer.state.figure import FigureSpec
from viewer.state.positions_specs import BasesSpec, ClocksSpec, DistanceSpec, RotationSpec
from viewer.state.rotary_specs import AnglesSpec

PartGeometry = ClocksGeometry | RotationGeometry | DistanceGeometry | BasesGeometry | TablesGeometry
PartSpec = ClocksSpec | RotationSpec | DistanceSpec | BasesSpec | AnglesSpec | BiasSpec


def part_geometry(figure: FigureSpec, rect: QRectF, options: DrawOptions) -> PartGeometry:
    """Where everything goes; `figure.body` is a `PartSpec`."""
    if isinstance(figure.body, ClocksSpec):
        return clocks_geometry(figure, rect, options)
    if isinstance(figure.body, RotationSpec):
        return rotation_geometry(figure, rect, options)
    if isinstance(figure.body, DistanceSpec):
        return distance_geometry(figure, rect, options)
    if isinstance(figure.body, AnglesSpec | BiasSpec):
        return tables_geometry(figure, rect, options)
    return bases_geometry(figure, rect, options)


def part_height(figure: FigureSpec, width: float, options: DrawOptions) -> float:
    """The height that suits the figure at a width."""
    if isinstance(figure.body, ClocksSpec):
        return clocks_height(figure, width, options)
    if isinstance(figure.body, RotationSpec):
        return rotation_height(figure, width, options)
    if isinstance(figure.body, AnglesSpec | BiasSpec):
        return tables_height(figure, width, options)
    return plots_height(figure, width, options)


def paint_part(painter: QPainter, place: PartGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw what was placed."""
    if isinstance(place, ClocksGeometry):
        paint_clocks(painter, place, theme, options)
    elif isinstance(place, RotationGeometry):
        paint_rotation(painter, place, theme, options)
    elif isinstance(place, DistanceGeometry):
        paint_distance(painter, place, theme, options)
    elif isinstance(place, TablesGeometry):
        paint_tables(painter, place, theme, options)
    else:
        paint_bases(painter, place, theme, options)
