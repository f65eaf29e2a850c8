"""Painting what enters a stack: embedding, position and their sum, row by row on one scale of colours."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.cells import draw_matrix
from viewer.figures.canvas.frame import bar_width, draw_bar, place_bar
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
from viewer.figures.walk.details import number
from viewer.figures.walk.spec import EmbeddingDetail

_MOST_LABEL = 90.0


def paint_embedding(
    painter: QPainter,
    area: QRectF,
    detail: EmbeddingDetail,
    scale: float,
    theme: Theme,
    options: DrawOptions,
) -> None:
    """Three maps below each other: rows tokens, columns dimensions, each row's length at its right."""
    pixels = SMALLEST * scale
    levels = (-detail.level, detail.level)
    labels = min(_MOST_LABEL * scale, max(width(text, pixels) for text in detail.labels)) + 6 * scale
    lengths = max(width(number(v), pixels) for each in detail.lengths for v in each) + 8 * scale
    bar = bar_width(levels, sqrt_scale=False, scale=scale)
    line, gap = line_height(SMALL * scale), 6 * scale
    high = (area.height() - line - 2 * gap) / 3 - line
    if high < 8 * scale:
        return
    boxes = [
        QRectF(
            area.left() + labels,
            area.top() + line + place * (high + line + gap),
            max(1.0, area.width() - labels - lengths - bar),
            high,
        )
        for place in range(3)
    ]
    for place, box in enumerate(boxes):
        draw_matrix(painter, box, detail.maps[place], levels, palette(theme, levels), vector=options.vector)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        chosen = place == detail.chosen
        painter.setPen(QPen(theme.color("accent" if chosen else "outline"), 1.6 * scale if chosen else 1))
        painter.drawRect(box)
        _rows(painter, box, detail, place, scale, theme)
    beside = QRectF(boxes[0].right() + lengths, boxes[0].top(), bar, boxes[2].bottom() - boxes[0].top())
    place_of_bar = place_bar(beside, levels, sqrt_scale=False, scale=scale)
    draw_bar(painter, place_of_bar, palette(theme, levels), theme, vector=options.vector)
    foot = QCoreApplication.translate("Walk", "dimensions 0 to {last}").format(
        last=detail.maps[0].shape[1] - 1
    )
    small = SMALL * scale
    y = middle(area.bottom() - line / 2, small)
    draw_runs(painter, [TextRun(elided(foot, small, area.width()), boxes[0].left(), y, small, "dim")], theme)


def _rows(
    painter: QPainter, box: QRectF, detail: EmbeddingDetail, place: int, scale: float, theme: Theme
) -> None:
    """The map's name above it, tokens at the left and lengths at the right; the walked row framed."""
    translate = QCoreApplication.translate
    pixels, small = SMALLEST * scale, SMALL * scale
    chosen = place == detail.chosen
    y = middle(box.top() - line_height(small) / 2, small)
    length = translate("Walk", "length")
    runs = [
        TextRun(
            elided(detail.names[place], small, box.width(), True),
            box.left(),
            y,
            small,
            "accent" if chosen else "text",
            True,
        ),
        TextRun(length, box.right() + 6 * scale, y, small, "dim"),
    ]
    count = len(detail.labels)
    row = box.height() / max(1, count)
    step = max(1, int(-(-1.05 * pixels // row))) if row > 0 else 1
    for index in range(count):
        near = abs(index - detail.row) < step and index != detail.row
        if (index % step and index != detail.row) or (step > 1 and near):
            continue
        # Within the map, or the first would touch what stands above it.
        low, high = box.top() + 0.55 * pixels, box.bottom() - 0.55 * pixels
        base = middle(min(max(box.top() + (index + 0.5) * row, low), high), pixels)
        current = index == detail.row
        role = "accent" if current else "dim"
        text = elided(detail.labels[index], pixels, _MOST_LABEL * scale)
        runs.append(
            TextRun(text, box.left() - 5 * scale - width(text, pixels, current), base, pixels, role, current)
        )
        value = number(detail.lengths[place][index])
        runs.append(TextRun(value, box.right() + 6 * scale, base, pixels, role, current))
    painter.setPen(QPen(theme.color("accent"), 1.2 * scale))
    painter.drawRect(QRectF(box.left(), box.top() + detail.row * row, box.width(), row))
    draw_runs(painter, runs, theme)
