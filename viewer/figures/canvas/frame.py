"""The frame of every picture: title, badges, caption, colour bar, legend."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from PySide6.QtCore import QCoreApplication, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen

from viewer.figures.canvas.colour_maps import STEPS, Table
from viewer.figures.canvas.lettering import (
    LABEL,
    SMALL,
    SMALLEST,
    TITLE,
    TextRun,
    draw_runs,
    elided,
    line_height,
    middle,
    width,
    wrapped,
)
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.canvas.sqrt_scale import root
from viewer.figures.canvas.theme import Theme

_PILL = 20.0
_GAP = 6.0
BAR_GAP = 18.0
"""Between a map and its colour bar."""


@dataclass(frozen=True)
class Words:
    """Title, badges and caption, placed; `room` is what they leave for the picture."""

    room: QRectF
    runs: tuple[TextRun, ...]
    pills: tuple[QRectF, ...]


@dataclass(frozen=True)
class ColourBar:
    """A colour bar, placed: its box, the ticks' heights in it with their texts, what its numbers are.

    Attributes:
        title: read from below, beside the ticks; empty for weights.
        title_left: left edge of the title's line.
    """

    box: QRectF
    ticks: tuple[tuple[float, str], ...]
    pixels: float
    title: str = ""
    title_left: float = 0.0


def place_words(
    rect: QRectF, title: str, kind_name: str, badges: Sequence[str], caption: str, options: DrawOptions
) -> Words:
    """Lay out what stands above and below the picture."""
    scale = options.font_scale
    runs: list[TextRun] = []
    pills: list[QRectF] = []
    x, y = rect.left(), rect.top()
    line = _PILL * scale
    if options.title:
        text = elided(title, TITLE * scale, rect.width(), True)
        runs.append(TextRun(text, x, middle(y + line / 2, TITLE * scale), TITLE * scale, bold=True))
        x += width(text, TITLE * scale, True) + 10 * scale
        if kind_name and x + width(kind_name, LABEL * scale) <= rect.right():
            runs.append(TextRun(kind_name, x, middle(y + line / 2, LABEL * scale), LABEL * scale, "dim"))
            x += width(kind_name, LABEL * scale) + 12 * scale
    if options.badges:
        for badge in badges:
            text = elided(badge, SMALLEST * scale, rect.width() - 2 * _GAP * scale)
            length = width(text, SMALLEST * scale) + 2 * _GAP * scale
            if x + length > rect.right() and x > rect.left():
                x, y = rect.left(), y + line + 4 * scale
            pills.append(QRectF(x, y, length, line))
            baseline = middle(y + line / 2, SMALLEST * scale)
            runs.append(TextRun(text, x + _GAP * scale, baseline, SMALLEST * scale, "accent"))
            x += length + _GAP * scale
    top = y + line + 8 * scale if runs else rect.top()
    bottom = rect.bottom()
    if options.caption and caption:
        lines = wrapped(caption, SMALLEST * scale, rect.width())
        height = line_height(SMALLEST * scale)
        bottom -= len(lines) * height
        for index, each in enumerate(lines):
            baseline = middle(bottom + (index + 0.5) * height, SMALLEST * scale)
            runs.append(TextRun(each, rect.left(), baseline, SMALLEST * scale, "dim"))
        bottom -= 8 * scale
    room = QRectF(rect.left(), top, rect.width(), max(0.0, bottom - top))
    return Words(room, tuple(runs), tuple(pills))


def draw_words(painter: QPainter, words: Words, theme: Theme) -> None:
    """Draw title, badges and caption."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(theme.color("badge"))
    for pill in words.pills:
        painter.drawRoundedRect(pill, 4, 4)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    draw_runs(painter, words.runs, theme)


