"""Painting R(k) · PE(pos) = PE(pos + k): arrows on unit circles, and the numbers."""

from __future__ import annotations

import math

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
from viewer.figures.rotation.layout import RotationGeometry

_FROM, _TO = 0, 1  # the curves' colours of PE(pos) and PE(pos + k)


def paint_rotation(painter: QPainter, place: RotationGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw all parts where their geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    _large(painter, place, theme)
    draw_runs(painter, place.runs, theme)
    painter.setPen(QPen(theme.color("text"), 1.2 * place.scale))
    for each in place.brackets:
        _bracket(painter, each.box, place.scale)
    for each in place.brackets:
        draw_runs(painter, each.runs, theme)
    _strip(painter, place, theme)
    painter.restore()


def _bracket(painter: QPainter, box: QRectF, scale: float) -> None:
    foot = 4 * scale
    for x, inwards in ((box.left(), foot), (box.right(), -foot)):
        corners = [(inwards, box.top()), (0.0, box.top()), (0.0, box.bottom()), (inwards, box.bottom())]
        painter.drawPolyline(QPolygonF([QPointF(x + dx, y) for dx, y in corners]))


def _large(painter: QPainter, place: RotationGeometry, theme: Theme) -> None:
    """The chosen pair's circle with its axes, angle and names."""
    spec, scale, box = place.spec, place.scale, place.circle
    pixels = SMALL * scale
    line = line_height(pixels)
    radius = box.width() / 2 - line - 4 * scale
    if radius < 12:
        return
    centre = box.center()
    painter.setPen(QPen(theme.color("grid"), 1))
    painter.drawLine(QPointF(centre.x() - radius, centre.y()), QPointF(centre.x() + radius, centre.y()))
    painter.drawLine(QPointF(centre.x(), centre.y() - radius), QPointF(centre.x(), centre.y() + radius))
    up, right = spec.axis_names()
    x = centre.x() - width(up, pixels) / 2
    upper = TextRun(up, x, middle(box.top() + line / 2, pixels), pixels, "dim")
    painter.save()
    painter.translate(box.right() - line / 2, centre.y() + width(right, pixels) / 2)
    painter.rotate(-90)
    draw_runs(painter, [TextRun(right, 0.0, 0.36 * pixels, pixels, "dim")], theme)
    painter.restore()
    _circle(painter, place, spec.pair, centre, radius, theme, named=True)
    draw_runs(painter, [upper], theme)


def _circle(
    painter: QPainter,
    place: RotationGeometry,
    pair: int,
    centre: QPointF,
    radius: float,
    theme: Theme,
    *,
    named: bool,
) -> None:
    """A unit circle, what the rotation sweeps, both arrows, and a ring where R(k) takes the first."""
    spec, scale = place.spec, place.scale
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1.2))
    painter.drawEllipse(centre, radius, radius)
    before, wanted = spec.turned.before[pair], spec.turned.wanted[pair]
    angle = float(spec.frequencies[pair]) * spec.offset
    start = math.atan2(float(before[0]), float(before[1]))  # from twelve o'clock, clockwise
    reach = 0.34 * radius
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("highlight"))
    swept = -round(16 * math.degrees(min(angle, 2 * math.pi)))
    inner = QRectF(centre.x() - reach, centre.y() - reach, 2 * reach, 2 * reach)
    painter.drawPie(inner, round(16 * (90 - math.degrees(start))), swept)
    thick = max(1.4, min(3.0 * scale, 0.035 * radius))
    for vector, index in ((before, _FROM), (wanted, _TO)):
        tip = (float(vector[0]), float(vector[1]))
        _arrow(painter, centre, tip, radius, QColor(theme.curves[index]), thick)
    turned = spec.turned.turned[pair]
    end = QPointF(centre.x() + float(turned[0]) * radius, centre.y() - float(turned[1]) * radius)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("text"), max(1.2, 0.5 * thick)))
    ring = max(3.5, 2.4 * thick)
    painter.drawEllipse(end, ring, ring)
    if named:
        _names(painter, place, centre, radius, theme)


def _arrow(
    painter: QPainter,
    centre: QPointF,
    tip: tuple[float, float],
    radius: float,
    colour: QColor,
    thick: float,
) -> None:
    end = QPointF(centre.x() + tip[0] * radius, centre.y() - tip[1] * radius)
    length = math.hypot(*tip) * radius
    if length < 1:
        return
    along = QPointF((end.x() - centre.x()) / length, (end.y() - centre.y()) / length)
    across = QPointF(-along.y(), along.x())
    head = min(4.5 * thick, 0.4 * length)
    neck = end - along * head
    painter.setPen(QPen(colour, thick, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap))
    painter.drawLine(centre, neck)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([end, neck + across * (0.45 * head), neck - across * (0.45 * head)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _names(painter: QPainter, place: RotationGeometry, centre: QPointF, radius: float, theme: Theme) -> None:
    """PE(pos), PE(pos + k) on the arrows' grounds in the corners, where nothing turns."""
    spec, pixels, box = place.spec, SMALL * place.scale, place.circle
    line = line_height(pixels)
    first, second, ring = spec.circle_names()
    entries = ((first, theme.curves[_FROM]), (second, theme.curves[_TO]), (ring, ""))
    corners = (
        QPointF(box.left(), box.top()),
        QPointF(box.left(), box.bottom() - 2 * line),
        QPointF(box.left(), box.bottom() - line),
    )
    for (text, colour), corner in zip(entries, corners, strict=True):
        mark = QPointF(corner.x() + 7 * place.scale, corner.y() + line / 2)
        if colour:
            painter.setPen(QPen(QColor(colour), 3 * place.scale))
            painter.drawLine(mark - QPointF(6 * place.scale, 0), mark + QPointF(6 * place.scale, 0))
        else:
            painter.setPen(QPen(theme.color("text"), 1.4))
            painter.drawEllipse(mark, 4 * place.scale, 4 * place.scale)
        run = TextRun(text, mark.x() + 11 * place.scale, middle(mark.y(), pixels), pixels)
        draw_runs(painter, [run], theme)


def _strip(painter: QPainter, place: RotationGeometry, theme: Theme) -> None:
    """Some other pairs: the fast ones turn far, the slow ones hardly."""
    spec, scale = place.spec, place.scale
    pixels, box = SMALL * scale, place.strip_heading
    if not place.strip:
        return
    text = QCoreApplication.translate("Figure", "The same offset for pairs of other speeds")
    text = elided(text, pixels, box.width(), True)
    heading = TextRun(text, box.left(), middle(box.center().y(), pixels), pixels, "text", True)
    draw_runs(painter, [heading], theme)
    small = SMALLEST * scale
    for pair, cell in place.strip:
        below = line_height(small)
        radius = min(cell.width(), cell.height() - below) / 2 - 4 * scale
        if radius < 6:
            continue
        centre = QPointF(cell.left() + radius + 4 * scale, cell.top() + 4 * scale + radius)
        _circle(painter, place, pair, centre, radius, theme, named=False)
        name = QCoreApplication.translate("Figure", "pair {pair}").format(pair=pair)
        chosen = pair == spec.pair
        run = TextRun(
            name,
            centre.x() - width(name, small, chosen) / 2,
            middle(cell.bottom() - below / 2, small),
            small,
            "accent" if chosen else "dim",
            chosen,
        )
        draw_runs(painter, [run], theme)
