"""Training curves as files: pictures of the plots as seen, and a table of every measured number."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from model.errors import HeadscopeError
from model.files.files import StrPath, replace_bytes, replacing, shown, write_chunks
from viewer.export.picture import FORMATS, Picture, page_height, to_bytes
from viewer.figures.canvas.theme import Theme
from viewer.figures.curves.spec import CurvesSpec
from viewer.figures.drawing import figure_height, paint_figure
from viewer.figures.figure import FigureSpec
from viewer.figures.rows import figure_rows
from viewer.figures.table import csv_chunks

SUFFIXES = (*FORMATS, "csv")


def curves_picture(figure: FigureSpec[CurvesSpec], theme: Theme, width: float) -> Picture:
    """The plots on a page of that width (pixels), as high as they are in view."""

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        paint_figure(painter, figure, rect, theme)

    height = page_height(figure_height(figure, width))
    return Picture(paint, width, height, theme.color("panel"), figure.body.title, figure.caption)


def write_curves(
    figure: FigureSpec[CurvesSpec], path: StrPath, theme: Theme, width: float, *, dpi: int
) -> None:
    """Write the picture, or the numbers, by the ending of the file's name.

    Raises:
        HeadscopeError: another ending, or the file cannot be written; an old one stays.
    """
    wanted = Path(path).suffix.lower().removeprefix(".")
    if wanted not in SUFFIXES:
        raise HeadscopeError("curves_suffix", path=shown(path))
    if wanted == "csv":
        with replacing(path) as temporary:
            write_chunks(temporary, csv_chunks(figure_rows(figure)))
    else:
        replace_bytes(path, to_bytes(curves_picture(figure, theme, width), wanted, dpi))
