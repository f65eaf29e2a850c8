"""Painting a running text whose words are shaded by weights."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from viewer.figures.canvas.cell_colours import palette
from viewer.figures.canvas.colour_maps import STEPS, Table
from viewer.figures.canvas.contrast import readable_on
from viewer.figures.canvas.frame import bar_ticks, draw_words, place_on_bar
from viewer.figures.canvas.lettering import SMALLEST, TextRun, draw_runs, line_height, middle, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.theme import Theme
from viewer.figures.words.layout import PlacedBlock, PlacedWord, WordsGeometry
from viewer.figures.words.spec import Axis, WordsSpec


def paint_words(painter: QPainter, place: WordsGeometry, theme: Theme, options: DrawOptions) -> None:
    """Draw a running text where its geometry says."""
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_words(painter, place.frame, theme)
    draw_runs(painter, place.heading, theme)
    table = palette(theme, place.spec.levels)
    seen = painter.clipBoundingRect() if painter.hasClipping() else None
    for block in place.blocks:
        draw_runs(painter, [block.title], theme)
        lit = options.lit[0 if block.block.axis is Axis.QUERY else 1]
        # Of what is in view, with the number below it; of thousands of words the others are not even made.
        words = block.words if seen is None else block.between(seen.top() - block.places.high, seen.bottom())
        for word in words:
            _word(painter, place, block, word, table, theme, lit=word.word.index == lit)
    _bar(painter, place, table, theme, vector=options.vector)
    painter.restore()


def shade_of(spec: WordsSpec, weight: float, table: Table) -> QColor:
    """The colour of a weight: the map's."""
    share = place_on_bar(weight, spec.levels, sqrt_scale=spec.sqrt_scale)
    return QColor.fromRgb(int(table[min(STEPS - 1, int(share * (STEPS - 1) + 0.5))]))


def _word(
    painter: QPainter,
    place: WordsGeometry,
    block: PlacedBlock,
    placed: PlacedWord,
    table: Table,
    theme: Theme,
    *,
    lit: bool,
) -> None:
    """Ground, letters, number; a frame around the chosen token and the one that the pointer is on."""
    word, scale = placed.word, place.scale
    role = "faint" if word.token.dim or word.later or word.masked else "text"
    if word.weight is not None:
        ground = shade_of(place.spec, word.weight, table)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRect(placed.rect)
        if not word.token.dim or ground != theme.color("panel"):
            role = readable_on(ground, theme)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    if word.later and not block.block.shaded:
        painter.setPen(QPen(theme.color("outline"), 1))
        painter.drawRoundedRect(placed.rect.adjusted(1, 2, -1, -2), 3, 3)
    text = placed.text
    draw_runs(painter, [TextRun(text.text, text.x, text.y, text.pixels, role)], theme)
    if placed.number is not None:
        draw_runs(painter, [placed.number], theme)
    if word.chosen or lit:
        painter.setPen(QPen(theme.color("accent"), (2.0 if word.chosen else 1.0) * scale))
        painter.drawRoundedRect(placed.rect.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3)


def _bar(painter: QPainter, place: WordsGeometry, table: Table, theme: Theme, *, vector: bool) -> None:
    """The scale, from left to right, with true values."""
    box, spec, scale = place.bar, place.spec, place.scale
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if vector:
        painter.setPen(Qt.PenStyle.NoPen)
        step = box.width() / STEPS
        for index in range(STEPS):
            # Each strip reaches to the bar's end and is covered by the next: no hairlines between.
            left = box.left() + index * step
            painter.setBrush(QColor.fromRgb(int(table[index])))
            painter.drawRect(QRectF(left, box.top(), box.right() - left, box.height()))
    else:
        row = table[:STEPS].copy()
        painter.drawImage(box, QImage(row.data, STEPS, 1, 4 * STEPS, QImage.Format.Format_RGB32))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(box)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    pixels = SMALLEST * scale
    runs = []
    taken: list[tuple[float, float]] = []
    ticks = bar_ticks(spec.levels, sqrt_scale=spec.sqrt_scale)
    inner = sorted(ticks[1:-1], key=lambda tick: abs(tick[0] - 0.5))
    for share, text in (*ticks[:1], *ticks[-1:], *inner):  # the ends first, others where there is room
        x = box.left() + share * box.width()
        long = width(text, pixels)
        start = max(box.left(), x - long / 2)
        if any(start < last + 6 * scale and first < start + long + 6 * scale for first, last in taken):
            continue
        painter.setPen(QPen(theme.color("faint"), 1))
        painter.drawLine(QPointF(x, box.bottom()), QPointF(x, box.bottom() + 3))
        runs.append(
            TextRun(text, start, middle(box.bottom() + 3 + 0.5 * line_height(pixels), pixels), pixels, "dim")
        )
        taken.append((start, start + long))
    draw_runs(painter, runs, theme)
