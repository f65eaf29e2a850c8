"""Painting the architecture map with the stage beside it."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.walk.details import number
from viewer.figures.walk.layout import Column, WalkGeometry
from viewer.figures.walk.paint_details import paint_detail
from viewer.figures.walk.spec import Block

# The colours of the paper's figure 1, as far as a theme has them: places in `Theme.curves`.
_TINTS = {"embedding": 4, "attention": 1, "feed_forward": 0, "residual": 5, "norm": 5, "output": 2}
_TINT = 0.13


def paint_walk(painter: QPainter, place: WalkGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw both stacks and the stage in view."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    for index, column in enumerate(place.columns):
        hover = options.hover[1] if options.hover is not None and options.hover[0] == index else None
        _column(painter, place, column, hover, theme)
    _memory_line(painter, place, theme)
    if not place.formula.isEmpty():
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("badge"))
        painter.drawRoundedRect(place.formula, 4 * place.scale, 4 * place.scale)
        painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_runs(painter, place.runs, theme)
    if place.spec.detail is not None:
        paint_detail(painter, place.detail, place.spec.detail, place.scale, theme, options)
    painter.restore()


def tint(theme: Theme, index: int, share: float = _TINT) -> QColor:
    """A curve's colour thinly laid on the panel."""
    under, over = theme.color("panel"), QColor(theme.curves[index])
    keep = 1 - share
    return QColor.fromRgbF(
        under.redF() * keep + over.redF() * share,
        under.greenF() * keep + over.greenF() * share,
        under.blueF() * keep + over.blueF() * share,
    )


def _column(painter: QPainter, place: WalkGeometry, column: Column, hover: int | None, theme: Theme) -> None:
    scale, stack = place.scale, column.stack
    active = stack.side == place.spec.side and place.spec.selected >= 0
    _head(painter, column, active, scale, theme)
    if not column.frame.isEmpty():
        _open_layer(painter, column, scale, theme)
    painter.setPen(QPen(theme.color("faint"), 1.2 * scale))
    for lower, upper in zip(column.blocks, column.blocks[1:]):
        x = lower.center().x()
        painter.drawLine(QLineF(x, lower.top(), x, upper.bottom()))
    for start, end in stack.skips:
        _skip(painter, column, start, end, scale, theme)
    for index, (area, block) in enumerate(zip(column.blocks, stack.blocks, strict=True)):
        chosen = active and block.stage == place.spec.selected and block.stage is not None
        _block(painter, area, block, place, chosen=chosen, lit=index == hover, theme=theme)


def _head(painter: QPainter, column: Column, active: bool, scale: float, theme: Theme) -> None:
    pixels, small = LABEL * scale, SMALL * scale
    head, stack = column.head, column.stack
    y = head.top() + line_height(pixels) / 2
    runs = [TextRun(stack.name, head.left(), middle(y, pixels), pixels, "accent" if active else "text", True)]
    y += line_height(pixels) / 2 + line_height(small) / 2
    token = elided(stack.token, small, head.width())
    runs.append(TextRun(token, head.left(), middle(y, small), small, "text" if active else "dim"))
    draw_runs(painter, runs, theme)


