"""Gold links over a map's cells: outlined boxes, solid for sure and dashed for possible links."""

from __future__ import annotations

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.theme import Theme
from viewer.figures.map.gold.spec import GoldBox
from viewer.figures.map.layout import MapGeometry

_LINE, _HALO = 1.8, 4.0
_INSET, _INSET_SHARE = 2.5, 0.12
_LEAST = 5.0  # a box of tiny cells is drawn larger than they are
_DASHES = (2.2, 1.8)


def gold_rects(place: MapGeometry) -> list[tuple[GoldBox, QRectF]]:
    """Where each link in view, or the part of it that is, is drawn; rows of later steps have none yet."""
    overlay = place.spec.gold
    rects: list[tuple[GoldBox, QRectF]] = []
    if overlay is None:
        return rects
    last_row = min(place.last_row, place.spec.shown_rows)
    inset = min(_INSET * place.scale, _INSET_SHARE * min(place.cell_width, place.cell_height))
    for box in overlay.boxes:
        top, bottom = max(box.first_row, place.first_row), min(box.last_row, last_row)
        left, right = max(box.first_column, place.first_column), min(box.last_column, place.last_column)
        if top >= bottom or left >= right:
            continue
        rect = place.rect_of(top, left).united(place.rect_of(bottom - 1, right - 1))
        rect.adjust(inset, inset, -inset, -inset)
        if min(rect.width(), rect.height()) < _LEAST:
            grown = QRectF(0, 0, max(_LEAST, rect.width()), max(_LEAST, rect.height()))
            grown.moveCenter(rect.center())
            rect = grown
        rects.append((box, rect))
    return rects


def paint_gold(painter: QPainter, place: MapGeometry, theme: Theme) -> None:
    """Draw the links; a rim in the panel's colour sets their lines off against any weight."""
    rects = gold_rects(place)
    if not rects:
        return
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    for box, rect in rects:
        corner = min(3.0 * place.scale, 0.25 * min(rect.width(), rect.height()))
        halo = QPen(theme.color("panel"), _HALO * place.scale)
        line = QPen(gold_color(theme), _LINE * place.scale)
        if box.kind == "possible":
            line.setDashPattern(list(_DASHES))
            line.setCapStyle(Qt.PenCapStyle.FlatCap)
        for pen in (halo, line):
            painter.setPen(pen)
            painter.drawRoundedRect(rect, corner, corner)
    painter.restore()


def gold_color(theme: Theme) -> QColor:
    """The colour of gold links: of the warm hue that no weight has."""
    return QColor(theme.curves[1])
