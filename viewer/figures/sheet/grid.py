"""Grid: a matrix as coloured cells with names, numbers in the cells where they fit; masked cells hatched."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen

from viewer.figures.canvas.cell_colours import codes, palette
from viewer.figures.canvas.cells import draw_image, draw_rectangles, hatch_lines, image_of
from viewer.figures.canvas.contrast import readable_on
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
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.canvas.numerals import format_number
from viewer.figures.canvas.theme import Theme
from viewer.figures.sheet.part import Placed, Row, draw_heading, heading_height, number_cell

_CELL = 30.0
_SLANT = math.sqrt(0.5)
_LONGEST = 110.0
_NAMES = 0.36  # of the width, for names at the left


@dataclass(frozen=True, eq=False)
class Grid:
    """A matrix; see `Part`.

    Attributes:
        values: [row, column] float32; NaN: no number there.
        rows_named, columns_named: a name each; none are drawn where empty.
        levels: values of the colours' ends; below 0 they diverge from 0.
        masked: [row, column] cells that are hatched.
        strong: (row, column) of cells that are framed.
        corner: so many rows and columns, from the upper left, are framed together.
        written: the numbers stand in the cells where there is room.
        decimals: of those numbers; None: as elsewhere.
        picks: the controls of row and column that a click sets; empty for none.
        row_title, column_title: what the axes are.
        tallest: what all rows together ask for at most, in logical pixels; 0: as much as suits them.
    """

    grows: ClassVar[bool] = True

    heading: str
    values: Matrix
    rows_named: Sequence[str] = ()
    columns_named: Sequence[str] = ()
    levels: tuple[float, float] = (0.0, 1.0)
    masked: Mask | None = None
    strong: tuple[tuple[int, int], ...] = ()
    corner: tuple[int, int] = (0, 0)
    written: bool = True
    decimals: int | None = None
    picks: tuple[str, str] = ("", "")
    row_title: str = ""
    column_title: str = ""
    tallest: float = 0.0
    share: float = 1.0

    def height(self, width: float, scale: float) -> float:
        """See `Part`."""
        rows, columns = self.values.shape
        above, left = self.margins(width, scale)
        cell = min(_CELL * scale, (width - left) / max(1, columns))
        tall = max(min(cell, _CELL * scale), line_height(SMALLEST * scale) if self.rows_named else 2.0)
        rows_tall = min(rows * tall, self.tallest * scale) if self.tallest else rows * tall
        return float(above + rows_tall + 4 * scale)

    def margins(self, width_: float, scale: float) -> tuple[float, float]:
        """Room for heading, titles and names above, and for names at the left."""
        pixels = SMALL * scale
        left = max((width(name, pixels) for name in self.rows_named), default=0.0)
        left = min(left, _NAMES * width_) + (8 * scale if self.rows_named else 0.0)
        left += line_height(pixels) if self.row_title else 0.0
        above = heading_height(self.heading, scale) + (line_height(pixels) if self.column_title else 0.0)
        if self.columns_named:
            long = max(width(name, pixels) for name in self.columns_named)
            cell = (width_ - left) / len(self.columns_named)
            flat = long + 6 * scale <= min(cell, _CELL * 3 * scale)
            slanted = (min(long, _LONGEST * scale) + pixels) * _SLANT
            above += line_height(pixels) + 2 * scale if flat else slanted
        return above, left

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """See `Part`."""
        return PlacedGrid(self, rect, scale)

    def rows(self) -> Iterator[Row]:
        """See `Part`."""
        for row, line in enumerate(self.values):
            for column, value in enumerate(line):
                name = self.rows_named[row] if self.rows_named else str(row + 1)
                at = self.columns_named[column] if self.columns_named else str(column + 1)
                hidden = self.masked is not None and bool(self.masked[row, column])
                yield (name, at, "masked" if hidden else number_cell(value))

    def size(self) -> tuple[int, int]:
        """See `Part`."""
        rows, columns = self.values.shape
        return rows, columns

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        name = self.rows_named[row] if self.rows_named else str(row + 1)
        at = self.columns_named[column] if self.columns_named else str(column + 1)
        value = float(self.values[row, column])
        hidden = self.masked is not None and bool(self.masked[row, column])
        return f"{name} · {at}: " + ("—" if hidden or not math.isfinite(value) else format_number(value))


class PlacedGrid(Placed):
    """A grid in its place; cells are no larger than three times their usual size, and wide ones lie."""

    def __init__(self, part: Grid, rect: QRectF, scale: float) -> None:
        self.part, self.rect, self.scale = part, rect, scale
        rows, columns = part.values.shape
        above, left = part.margins(rect.width(), scale)
        room = QRectF(rect.left() + left, rect.top() + above, max(1.0, rect.width() - left), 0)
        room.setBottom(max(room.top() + 1.0, rect.bottom() - 4 * scale))
        across = min(room.width() / max(1, columns), 3 * _CELL * scale)
        # The last slanted name leans out to the right.
        if part.columns_named and not self._flat(across):
            lean = min(_LONGEST * scale, width(part.columns_named[-1], SMALL * scale)) * _SLANT
            across = min(across, (room.width() - lean) / max(1.0, columns - 0.5))
        down = min(room.height() / max(1, rows), 1.2 * _CELL * scale)
        self.box = QRectF(room.left(), room.top(), max(1.0, across * columns), max(1.0, down * rows))

    def _flat(self, across: float) -> bool:
        long = max(width(name, SMALL * self.scale) for name in self.part.columns_named)
        return long + 6 * self.scale <= across

    def cell(self, row: int, column: int) -> QRectF:
        """Where a cell is."""
        rows, columns = self.part.values.shape
        wide, tall = self.box.width() / columns, self.box.height() / rows
        return QRectF(self.box.left() + column * wide, self.box.top() + row * tall, wide, tall)

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The row and column under a point."""
        rows, columns = self.part.values.shape
        if not self.part.values.size or not self.box.contains(point):
            return None
        row = int((point.y() - self.box.top()) / self.box.height() * rows)
        column = int((point.x() - self.box.left()) / self.box.width() * columns)
        return min(row, rows - 1), min(column, columns - 1)

    def sentence_at(self, point: QPointF) -> str:
        """See `Placed`."""
        cell = self.cell_at(point)
        return "" if cell is None else self.part.said(*cell)

    def rect_of(self, row: int, column: int) -> QRectF:
        """See `Placed`."""
        return self.cell(row, column)

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """See `Placed`."""
        cell = self.cell_at(point)
        if cell is None:
            return {}
        return {name: at for name, at in zip(self.part.picks, cell, strict=True) if name}

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """See `Placed`."""
        part, box = self.part, self.box
        draw_heading(painter, part.heading, self.rect, self.scale, theme)
        if not part.values.size:  # what it shows is not known yet
            return
        shown = np.nan_to_num(part.values.astype(np.float32), nan=0.0)
        coded = codes(shown, part.masked, part.levels, sqrt_scale=False, absent=np.isnan(part.values))
        table = palette(theme, part.levels)
        if vector:
            draw_rectangles(painter, box, coded, table)
        else:
            draw_image(painter, box, image_of(table[coded]))
        painter.setRenderHint(QPainter.RenderHint.Antialiasing, True)
        if part.masked is not None:
            painter.setPen(QPen(theme.color("hatch"), 1))
            painter.drawLines(hatch_lines(part.masked, box, self.scale))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        rows, columns = part.values.shape
        if min(box.width() / columns, box.height() / rows) >= 8:
            painter.setPen(QPen(theme.color("grid"), 1))
            for row in range(1, rows):
                y = box.top() + row * box.height() / rows
                painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))
            for column in range(1, columns):
                x = box.left() + column * box.width() / columns
                painter.drawLine(QPointF(x, box.top()), QPointF(x, box.bottom()))
        painter.setPen(QPen(theme.color("outline"), 1))
        painter.drawRect(box)
        if part.written:
            self._numbers(painter, theme, table[coded])
        painter.setPen(QPen(theme.color("accent"), 2))
        for cell in part.strong:
            painter.drawRect(self.cell(*cell))
        if all(part.corner):
            rows, columns = part.corner
            painter.drawRect(self.cell(0, 0).united(self.cell(rows - 1, columns - 1)))
        self._names(painter, theme)

    def _numbers(self, painter: QPainter, theme: Theme, colours: np.ndarray) -> None:
        part, pixels = self.part, SMALLEST * self.scale
        texts = [[self._text(float(v)) if math.isfinite(v) else "" for v in line] for line in part.values]
        widest = max((width(text, pixels) for line in texts for text in line), default=0.0)
        rows, columns = part.values.shape
        if widest + 4 > self.box.width() / columns or pixels + 2 > self.box.height() / rows:
            return
        runs = []
        for row, line in enumerate(texts):
            for column, text in enumerate(line):
                if not text or (part.masked is not None and part.masked[row, column]):
                    continue
                centre = self.cell(row, column).center()
                role = readable_on(QColor.fromRgb(int(colours[row, column])), theme)
                runs.append(
                    TextRun(
                        text, centre.x() - width(text, pixels) / 2, middle(centre.y(), pixels), pixels, role
                    )
                )
        draw_runs(painter, runs, theme)

    def _text(self, value: float) -> str:
        decimals = self.part.decimals
        if decimals is None:
            return format_number(value)
        text = f"{value:.{decimals}f}".replace("-", "−")
        return text.removeprefix("−") if not text.strip("−0.") else text

    def _names(self, painter: QPainter, theme: Theme) -> None:
        part, box, scale = self.part, self.box, self.scale
        pixels = SMALL * scale
        runs = []
        rows, columns = part.values.shape
        stride = max(1, math.ceil(pixels * 1.1 / (box.height() / rows)))
        room = box.left() - self.rect.left() - 8 * scale - (line_height(pixels) if part.row_title else 0)
        room += 0.5  # the widest name fits just so, but for rounding
        for row in range(0, len(part.rows_named), stride):
            text = elided(part.rows_named[row], pixels, room)
            x = box.left() - 6 * scale - width(text, pixels)
            runs.append(TextRun(text, x, middle(self.cell(row, 0).center().y(), pixels), pixels))
        if part.columns_named:
            wide = box.width() / columns
            if self._flat(wide):
                for column, name in enumerate(part.columns_named):
                    x = self.cell(0, column).center().x() - width(name, pixels) / 2
                    runs.append(TextRun(name, x, box.top() - 6 * scale, pixels))
            else:
                self._slanted(painter, theme, max(1, math.ceil(pixels * 1.1 / (wide * _SLANT))))
        if part.column_title:
            y = self.rect.top() + heading_height(part.heading, scale) + line_height(pixels) / 2
            text = elided(part.column_title, pixels, box.width())
            runs.append(TextRun(text, box.left(), middle(y, pixels), pixels, "dim"))
        draw_runs(painter, runs, theme)
        if part.row_title:
            text = elided(part.row_title, pixels, box.height())
            painter.save()
            painter.translate(self.rect.left() + 0.8 * pixels, box.center().y() + width(text, pixels) / 2)
            painter.rotate(-90)
            draw_runs(painter, [TextRun(text, 0, 0, pixels, "dim")], theme)
            painter.restore()

    def _slanted(self, painter: QPainter, theme: Theme, stride: int) -> None:
        pixels = SMALL * self.scale
        for column in range(0, len(self.part.columns_named), stride):
            text = elided(self.part.columns_named[column], pixels, _LONGEST * self.scale)
            painter.save()
            painter.translate(self.cell(0, column).center().x(), self.box.top() - 5 * self.scale)
            painter.rotate(-45)
            draw_runs(painter, [TextRun(text, 0, 0, pixels)], theme)
            painter.restore()