def bar_ticks(levels: tuple[float, float], *, sqrt_scale: bool) -> tuple[tuple[float, str], ...]:
    """Places on the bar (0 bottom, 1 top) and the true values there."""
    low, high = levels
    if low < 0:
        values = [low, low / 2, 0.0, high / 2, high]
    elif sqrt_scale:
        values = [high * share for share in (0, 0.01, 0.1, 0.25, 0.5, 1)]
    else:
        values = [high * share for share in (0, 0.25, 0.5, 0.75, 1)]
    return tuple((place_on_bar(value, levels, sqrt_scale=sqrt_scale), _number(value)) for value in values)


def _number(value: float) -> str:
    """A value with a true minus sign."""
    return f"{value:.3g}".replace("-", "−")


def place_on_bar(value: float, levels: tuple[float, float], *, sqrt_scale: bool) -> float:
    """Where a value's colour is on the colour bar, 0 to 1."""
    low, high = levels
    share = min(1.0, abs(value) / high) if high > 0 else 0.0
    if sqrt_scale:
        share = float(root(np.float64(share)))
    if low < 0:
        return 0.5 + math.copysign(share, value) / 2
    return share if value > 0 else 0.0


def bar_width(
    levels: tuple[float, float], *, sqrt_scale: bool, scale: float, title: str = "", gap: float = BAR_GAP
) -> float:
    """Room that a colour bar takes beside a map, its gap and its title included."""
    texts = [text for _, text in bar_ticks(levels, sqrt_scale=sqrt_scale)]
    titled = line_height(SMALL * scale) + 4 * scale if title else 0.0
    return (gap + 13 + 6) * scale + max(width(text, SMALL * scale) for text in texts) + titled


def place_bar(
    area: QRectF,
    levels: tuple[float, float],
    *,
    sqrt_scale: bool,
    scale: float,
    title: str = "",
    gap: float = BAR_GAP,
) -> ColourBar:
    """A colour bar in the left of `area`; ticks that would touch are left out."""
    box = QRectF(area.left() + gap * scale, area.top(), 13 * scale, area.height())
    height = line_height(SMALL * scale)
    ticks = bar_ticks(levels, sqrt_scale=sqrt_scale)
    kept = [ticks[-1]]
    if box.height() >= 1.5 * height:
        kept.append(ticks[0])
    for tick in sorted(ticks[1:-1], key=lambda tick: abs(tick[0] - 0.5)):
        if all(abs(tick[0] - other[0]) * box.height() >= 1.1 * height for other in kept):
            kept.append(tick)
    beside = box.right() + 10 * scale + max(width(text, SMALL * scale) for _, text in ticks)
    return ColourBar(box, tuple(sorted(kept)), SMALL * scale, title, beside)


def draw_bar(painter: QPainter, bar: ColourBar, table: Table, theme: Theme, *, vector: bool) -> None:
    """Draw the colours from bottom to top with their ticks."""
    box = bar.box
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, False)
    if vector:
        painter.setPen(Qt.PenStyle.NoPen)
        step = box.height() / STEPS
        for index in range(STEPS):
            # Each strip reaches down to the bar's foot and is covered by the next: no hairlines between.
            top = box.top() + index * step
            painter.setBrush(QColor.fromRgb(int(table[STEPS - 1 - index])))
            painter.drawRect(QRectF(box.left(), top, box.width(), box.bottom() - top))
    else:
        column = table[STEPS - 1 :: -1].copy()
        painter.drawImage(box, QImage(column.data, 1, STEPS, 4, QImage.Format.Format_RGB32))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(theme.color("outline"), 1))
    painter.drawRect(box)
    runs = []
    for place, text in bar.ticks:
        y = box.bottom() - place * box.height()
        painter.setPen(QPen(theme.color("faint"), 1))
        painter.drawLine(QLineF(QPointF(box.right(), y), QPointF(box.right() + 3, y)))
        runs.append(TextRun(text, box.right() + 6, middle(y, bar.pixels), bar.pixels, "dim"))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
    draw_runs(painter, runs, theme)
    if bar.title:
        text = elided(bar.title, bar.pixels, box.height())
        painter.save()
        painter.translate(bar.title_left, box.center().y() + width(text, bar.pixels) / 2)
        painter.rotate(-90)
        line = line_height(bar.pixels)
        draw_runs(painter, [TextRun(text, 0.0, middle(line / 2, bar.pixels), bar.pixels, "dim")], theme)
        painter.restore()


