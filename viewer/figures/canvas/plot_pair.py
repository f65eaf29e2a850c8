"""Plot pairs: two plots beside or below each other, and what stands under them."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.canvas.frame import place_words
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.figure import AnyFigure

_WIDE = 1.15


def plots_height(figure: AnyFigure, width: float, options: DrawOptions) -> float:
    """A height that gives two plots and what stands below them a good shape."""
    body = figure.body
    tall = QRectF(0, 0, width, 1e6)
    words = place_words(tall, body.title, "", body.badges, figure.caption, options)
    share = 0.45 if width > 700 * options.font_scale else 1.4
    return words.room.top() + share * width + tall.bottom() - words.room.bottom()


def plot_boxes(room: QRectF, foot: float, scale: float) -> tuple[QRectF, QRectF, QRectF]:
    """Both plots, and below them what is `foot` high."""
    gap = 24 * scale
    plots = room.adjusted(0, 0, 0, -min(room.height(), foot + 14 * scale))
    below = QRectF(room.left(), room.bottom() - foot, room.width(), foot)
    if room.width() > _WIDE * room.height():
        half = max(0.0, (plots.width() - gap) / 2)
        first = QRectF(plots.left(), plots.top(), half, plots.height())
        return first, first.translated(half + gap, 0), below
    half = max(0.0, (plots.height() - gap) / 2)
    first = QRectF(plots.left(), plots.top(), plots.width(), half)
    return first, first.translated(0, half + gap), below
