"""Layout: grids beside and below one another, and the colour bar that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import QPointF, QRectF

from viewer.figures.canvas.frame import ColourBar, Words, bar_width, place_bar, place_words
from viewer.figures.canvas.lettering import LABEL, width
from viewer.figures.canvas.options import DrawOptions
from viewer.figures.effects.spec import EffectGrid, EffectsSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.grid import PlacedGrid

_LEAST_CELL = 15.0
_GAP = 16.0
_LEAST_BAR = 60.0
_MOST_NAMES = 0.3  # of a grid's width, see `Grid.margins`

Lines = list[list[EffectGrid]]
Cell = tuple[int, int, int]
"""Grid, row and column."""


@dataclass(frozen=True)
class EffectsGeometry:
    """Grids in their places, in the spec's order."""

    spec: EffectsSpec
    words: Words
    grids: tuple[PlacedGrid, ...]
    bar: ColourBar
    scale: float

    def cell_at(self, point: QPointF) -> Cell | None:
        """The cell under a point."""
        for place, grid in enumerate(self.grids):
            cell = grid.cell_at(point)
            if cell is not None:
                return place, *cell
        return None

    def rect_of(self, cell: Cell) -> QRectF:
        """Where a cell is."""
        return self.grids[cell[0]].cell(*cell[1:])


def effects_geometry(figure: FigureSpec[EffectsSpec], rect: QRectF, options: DrawOptions) -> EffectsGeometry:
    """As many grids in a line as their cells allow; all lines give way alike in too little height."""
    spec, scale = figure.body, options.font_scale
    words = place_words(rect, spec.title, "", spec.badges, figure.caption, options)
    room, beside = _room(spec, words.room, scale)
    lines = _lines(spec.grids, room.width(), scale)
    asked = [_height(line, room.width(), scale) for line in lines]
    spare = room.height() - sum(asked) - _GAP * scale * max(0, len(lines) - 1)
    placed: list[PlacedGrid] = []
    y = room.top()
    for line, height in zip(lines, asked, strict=True):
        tall = max(1.0, height + spare / max(1, len(lines)))
        x = room.left()
        for grid, wide in zip(line, _widths(line, room.width(), scale), strict=True):
            placed.append(PlacedGrid(grid, QRectF(x, y, wide, tall), scale))
            x += wide + _GAP * scale
        y += tall + _GAP * scale
    boxes = [grid.box for grid in placed]
    top = boxes[0].top() if boxes else room.top()
    bottom = max((box.bottom() for box in boxes), default=room.bottom())
    right = max((box.right() for box in boxes), default=room.right())
    tall = max(bottom - top, min(_LEAST_BAR * scale, room.height()))
    area = QRectF(min(right, room.right()), min(top, room.bottom() - tall), beside, tall)
    bar = place_bar(area, spec.levels, sqrt_scale=False, scale=scale)
    return EffectsGeometry(spec, words, tuple(placed), bar, scale)


def effects_height(figure: FigureSpec[EffectsSpec], wide: float, options: DrawOptions) -> float:
    """What the grids ask for, line by line."""
    spec, scale = figure.body, options.font_scale
    tall = QRectF(0, 0, wide, 1e6)
    words = place_words(tall, spec.title, "", spec.badges, figure.caption, options)
    room, _ = _room(spec, words.room, scale)
    lines = _lines(spec.grids, room.width(), scale)
    heights = sum(_height(line, room.width(), scale) for line in lines)
    around = words.room.top() + tall.bottom() - words.room.bottom()
    return around + heights + _GAP * scale * max(0, len(lines) - 1)


def _room(spec: EffectsSpec, room: QRectF, scale: float) -> tuple[QRectF, float]:
    """What the colour bar leaves, and what it takes."""
    beside = bar_width(spec.levels, sqrt_scale=False, scale=scale)
    return room.adjusted(0, 0, -beside, 0), beside


def _least(grid: EffectGrid, scale: float) -> float:
    columns = grid.values.shape[1]
    heading = width(grid.heading, LABEL * scale, True) + 2 * scale
    names = grid.margins(1e4, scale)[1]
    whole = names / _MOST_NAMES  # or a grid of few columns would cut the names of its rows
    return float(max(heading, whole, names + columns * _LEAST_CELL * scale))


def _lines(grids: Sequence[EffectGrid], room: float, scale: float) -> Lines:
    lines: Lines = []
    left = 0.0
    for grid in grids:
        wanted = _least(grid, scale)
        if lines and wanted <= left:
            lines[-1].append(grid)
        else:
            lines.append([grid])
            left = room
        left -= wanted + _GAP * scale
    return lines


def _widths(line: Sequence[EffectGrid], room: float, scale: float) -> list[float]:
    """The least that each needs, and its share of what is left."""
    least = [_least(grid, scale) for grid in line]
    spare = room - sum(least) - _GAP * scale * (len(line) - 1)
    columns = sum(grid.values.shape[1] for grid in line)
    return [need + spare * grid.values.shape[1] / columns for need, grid in zip(least, line, strict=True)]


def _height(line: Sequence[EffectGrid], room: float, scale: float) -> float:
    return max(grid.height(wide, scale) for grid, wide in zip(line, _widths(line, room, scale), strict=True))
