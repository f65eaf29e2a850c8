"""Curves: how a line of a plot is drawn, and where an axis has its numbers."""

from __future__ import annotations

from PySide6.QtGui import QColor, QPen

from viewer.figures.canvas.theme import Theme

_DASHES: tuple[list[float], ...] = ([], [6, 3], [1.5, 2.5], [8, 3, 1.5, 3], [3, 2], [12, 4])


def curve_pen(index: int, theme: Theme, thickness: float) -> QPen:
    """The pen of the index-th curve; its dashes tell it from the others without colour."""
    pen = QPen(QColor(theme.curves[index % len(theme.curves)]), thickness)
    # A seventh has the first one's colour again, and dashes that the first has not.
    dashes = _DASHES[(index + 2 * (index // len(theme.curves))) % len(_DASHES)]
    if dashes:
        pen.setDashPattern(dashes)
    return pen


def ticks(count: int, room: float, apart: float) -> list[int]:
    """Round numbers from 0 to below `count`, at least `apart` from each other on an axis `room` long."""
    step = 1
    for step in (factor * 10**power for power in range(7) for factor in (1, 2, 5)):
        if step * room / max(1, count) >= apart:
            break
    return list(range(0, count, step))
