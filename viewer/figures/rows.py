"""Rows of a figure: the numbers of its spec as lines of a CSV, with what its badges say."""

from __future__ import annotations

from viewer.figures.figure import AnyFigure
from viewer.figures.registry import drawing_of
from viewer.figures.table import Rows, noted


def figure_rows(figure: AnyFigure) -> Rows:
    """A header, then the lines of the figure's kind; a last column `notes` repeats what the badges say.

    Numbers that do not exist are empty.

    Raises:
        TypeError: the kind has no lines of its own.
    """
    rows = drawing_of(figure.body).rows
    if rows is None:
        raise TypeError(f"no lines of its own: {type(figure.body).__name__}")
    return noted(rows(figure.body), figure.body.badges)
