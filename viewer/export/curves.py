"""Training curves as files: pictures of the plots as seen, and a table of every measured number."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from model.errors import HeadscopeError
from model.files.files import StrPath, replace_bytes, shown
from viewer.document.training.curves import Curves
from viewer.export.picture import FORMATS, Picture, page_height, to_bytes
from viewer.figures.canvas.theme import Theme
from viewer.figures.curves.paint import paint_curves
from viewer.figures.curves.spec import Plot
from viewer.figures.curves.table import write_curves_csv

SUFFIXES = (*FORMATS, "csv")


def curves_picture(
    plots: Sequence[Plot],
    theme: Theme,
    *,
    size: tuple[float, float],
    across: int,
    title: str,
    caption: str,
) -> Picture:
    """The first plot large, the others below it, `across` side by side, on a page of `size` (pixels)."""

    def paint(painter: QPainter, rect: QRectF, vector: bool) -> None:
        paint_curves(painter, plots, rect, across, theme)

    height = page_height(size[1])
    return Picture(paint, size[0], height, theme.color("panel"), title, caption)


def write_curves(curves: Curves, picture: Picture, path: StrPath, *, dpi: int) -> None:
    """Write the picture, or the numbers, by the ending of the file's name.

    Raises:
        HeadscopeError: another ending, or the file cannot be written; an old one stays.
    """
    wanted = Path(path).suffix.lower().removeprefix(".")
    if wanted not in SUFFIXES:
        raise HeadscopeError("curves_suffix", path=shown(path))
    if wanted == "csv":
        write_curves_csv(curves, path)
    else:
        replace_bytes(path, to_bytes(picture, wanted, dpi))
