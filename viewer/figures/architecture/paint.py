"""Painting the architecture: blocks in the colours of the paper's figure 1, and what is being computed."""

from __future__ import annotations

from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen, QPolygonF

from viewer.figures.architecture.layout import ArchitectureGeometry, Column
from viewer.figures.architecture.paint_block import Look, paint_block, tinted
from viewer.figures.architecture.spec import ArchitectureSpec, Block, Layer
from viewer.figures.architecture.text import times
from viewer.figures.canvas.frame import draw_words
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
    wrapped,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme

_ATTENTION = 1  # place of attention's colour in `Theme.curves`


def paint_architecture(
    painter: QPainter, place: ArchitectureGeometry, theme: Theme, options: DrawOptions
) -> None:
    """Draw the stacks, the arrows, and light what is in view."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.words, theme)
    hovered = options.hover
    for column in place.columns:
        for frame, heading, layer in zip(column.frames, column.headings, column.stack.layers, strict=True):
            _frame(painter, place, column, frame, heading, layer, theme)
    _memory(painter, place, theme)
    for number, column in enumerate(place.columns):
        _arrows(painter, place, column, theme)
        for start, end in column.stack.skips:
            _skip(painter, place, column, start, end, theme)
        for index, (area, block) in enumerate(zip(column.blocks, column.stack.blocks, strict=True)):
            look = _look(place.spec, block, hover=hovered == (number, index))
            paint_block(painter, area, block, look, place, theme)
        for area, layer in zip(column.caches, column.stack.layers, strict=True):
            if layer.cache is not None:
                _cache(painter, area, layer, column.stack.positions, theme, options)
        _ends(painter, place, column, theme)
    draw_runs(painter, place.labels, theme)
    painter.restore()


def _look(spec: ArchitectureSpec, block: Block, *, hover: bool) -> Look:
    lit = spec.lit is not None and block.kind is not None and spec.lit[:2] == (block.kind, block.layer)
    return Look(
        chosen=block.key == spec.chosen,
        hover=hover,
        pale=spec.computed is not None and block.key not in spec.computed,
        head=spec.lit[2] if lit and spec.lit is not None else None,
        lit=lit,
    )


def _is_pale(spec: ArchitectureSpec, block: Block) -> bool:
    return spec.computed is not None and block.key not in spec.computed


def _frame(
    painter: QPainter,
    place: ArchitectureGeometry,
    column: Column,
    frame: QRectF,
    heading: QRectF,
    layer: Layer,
    theme: Theme,
) -> None:
    """Around a layer, its name and how often it is there in the top of it."""
    scale = place.scale
    painter.setPen(QPen(theme.color("outline"), 1.2 * scale))
    painter.setBrush(theme.color("later"))
    painter.drawRoundedRect(frame, 8 * scale, 8 * scale)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    pixels = min(SMALL * scale, max(0.86 * heading.height(), place.least))
    y = middle(heading.center().y() + 1 * scale, pixels)
    left, right = heading.left() + 10 * scale, heading.right() - 10 * scale
    many = times(column.stack.count) if not place.spec.unfolded else ""
    runs = []
    if many:
        large = min(LABEL * scale, 0.95 * heading.height())
        runs.append(TextRun(many, right - width(many, large, True), y, large, "text", True))
        right -= width(many, large, True) + 8 * scale
    room = min(right - left, column.middle - left - 5 * scale)
    fits = pixels * room / max(1.0, width(layer.heading, pixels))
    pixels = min(pixels, max(0.8 * pixels, fits, place.least))
    said = elided(layer.heading, pixels, room)
    runs.insert(0, TextRun(said, left, y, pixels, "dim"))
    draw_runs(painter, runs, theme)


def _line(place: ArchitectureGeometry, theme: Theme, pale: bool, wide: float = 1.4) -> QPen:
    return QPen(theme.color("outline" if pale else "dim"), wide * place.scale)


def _arrows(painter: QPainter, place: ArchitectureGeometry, column: Column, theme: Theme) -> None:
    """From block to block; into self-attention three: queries, keys and values."""
    scale = place.scale
    blocks = column.stack.blocks
    for index in range(1, len(blocks)):
        lower, upper = column.blocks[index - 1], column.blocks[index]
        pale = _is_pale(place.spec, blocks[index])
        x, tip = column.middle, upper.bottom()
        painter.setPen(_line(place, theme, pale))
        fork = blocks[index].role == "attention" and blocks[index].sublayer == "self_attention"
        reach = min(0.4 * (lower.top() - tip), 8 * scale)
        colour = painter.pen().color()
        if fork and reach > 3 * scale:
            painter.drawLine(QLineF(x, lower.top(), x, tip))
            for way in (-1, 1):
                side = x + way * 22 * scale
                painter.drawPolyline(
                    QPolygonF([QPointF(x, tip + reach), QPointF(side, tip + reach), QPointF(side, tip)])
                )
                _head(painter, QPointF(side, tip), "up", scale, colour)
        else:
            painter.setPen(_line(place, theme, pale))
            painter.drawLine(QLineF(x, lower.top(), x, tip))
        _head(painter, QPointF(x, tip), "up", scale, colour)


def _head(painter: QPainter, tip: QPointF, way: str, scale: float, colour: QColor) -> None:
    """Of an arrow that points `up`, `left` or `right`."""
    size, half = 4.5 * scale, 3.0 * scale
    back = {"up": QPointF(0, size), "left": QPointF(size, 0), "right": QPointF(-size, 0)}[way]
    aside = QPointF(half, 0) if way == "up" else QPointF(0, half)
    painter.save()
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawPolygon(QPolygonF([tip, tip + back + aside, tip + back - aside]))
    painter.restore()


def _skip(
    painter: QPainter, place: ArchitectureGeometry, column: Column, start: int, end: int, theme: Theme
) -> None:
    """A residual connection: from below a sub-layer around it into the sum."""
    target = column.blocks[end]
    pale = _is_pale(place.spec, column.stack.blocks[end])
    y = column.skip_start(start)
    lane, goal = column.skip_lane(), target.center().y()
    side = target.right() if column.outer > 0 else target.left()
    painter.setPen(_line(place, theme, pale, 1.2))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(
        QPolygonF([QPointF(column.middle, y), QPointF(lane, y), QPointF(lane, goal), QPointF(side, goal)])
    )
    _head(
        painter,
        QPointF(side, goal),
        "left" if column.outer > 0 else "right",
        place.scale,
        painter.pen().color(),
    )


def _memory(painter: QPainter, place: ArchitectureGeometry, theme: Theme) -> None:
    """What the encoder found, to the cross-attention of each decoder layer."""
    if not place.memory:
        return
    decoder = place.columns[1]
    first, above, across, top, bottom = place.memory
    strong = QColor(theme.curves[_ATTENTION])
    chosen = place.spec.block(place.spec.chosen)
    crossing = chosen is not None and chosen.sublayer == "cross" and chosen.role == "attention"
    memory = place.columns[0].stack.blocks[-1]
    pen = QPen(strong, (2.6 if crossing else 1.8) * place.scale)
    if _is_pale(place.spec, memory):
        pen = _line(place, theme, True, 1.8)
    painter.setPen(pen)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.drawPolyline(QPolygonF([first, above, across]))
    painter.drawLine(QLineF(top, bottom))
    for area, block in zip(decoder.blocks, decoder.stack.blocks, strict=True):
        if block.role == "attention" and block.sublayer == "cross":
            tip = QPointF(area.left(), area.center().y())
            painter.setPen(pen)
            painter.drawLine(QLineF(QPointF(across.x(), tip.y()), tip))
            _head(painter, tip, "right", 1.25 * place.scale, pen.color())


def _cache(
    painter: QPainter, area: QRectF, layer: Layer, positions: int, theme: Theme, options: DrawOptions
) -> None:
    """A row of cells for keys and one for values, filled as far as there are any, and how many in words."""
    scale = options.font_scale
    pixels = SMALLEST * scale
    line = line_height(pixels)
    filled, cells = layer.cache or 0, max(1, positions)
    high = 7 * scale
    wide = min(8 * scale, (area.width() - 12 * scale) / cells)
    strong = QColor(theme.curves[_ATTENTION])
    left = area.left() + 11 * scale
    for row, name in enumerate("KV"):
        y = area.top() + row * (high + 2 * scale)
        small = max(min(pixels * 0.86, 1.3 * high), min(pixels, options.least_type))
        run = TextRun(name, area.left(), middle(y + high / 2, small), small, "dim")
        draw_runs(painter, [run], theme)
        outlined = wide > 3 * scale
        painter.setPen(QPen(theme.color("outline"), 0.7 * scale) if outlined else Qt.PenStyle.NoPen)
        for first, last, colour in (
            (0, min(filled - 1, cells), tinted(theme, strong, 0.45)),
            (max(0, filled - 1), min(filled, cells), tinted(theme, strong, 0.9)),
            (filled, cells, theme.color("panel")),
        ):
            painter.setBrush(colour)
            # Thousands of cells without an outline are one stretch of colour.
            for cell in range(first, last, 1 if outlined else max(1, last - first)):
                count = 1 if outlined else last - first
                painter.drawRect(QRectF(left + cell * wide, y, count * wide, high))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.color("outline"), 0.7 * scale))
        painter.drawRect(QRectF(left, y, cells * wide, high))
    y = area.top() + 2 * (high + 2 * scale)
    for text in wrapped(layer.cache_text, pixels, area.width()):
        draw_runs(painter, [TextRun(text, area.left(), middle(y + line / 2, pixels), pixels, "dim")], theme)
        y += line


def _ends(painter: QPainter, place: ArchitectureGeometry, column: Column, theme: Theme) -> None:
    """What goes in below, and the token that comes out above."""
    scale = place.scale
    pixels = SMALL * scale
    centre = column.middle
    room = 2 * min(centre - column.foot.left(), column.foot.right() - centre)
    said = elided(column.stack.foot, pixels, room, True)
    x = centre - width(said, pixels, True) / 2
    runs = [TextRun(said, x, middle(column.foot.center().y() + 2 * scale, pixels), pixels, "dim", True)]
    if column.stack.produced:
        large = LABEL * scale
        text = elided(column.stack.produced, large, column.head.width(), True)
        x = centre - width(text, large, True) / 2
        runs.append(TextRun(text, x, middle(column.head.center().y(), large), large, "accent", True))
        painter.setPen(_line(place, theme, False))
        tip = column.head.bottom() - 1 * scale
        painter.drawLine(QLineF(centre, column.blocks[-1].top(), centre, tip))
        _head(painter, QPointF(centre, tip), "up", scale, painter.pen().color())
    draw_runs(painter, runs, theme)
