"""Painting one block: its ground, name and numbers, its heads, the triangle of a causal mask."""

from __future__ import annotations

import math
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.architecture.layout import ArchitectureGeometry
from viewer.figures.architecture.spec import Block, Role
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.theme import Theme

# The colours of the paper's figure 1: places in `Theme.curves`; the norms' yellow is in no theme.
_TINTS: dict[Role, int] = {
    "length": 3,
    "embedding": 4,
    "scale": 4,
    "positions": 4,
    "segments": 4,
    "attention": 1,
    "feed_forward": 0,
    "linear": 3,
    "softmax": 2,
    "copy": 1,
}
_YELLOW = {"light": "#a89410", "dark": "#d9c65a"}
_GROUND, _EDGE, _CHOSEN = 0.13, 0.5, 0.26
_MOST_TICKS = 24


@dataclass(frozen=True)
class Look:
    """How a block is drawn now.

    Attributes:
        pale: it is not computed yet.
        lit: it is the layer that other views show; `head` which of its heads, None for their mean.
    """

    chosen: bool = False
    hover: bool = False
    pale: bool = False
    lit: bool = False
    head: int | None = None


def tinted(theme: Theme, over: QColor, share: float) -> QColor:
    """A colour thinly laid on the panel."""
    under, keep = theme.color("panel"), 1 - share
    return QColor.fromRgbF(
        under.redF() * keep + over.redF() * share,
        under.greenF() * keep + over.greenF() * share,
        under.blueF() * keep + over.blueF() * share,
    )


def colour_of(role: Role, theme: Theme) -> QColor:
    """The colour of a kind of block."""
    index = _TINTS.get(role)
    return QColor(_YELLOW[theme.name] if index is None else theme.curves[index])


def paint_block(
    painter: QPainter, area: QRectF, block: Block, look: Look, place: ArchitectureGeometry, theme: Theme
) -> None:
    """Draw it."""
    scale = place.scale
    colour = colour_of(block.role, theme)
    painter.setBrush(
        theme.color("panel") if look.pale else tinted(theme, colour, _CHOSEN if look.chosen else _GROUND)
    )
    edge = theme.color("outline") if look.pale else tinted(theme, colour, _EDGE)
    pen = QPen(edge, 1.1 * scale)
    if look.hover:
        pen = QPen(theme.color("dim"), 1.6 * scale)
    if look.chosen:
        pen = QPen(theme.color("accent"), 2.4 * scale)
    if look.pale and not look.chosen:
        pen.setStyle(Qt.PenStyle.DashLine)
    painter.setPen(pen)
    corner = min(6 * scale, area.height() / 3)
    painter.drawRoundedRect(area, corner, corner)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    ticks = bool(block.heads) and area.height() > 24 * scale
    inside = area.adjusted(0, 0, 0, -7 * scale if ticks else 0)
    _texts(painter, inside, block, look, place, theme)
    if ticks:
        _heads(painter, area, block, look, colour, scale, theme)
    if block.masked:
        _triangle(painter, inside, look, colour, scale, theme)
    if block.role == "positions":
        _wave(painter, inside, look, colour, scale, theme)


def _texts(
    painter: QPainter, area: QRectF, block: Block, look: Look, place: ArchitectureGeometry, theme: Theme
) -> None:
    """The name, and under it (or behind it) its numbers, where there is room."""
    scale, least = place.scale, place.least
    sign = 22 * scale if block.masked or block.role == "positions" else 6 * scale
    room = area.width() - 2 * sign
    pixels = min(LABEL * scale, max(0.78 * area.height(), min(least, 0.95 * area.height())))
    small = min(SMALLEST * scale, max(0.9 * pixels, least))
    # Smaller before a letter goes.
    fits = pixels * room / max(1.0, width(block.name, pixels, look.chosen))
    pixels = min(pixels, max(0.78 * pixels, fits, least))
    role = "faint" if look.pale else "text"
    two = (
        block.note and area.height() >= line_height(LABEL * scale) + line_height(SMALLEST * scale) - 4 * scale
    )
    name = elided(block.name, pixels, room, look.chosen)
    centre = area.center().x()
    if two:
        note = elided(block.note, small, room)
        upper = area.center().y() - 0.5 * line_height(small)
        lower = area.center().y() + 0.5 * line_height(pixels) - 1 * scale
        runs = [
            TextRun(name, centre - width(name, pixels, look.chosen) / 2, middle(upper, pixels), pixels, role,
                    look.chosen),
            TextRun(note, centre - width(note, small) / 2, middle(lower, small), small,
                    "faint" if look.pale else "dim"),
        ]  # fmt: skip
        draw_runs(painter, runs, theme)
        return
    y = area.center().y()
    taken = width(name, pixels, look.chosen)
    beside = 8 * scale + width(block.note, small) if block.note else 0.0
    behind = block.note if block.note and taken + beside <= room else ""
    x = centre - (taken + (beside if behind else 0.0)) / 2
    runs = [TextRun(name, x, middle(y, pixels), pixels, role, look.chosen)]
    if behind:
        runs.append(
            TextRun(behind, x + taken + 8 * scale, middle(y, pixels), small, "faint" if look.pale else "dim")
        )
    draw_runs(painter, runs, theme)


def _heads(
    painter: QPainter, area: QRectF, block: Block, look: Look, colour: QColor, scale: float, theme: Theme
) -> None:
    """A cell for each head along the foot, the one in view lit; too many are left out."""
    if block.heads > _MOST_TICKS:
        return
    wide = min(9 * scale, (area.width() - 24 * scale) / block.heads)
    left = area.center().x() - wide * block.heads / 2
    for head in range(block.heads):
        cell = QRectF(
            left + head * wide + 0.8 * scale, area.bottom() - 7 * scale, wide - 1.6 * scale, 4 * scale
        )
        lit = look.lit and (look.head is None or look.head == head)
        painter.setPen(Qt.PenStyle.NoPen)
        strength = 0.14 if look.pale else 0.38
        strong = tinted(theme, theme.color("accent"), 0.4) if look.pale else theme.color("accent")
        painter.setBrush(strong if lit else tinted(theme, colour, strength))
        painter.drawRoundedRect(cell, 1 * scale, 1 * scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _triangle(
    painter: QPainter, area: QRectF, look: Look, colour: QColor, scale: float, theme: Theme
) -> None:
    """The causal mask: queries down, keys across, the upper right is masked."""
    side = min(12 * scale, 0.62 * area.height())
    box = QRectF(area.left() + 7 * scale, area.center().y() - side / 2, side, side)
    painter.setPen(QPen(tinted(theme, colour, 0.25 if look.pale else 0.6), 1 * scale))
    painter.drawRect(box)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tinted(theme, colour, 0.25 if look.pale else 0.8))
    painter.drawPolygon(QPolygonF([box.topLeft(), box.bottomLeft(), box.bottomRight()]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _wave(painter: QPainter, area: QRectF, look: Look, colour: QColor, scale: float, theme: Theme) -> None:
    """A wave in a circle, as in the paper."""
    side = min(14 * scale, 0.72 * area.height())
    box = QRectF(area.left() + 6 * scale, area.center().y() - side / 2, side, side)
    painter.setPen(QPen(tinted(theme, colour, 0.25 if look.pale else 0.75), 1.1 * scale))
    painter.drawEllipse(box)
    points = [
        QPointF(
            box.left() + side * step / 12, box.center().y() - 0.28 * side * math.sin(math.tau * step / 12)
        )
        for step in range(13)
    ]
    painter.drawPolyline(QPolygonF(points))
