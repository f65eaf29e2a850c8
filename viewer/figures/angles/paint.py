"""Painting the angles of rotations."""

from __future__ import annotations

from PySide6.QtGui import QPainter

from viewer.figures.angles.layout import AnglesGeometry
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.paint_tables import paint_tables
from viewer.figures.canvas.theme import Theme


def paint_angles(painter: QPainter, place: AnglesGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw all parts where their geometry says."""
    paint_tables(painter, place.tables, theme, options)