def _open_layer(painter: QPainter, column: Column, scale: float, theme: Theme) -> None:
    """A frame around the blocks of the open layer, its name written upwards at the left."""
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.setBrush(theme.color("later"))
    painter.drawRoundedRect(column.frame, 6 * scale, 6 * scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pixels = SMALL * scale
    text = elided(column.stack.open_layer, pixels, column.frame.height() - 8 * scale)
    painter.save()
    # At the foot: what comes from the encoder enters higher up.
    painter.translate(column.frame.left() + 9 * scale, column.frame.bottom() - 8 * scale)
    painter.rotate(-90)
    draw_runs(painter, [TextRun(text, 0, middle(0, pixels), pixels, "dim")], theme)
    painter.restore()


def _skip(painter: QPainter, column: Column, start: int, end: int, scale: float, theme: Theme) -> None:
    """The residual connection: from below a sub-layer around it into the sum."""
    low = column.blocks[start]
    gap = column.blocks[start - 1].top() - low.bottom() if start else 0.0
    y, right = low.bottom() + gap / 2, low.right()
    target = column.blocks[end].center().y()
    x = right + 9 * scale
    painter.setPen(QPen(theme.color("dim"), 1.2 * scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        QPolygonF([QPointF(low.center().x(), y), QPointF(x, y), QPointF(x, target), QPointF(right, target)])
    )
    _arrow(painter, QPointF(right, target), -1, scale, theme.color("dim"))


def _arrow(painter: QPainter, tip: QPointF, direction: int, scale: float, colour: QColor) -> None:
    """A head that points left (-1) or right (1)."""
    size = 4.5 * scale
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    back = tip - QPointF(direction * size, 0)
    painter.drawPolygon(QPolygonF([tip, back + QPointF(0, -0.7 * size), back + QPointF(0, 0.7 * size)]))
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _memory_line(painter: QPainter, place: WalkGeometry, theme: Theme) -> None:
    """From the encoder's last block to the cross-attention of the decoder's open layer."""
    encoder, decoder = place.columns
    target = next(
        (area for area, block in zip(decoder.blocks, decoder.stack.blocks, strict=True) if block.cross), None
    )
    if target is None or len(encoder.blocks) <= 3:
        return
    scale, top = place.scale, encoder.blocks[-1]
    x = (encoder.head.right() + decoder.frame.left()) / 2 + 7 * scale
    above, end = top.top() - 7 * scale, QPointF(target.left(), target.center().y())
    painter.setPen(QPen(QColor(theme.curves[_TINTS["attention"]]), 1.4 * scale))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        QPolygonF(
            [
                QPointF(top.center().x(), top.top()),
                QPointF(top.center().x(), above),
                QPointF(x, above),
                QPointF(x, end.y()),
                end,
            ]
        )
    )
    _arrow(painter, end, 1, scale, QColor(theme.curves[_TINTS["attention"]]))


def _block(
    painter: QPainter,
    area: QRectF,
    block: Block,
    place: WalkGeometry,
    *,
    chosen: bool,
    lit: bool,
    theme: Theme,
) -> None:
    """Name, length and change of length; along the foot a bar as long as the vector."""
    scale = place.scale
    index = _TINTS.get(block.role)
    painter.setBrush(theme.color("panel") if index is None else tint(theme, index))
    edge = theme.color("outline") if index is None else tint(theme, index, 0.45)
    if lit and block.stage is not None:
        edge = theme.color("dim")
    painter.setPen(QPen(theme.color("accent") if chosen else edge, (2.2 if chosen else 1.0) * scale))
    corner = min(5 * scale, area.height() / 3)
    painter.drawRoundedRect(area, corner, corner)
    longest = place.spec.longest
    if block.norm is not None and longest > 0:
        _length_bar(painter, area, block, longest, scale, theme)
    above = area.height() - _thickness(area, scale)
    pixels = min(SMALL * scale, max(0.7 * above, min(place.least, 0.9 * above)))
    y = middle(area.top() + above / 2, pixels)
    left, right = area.left() + 8 * scale, area.right() - 8 * scale
    runs: list[TextRun] = []
    if block.norm is not None:
        slot = width("+00.00", pixels) + 6 * scale
        if block.change is not None and area.width() > 170 * scale:
            text = signed(block.change)
            runs.append(TextRun(text, right - width(text, pixels), y, pixels, "dim"))
        if area.width() > 170 * scale:
            right -= slot
        text = number(block.norm)
        runs.append(TextRun(text, right - width(text, pixels), y, pixels, "text", chosen))
        right -= width(text, pixels) + 6 * scale
    name = elided(block.name, pixels, right - left, chosen)
    runs.append(TextRun(name, left, y, pixels, "text" if block.norm is not None else "dim", chosen))
    draw_runs(painter, runs, theme)


def _length_bar(
    painter: QPainter, area: QRectF, block: Block, longest: float, scale: float, theme: Theme
) -> None:
    room = area.width() - 10 * scale
    thick = _thickness(area, scale)
    bar = QRectF(area.left() + 5 * scale, area.bottom() - thick - 1.5 * scale, 0, thick)
    bar.setWidth(room * (block.norm or 0.0) / longest)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(tint(theme, _TINTS.get(block.role, 5), 0.6))
    painter.drawRoundedRect(bar, thick / 2, thick / 2)
    painter.setBrush(Qt.BrushStyle.NoBrush)


def _thickness(area: QRectF, scale: float) -> float:
    """Of the bar along a block's foot."""
    return min(3 * scale, area.height() / 6)


def signed(value: float) -> str:
    """A change, with its sign."""
    return f"+{number(value)}" if value >= 0 else number(value)
