"""Part: one small picture of a sheet. Each says its height, places itself, paints itself and has rows."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from viewer.figures.canvas.lettering import LABEL, TextRun, draw_runs, elided, line_height, middle
from viewer.figures.canvas.theme import Theme

Row = Sequence[object]


class Placed:
    """A part in its place; what can be pointed at or dragged there, a part says."""

    def paint(self, painter: QPainter, theme: Theme, *, vector: bool) -> None:
        """Draw it; `vector`: on a device that keeps shapes."""
        raise NotImplementedError

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point; empty for nothing."""
        return ""

    def rect_of(self, row: int, column: int) -> QRectF:
        """Where what stands in a place of the part's table is; empty where it is not drawn."""
        return QRectF()

    def handle_at(self, point: QPointF) -> str:
        """The control that is dragged from there; empty for none."""
        return ""

    def dragged_to(self, handle: str, point: QPointF) -> float:
        """The value of a control that is dragged to a point; not held to its range."""
        raise KeyError(handle)

    def picked_at(self, point: QPointF) -> dict[str, int]:
        """What a click there chooses: controls with their values; empty for nothing."""
        return {}


class Part(Protocol):
    """One small picture: what it shows, as a frozen value.

    One that gains by more height than it asks for has a class attribute `grows`, which is True.
    """

    @property
    def heading(self) -> str:
        """Above it; empty for none."""

    @property
    def share(self) -> float:
        """Of the width of its line, as against the parts beside it."""

    def height(self, width: float, scale: float) -> float:
        """The height that suits it at a width; `scale` is that of the type."""

    def placed(self, rect: QRectF, scale: float) -> Placed:
        """Where everything of it goes."""

    def rows(self) -> Iterator[Row]:
        """Its numbers as lines of a table: what, of what, value."""

    def size(self) -> tuple[int, int]:
        """Rows and columns of what can be pointed at."""

    def said(self, row: int, column: int) -> str:
        """What is there, for the pointer and for the ear; empty where a row is shorter."""


def number_cell(value: float) -> float | str:
    """A number as a cell of a table; empty for what is none."""
    return float(value) if math.isfinite(value) else ""


def heading_height(heading: str, scale: float) -> float:
    """What a heading takes, the gap under it included."""
    return line_height(LABEL * scale) + 6 * scale if heading else 0.0


def draw_heading(painter: QPainter, heading: str, rect: QRectF, scale: float, theme: Theme) -> None:
    """A part's heading in the top of its place."""
    if not heading:
        return
    pixels = LABEL * scale
    text = elided(heading, pixels, rect.width(), True)
    y = middle(rect.top() + line_height(pixels) / 2, pixels)
    draw_runs(painter, [TextRun(text, rect.left(), y, pixels, "text", True)], theme)
