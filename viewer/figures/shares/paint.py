"""Painting the shares of source and prefix: two areas, one on the other, over the steps."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import (
    SMALL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.shares.layout import SharesGeometry

_LINES = (0.0, 0.5, 1.0)


def source_colour(theme: Theme) -> QColor:
    """Of the part that comes from the source."""
    return QColor(theme.curves[0])


def prefix_colour(theme: Theme) -> QColor:
    """Of the part that comes from the prefix."""
    return QColor(theme.curves[1])


def paint_shares(painter: QPainter, place: SharesGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw the areas where their geometry says, the source's below."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    _legend(painter, place, theme)
    _scale(painter, place, theme)
    _areas(painter, place, theme)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    _marks(painter, place, theme, options)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    _labels(painter, place, theme)
    painter.restore()


def _areas(painter: QPainter, place: SharesGeometry, theme: Theme) -> None:
    spec, area = place.spec, place.area
    shown = spec.steps if spec.later_from is None else min(spec.steps, spec.later_from)
    line = place.source_line(shown)
    if line:
        whole = QRectF(area.left(), area.top(), line[-1].x() - area.left(), area.height())
        painter.fillRect(whole, prefix_colour(theme))
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(source_colour(theme))
        painter.drawPolygon(QPolygonF([whole.bottomLeft(), *line, whole.bottomRight()]))
        painter.setPen(QPen(theme.color("panel"), 1.5 * place.scale))
        painter.drawPolyline(QPolygonF(line))  # tells the parts apart in greyscale too
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    for step in range(shown, spec.steps):
        painter.drawRect(place.bar(step))


def _marks(painter: QPainter, place: SharesGeometry, theme: Theme, options: DrawOptions) -> None:
    """Frames around the step in view and the one under the pointer."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    hovered = None if options.hover is None else options.hover[0]
    for step, thickness in ((hovered, 1.0), (place.spec.step, 2.0)):
        if step is not None and 0 <= step < place.spec.steps:
            painter.setPen(QPen(theme.color("text"), thickness * place.scale))
            painter.drawRect(place.bar(step).adjusted(-1, -1, 1, 1))


def _scale(painter: QPainter, place: SharesGeometry, theme: Theme) -> None:
    """Lines at none, half and all, with their numbers where there is room."""
    pixels = SMALLEST * place.scale
    text = QCoreApplication.translate("Wording", "{number} %")
    for share in _LINES:
        if share == 0.5 and place.area.height() < 3 * line_height(pixels):
            continue
        y = place.area.bottom() - share * place.area.height()
        painter.setPen(QPen(theme.color("grid"), 1))
        painter.drawLine(QPointF(place.area.left(), y), QPointF(place.area.right(), y))
        said = text.format(number=round(100 * share))
        x = place.area.left() - 6 * place.scale - width(said, pixels)
        draw_runs(painter, [TextRun(said, x, middle(y, pixels), pixels, "dim")], theme)


def _legend(painter: QPainter, place: SharesGeometry, theme: Theme) -> None:
    translate = QCoreApplication.translate
    pixels, x = SMALL * place.scale, place.legend.left()
    side = 10 * place.scale
    y = place.legend.center().y()
    for colour, words in (
        (source_colour(theme), translate("Shares", "source")),
        (prefix_colour(theme), translate("Shares", "prefix")),
    ):
        painter.fillRect(QRectF(x, y - side / 2, side, side), colour)
        x += side + 5 * place.scale
        said = elided(words, pixels, max(0.0, place.legend.right() - x))
        draw_runs(painter, [TextRun(said, x, middle(y, pixels), pixels, "dim")], theme)
        x += width(said, pixels) + 16 * place.scale


def _labels(painter: QPainter, place: SharesGeometry, theme: Theme) -> None:
    """The predicted tokens, read from below; thinned where there is no room for each."""
    if place.labels.isEmpty():
        return
    pixels, wide = SMALLEST * place.scale, place.bar_width
    every = max(1, -(-int(line_height(pixels)) // max(1, int(wide))))
    step = place.spec.step
    for index, token in enumerate(place.spec.tokens):
        if index != step and (index % every or (every > 1 and abs(index - step) < every)):
            continue
        said = elided(token.marked, pixels, place.labels.height())
        length = width(said, pixels)
        x = place.area.left() + (index + 0.5) * wide
        painter.save()
        painter.translate(x, place.labels.top() + length)
        painter.rotate(-90)
        role = "accent" if index == step else "dim" if token.dim else "text"
        draw_runs(painter, [TextRun(said, 0.0, middle(0.0, pixels), pixels, role)], theme)
        painter.restore()
