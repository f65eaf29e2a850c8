"""Minimap: a whole map in a corner of its cells, while only a part of them is in view."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QImage, QPainter, QPen

from model.trace.trace import AttentionKind
from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.cells import image_of
from viewer.figures.canvas.theme import Theme
from viewer.figures.canvas.zoom import Zoom
from viewer.figures.map.codes import map_codes
from viewer.figures.map.layout import MapGeometry
from viewer.figures.map.spec import MapSpec

_SIDE, _SHARE, _LEAST = 150.0, 0.36, 48.0
_MARGIN, _FRAME = 8.0, 3.0
_THINNEST = 0.25  # the short side of a long map, as a share of the long one
_SMALLEST_VIEW = 9.0


def minimap_rect(place: MapGeometry) -> QRectF | None:
    """Where the small picture goes: in a corner away from the crosshair; None where all cells are in view.

    Also None where a map is too small to spare the room.
    """
    spec, area = place.spec, place.map_rect
    rows, columns = place.last_row - place.first_row, place.last_column - place.first_column
    if not rows or not columns or (rows == spec.rows and columns == spec.columns):
        return None
    longest = min(_SIDE * place.scale, _SHARE * min(area.width(), area.height()))
    if longest < _LEAST:
        return None
    shape = spec.rows / spec.columns
    high = longest if shape >= 1 else longest * max(shape, _THINNEST)
    wide = longest if shape <= 1 else longest * max(1 / shape, _THINNEST)
    return _corner(place, round(wide), round(high))


def _corner(place: MapGeometry, wide: int, high: int) -> QRectF:
    """The first corner that does not hide the crosshair; top right first where nothing can be read there."""
    inner = place.map_rect.adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
    left, right = inner.left(), inner.right() - wide
    top, bottom = inner.top(), inner.bottom() - high
    corners = [(right, bottom), (right, top), (left, bottom), (left, top)]
    if place.spec.kind is AttentionKind.DECODER_SELF:
        corners[:2] = corners[1::-1]
    rects = [QRectF(round(x), round(y), wide, high) for x, y in corners]
    cell = place.spec.crosshair
    chosen = QRectF() if cell is None else place.rect_of(*cell)
    return next((rect for rect in rects if not rect.adjusted(-4, -4, 4, 4).intersects(chosen)), rects[0])


def minimap_image(spec: MapSpec, theme: Theme, rect: QRectF, ratio: float) -> QImage:
    """The whole map, each pixel the weight farthest from 0 in the cells that it covers; rows shown only."""
    rows = max(1, spec.shown_rows)
    high = max(1, round(rect.height() * ratio * rows / spec.rows))
    wide = max(1, round(rect.width() * ratio))
    values, _ = map_codes(spec, (0, spec.rows, 0, spec.columns), (high, wide))
    if not values.size:
        return QImage()
    return image_of(palette(theme, spec.levels)[values])


def view_rect(place: MapGeometry, rect: QRectF) -> QRectF:
    """The part in view, within the small picture; never too small to be seen."""
    across, down = rect.width() / place.spec.columns, rect.height() / place.spec.rows
    corner = QPointF(rect.left() + place.first_column * across, rect.top() + place.first_row * down)
    wide = max(_SMALLEST_VIEW, (place.last_column - place.first_column) * across)
    high = max(_SMALLEST_VIEW, (place.last_row - place.first_row) * down)
    return QRectF(min(corner.x(), rect.right() - wide), min(corner.y(), rect.bottom() - high), wide, high)


def centred(place: MapGeometry, rect: QRectF, zoom: Zoom, point: QPointF) -> Zoom:
    """The part in view moved so that its middle is where a point of the small picture is."""
    spec = place.spec
    row = (point.y() - rect.top()) / rect.height() * spec.rows
    column = (point.x() - rect.left()) / rect.width() * spec.columns
    down = row - (zoom.first_row + zoom.last_row) / 2
    right = column - (zoom.first_column + zoom.last_column) / 2
    return zoom.panned(down, right, spec.rows, spec.columns)


def paint_minimap(painter: QPainter, place: MapGeometry, rect: QRectF, image: QImage, theme: Theme) -> None:
    """Draw the small picture with a frame around the part in view and a mark at the crosshair."""
    spec = place.spec
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
    around = rect.adjusted(-_FRAME, -_FRAME, _FRAME, _FRAME)
    painter.fillRect(around, theme.color("panel"))
    painter.fillRect(rect, theme.color("later"))
    if not image.isNull():
        shown = QRectF(rect)
        shown.setHeight(rect.height() * spec.shown_rows / spec.rows)
        painter.drawImage(shown, image)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(around)
    if spec.crosshair is not None:
        row, column = spec.crosshair
        x = rect.left() + (column + 0.5) * rect.width() / spec.columns
        y = rect.top() + (row + 0.5) * rect.height() / spec.rows
        painter.fillRect(QRectF(x - 1, y - 1, 3, 3), theme.color("accent"))
    painter.setPen(QPen(theme.color("accent"), 1.5 * place.scale))
    painter.drawRect(view_rect(place, rect))
    painter.restore()