_LEAST_ENTRY = 41.0  # a swatch and three letters


def legend_entries(*, masked: bool, absent: bool, later: bool) -> list[tuple[str, str]]:
    """The signs that need words: what each is, and its words."""
    translate = QCoreApplication.translate
    entries: list[tuple[str, str]] = []
    if masked:
        entries.append(("hatch", translate("Figure", "masked: cannot be read")))
    if absent:
        entries.append(("absent", translate("Figure", "not in both")))
    if later:
        entries.append(("outline", translate("Figure", "later steps")))
    return entries


def legend_width(entries: Sequence[tuple[str, str]], scale: float) -> float:
    """Room that the entries take in one line."""
    return sum(17 * scale + width(text, SMALLEST * scale) + 18 * scale for _, text in entries)


def draw_legend(
    painter: QPainter,
    area: QRectF,
    theme: Theme,
    *,
    masked: bool,
    later: bool,
    absent: bool = False,
    notes: Sequence[str],
    scale: float,
) -> None:
    """A line that says what hatching and outlines mean, and whatever else a map's reader must know."""
    pixels = SMALLEST * scale
    x, y = area.left(), area.center().y()
    for role, words in legend_entries(masked=masked, absent=absent, later=later):
        if area.right() - x < _LEAST_ENTRY * scale:
            break  # rather unsaid than over something else
        text = elided(words, pixels, max(24 * scale, area.right() - x - 17 * scale))
        swatch = QRectF(x, y - 6 * scale, 12 * scale, 12 * scale)
        painter.fillRect(swatch, theme.color("masked" if role == "hatch" else "panel"))
        painter.setPen(QPen(theme.color("hatch" if role == "hatch" else "outline"), 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if role == "hatch":
            for reach in (4 * scale, 8 * scale, 12 * scale):
                painter.drawLine(swatch.topLeft() + QPointF(reach, 0), swatch.topLeft() + QPointF(0, reach))
        if role == "absent":
            for reach in (4 * scale, 8 * scale, 12 * scale):
                painter.drawLine(swatch.topRight() - QPointF(reach, 0), swatch.topRight() + QPointF(0, reach))
        painter.drawRect(swatch)
        draw_runs(painter, [TextRun(text, x + 17 * scale, middle(y, pixels), pixels, "dim")], theme)
        x += 17 * scale + width(text, pixels) + 18 * scale
    for note in notes:
        text = elided(note, pixels, max(0.0, area.right() - x))
        draw_runs(painter, [TextRun(text, x, middle(y, pixels), pixels, "dim")], theme)
        x += width(text, pixels) + 18 * scale


def part_note(queries: tuple[int, int, int], keys: tuple[int, int, int]) -> str:
    """Says which part of a picture is in view: first and last token from 1, and how many there are."""
    text = QCoreApplication.translate(
        "Figure", "part in view: queries {a}–{b} of {rows}, keys {c}–{d} of {columns}"
    )
    (a, b, rows), (c, d, columns) = queries, keys
    return text.format(a=a, b=b, rows=rows, c=c, d=d, columns=columns)


def pooled_note(*, weights: bool = True) -> str:
    """Says that a pixel stands for several cells."""
    if not weights:
        return QCoreApplication.translate(
            "Figure", "cells smaller than a pixel: each pixel shows the number in it that is farthest from 0"
        )
    return QCoreApplication.translate(
        "Figure", "cells smaller than a pixel: each pixel shows the largest weight in it"
    )


def coarse_note() -> str:
    """Says that a picture will be finer in a moment."""
    return QCoreApplication.translate("Figure", "reading: coarser until then")
