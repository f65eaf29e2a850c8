"""`CurvePanel`: one plot: its title, axes and lines, drawn by pyqtgraph.

Imported when the curves are first shown, since importing pyqtgraph takes half a second.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QColor, QPen

from viewer.document.training.curves import Curves, Series
from viewer.figures.canvas.fonts import figure_font
from viewer.figures.canvas.lettering import SMALL, SMALLEST, width
from viewer.figures.canvas.theme import LIGHT, Theme
from viewer.figures.curves.paint import line_pen, tick_text
from viewer.figures.curves.spec import Dots, Heading, Line, Plot
from viewer.guarded import Guarded
from viewer.pages.train.curves.curves_clip import Box, clipped
from viewer.pages.train.curves.curves_series import (
    SMOOTHED_OVER,
    round_step,
    thinned,
    trailing_mean,
    value_bounds,
    within,
)
from viewer.pages.train.curves.curves_words import faint, rich_text

SMOOTHED = "smoothed"
_BY_EVALUATION = ("heldout_loss", "bleu")
_NOISY = ("loss", "grad_norm", "tokens_per_second")
_FAINT = ("loss", "tokens_per_second")
_DASHED = ("heldout_loss",)  # told from the training's mean without colour as well
# Indices into the theme's curve colours.
_COLOURS = {
    "loss": 0,
    SMOOTHED: 0,
    "heldout_loss": 1,
    "lr": 2,
    "grad_norm": 3,
    "bleu": 1,
    "tokens_per_second": 5,
}
_AXIS_WIDTH, _AXIS_HEIGHT = 46, 31  # of the values; of the steps, where they are named
_LEAST_BINS = 50
_MOST_DOTS = 120


class StepAxis(Guarded, pg.AxisItem):  # type: ignore[misc]
    """Whole steps, with separators of thousands."""

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """Nothing between two steps."""
        return [f"{value:,.0f}" if float(value).is_integer() else "" for value in values]


class ValueAxis(Guarded, pg.AxisItem):  # type: ignore[misc]
    """Numbers as the exported picture has them.

    Attributes:
        blank: nothing was measured: there is nothing to number.
    """

    blank = False

    def tickValues(self, *limits: float) -> list[tuple[float, list[float]]]:
        """No ticks beside an empty plot."""
        found: list[tuple[float, list[float]]] = [] if self.blank else super().tickValues(*limits)
        return found

    def tickStrings(self, values: list[float], scale: float, spacing: float) -> list[str]:
        """As exact as the ticks are apart."""
        return [tick_text(value, spacing) for value in values]


class StepBox(Guarded, pg.ViewBox):  # type: ignore[misc]
    """Wheel and mouse move the steps; the values fill the height by themselves.

    They are zoomed with the wheel over their axis, and are then moved by the mouse as well.

    Attributes:
        free: whether a person chose the range of values.
    """

    free = False

    def wheelEvent(self, event: Any, axis: int | None = None) -> None:
        """Along the steps, unless it is turned over the other axis."""
        super().wheelEvent(event, 0 if axis is None else axis)

    def mouseDragEvent(self, event: Any, axis: int | None = None) -> None:
        """Along the steps, while the values follow by themselves."""
        super().mouseDragEvent(event, 0 if axis is None and not self.free else axis)


class PanelTitle(Guarded, pg.LabelItem):  # type: ignore[misc]
    """Rich text that is cut off where it is too long, instead of widening its plot."""

    def updateMin(self) -> None:
        """Ask for no width, whenever pyqtgraph asks for all of it."""
        super().updateMin()
        self.setMinimumWidth(0)


class CurvePanel:
    """Draws some lines of a `Curves` in the steps that are in view.

    Attributes:
        title, plot: pyqtgraph's items, to be placed by the owner.
        box: the part that is zoomed and panned.
    """

    def __init__(self, name: str, lines: tuple[str, ...]) -> None:
        self.name = name
        self.title = PanelTitle(justify="left")
        self.title.item.setFont(figure_font(SMALL))
        self.box = StepBox(enableMenu=False)
        self.box.disableAutoRange()
        axes: dict[str, Any] = {"bottom": StepAxis("bottom"), "left": ValueAxis("left")}
        self.plot = pg.PlotItem(viewBox=self.box, axisItems=axes, enableMenu=False)
        self.plot.hideButtons()
        for axis in axes.values():
            axis.enableAutoSIPrefix(False)
            axis.setStyle(tickTextOffset=3)
            axis.setGrid(False)
        self._lines: dict[str, Any] = {}
        self._points: dict[str, Any] = {}
        self._dots: dict[str, Dots] = {}
        self._heading = Heading("")
        self._step_name = ""
        self._told = ""
        self._spaced: tuple[float, float, bool] | None = None
        self._apart = 1.0, 1.0
        for line in lines:
            self._lines[line] = pg.PlotCurveItem(connect="finite", antialias=True)
            self.plot.addItem(self._lines[line])
            if line in _BY_EVALUATION:
                self._points[line] = [pg.ScatterPlotItem(pxMode=True, size=7) for _ in range(2)]
                for item in self._points[line]:
                    self.plot.addItem(item)
        self.marker = pg.InfiniteLine(angle=90, movable=False)
        self.marker.hide()
        self.plot.addItem(self.marker, ignoreBounds=True)
        self._theme, self._scale = LIGHT, 1.0

    @property
    def pinned(self) -> bool:
        """Whether a person chose the range of values."""
        return self.box.free

    @pinned.setter
    def pinned(self, value: bool) -> None:
        self.box.free = value

    @property
    def steps_in_view(self) -> tuple[float, float]:
        """First and last step in view."""
        first, last = self.box.viewRange()[0]
        return float(first), float(last)

    @property
    def values_in_view(self) -> tuple[float, float]:
        """Lowest and highest value in view."""
        low, high = self.box.viewRange()[1]
        return float(low), float(high)

    def drawn(self, line: str) -> Series:
        """The points that a line is drawn through now."""
        steps, values = self._lines[line].getData()
        return steps, values

    def set_heading(self, heading: Heading, scale: float, *, narrow: bool) -> None:
        """Say above the plot what it is."""
        self._heading = heading
        told = rich_text(heading, self._theme, scale, narrow=narrow)
        if told != self._told:  # setting it in type takes a millisecond
            self._told = told
            self.title.setText(told)

    def name_steps(self, text: str) -> None:
        """Say below the axis that it counts steps."""
        axis = self.plot.getAxis("bottom")
        colour = self._theme.color("dim").name()
        size = f"{SMALLEST * self._scale:.0f}px"
        axis.setLabel(text, **{"color": colour, "font-size": size})
        axis.setHeight(round(_AXIS_HEIGHT * self._scale))
        self._step_name = text

    def as_plot(self) -> Plot:
        """What is drawn now, for a picture."""
        lines = (
            Line(self.drawn(name), self._colour(name).name(), line.opts["pen"].widthF(), name in _DASHED)
            for name, line in self._lines.items()
        )
        return Plot(
            self._heading,
            (*self.steps_in_view, *self.values_in_view),
            tuple(lines),
            tuple(self._dots.values()),
            self._apart[0],
            self._apart[1],
            self._step_name,
        )

    def set_theme(self, theme: Theme, scale: float) -> None:
        """Take colours, and how much larger than usual type is."""
        self._theme, self._scale = theme, scale
        self._dots.clear()  # to be coloured anew
        for side in ("left", "bottom"):
            axis = self.plot.getAxis(side)
            axis.setPen(QPen(theme.color("outline"), 1))
            axis.setTextPen(theme.color("dim"))
            axis.setStyle(tickFont=figure_font(SMALLEST * scale))
        self.plot.getAxis("left").setWidth(round(_AXIS_WIDTH * scale))
        for name, line in self._lines.items():
            thick = 1 if name in _NOISY else 1.6
            pen = line_pen(self._colour(name).name(), thick, dashed=name in _DASHED)
            pen.setCosmetic(True)  # as pyqtgraph's own: it draws in the plot's units
            line.setPen(pen)
        self.marker.setPen(pg.mkPen(theme.color("faint"), width=1))

    def mark_step(self, step: float | None) -> None:
        """A line at a step, or none."""
        self.marker.setVisible(step is not None)
        if step is not None:
            self.marker.setPos(step)

    def draw(self, curves: Curves, best: frozenset[int]) -> None:
        """Draw the steps in view; without a person's hand on it, the values fill the height.

        Args:
            best: steps of the evaluations that were the best so far; their points are filled.
        """
        first, last = self.steps_in_view
        bins = max(_LEAST_BINS, int(self.box.width()))
        parts = {line: thinned(_part(curves, line, first, last), bins) for line in self._lines}
        if not self.pinned:
            bounds = value_bounds([values for _, values in parts.values()])
            if bounds is not None:
                self.box.setYRange(*bounds, padding=0)
        box = (first, last, *self.values_in_view)
        for line, series in parts.items():
            self._lines[line].setData(*clipped(series, box))
            if line in self._points:
                self._draw_points(line, curves.series(line), box, best)
        self._space_ticks(box)

    def _space_ticks(self, box: Box) -> None:
        """Round numbers along the axes, as many as have room."""
        pixels = SMALLEST * self._scale
        widest = width(f"{box[1]:,.0f}", pixels) + 1.5 * pixels
        steps = round_step(box[1] - box[0], self.box.width() / widest)
        values = round_step(box[3] - box[2], self.box.height() / (2 * pixels))
        blank = not any(len(self._lines[line].getData()[0]) for line in self._lines)
        spaced = max(1.0, steps), values, blank
        self._apart = spaced[0], 0.0 if blank else values
        if spaced == self._spaced:  # pyqtgraph would letter the axes anew
            return
        self._spaced = spaced
        self.plot.getAxis("left").blank = blank
        for side, apart in zip(("bottom", "left"), spaced[:2]):
            self.plot.getAxis(side).setTickSpacing(levels=[(apart, 0)])

    def _draw_points(self, line: str, series: Series, box: Box, best: frozenset[int]) -> None:
        steps, values = series
        inside = (steps >= box[0]) & (steps <= box[1]) & (values >= box[2]) & (values <= box[3])
        steps, values = steps[inside], values[inside]
        filled = np.array([int(step) in best for step in steps], bool)
        if len(steps) > _MOST_DOTS:  # they would hide the line: only the best of all
            steps, values, filled = steps[filled][-1:], values[filled][-1:], filled[filled][-1:]
        colour = self._colour(line)
        drawn = self._dots.get(line)
        new = Dots((steps, values), filled, colour.name())
        if drawn is not None and drawn.same(new):
            return
        self._dots[line] = new
        # One item for each look: pyqtgraph would draw a symbol of its own for every point.
        for item, chosen, ground in zip(
            self._points[line], (filled, ~filled), (colour, self._theme.color("panel"))
        ):
            item.setData(
                steps[chosen], values[chosen], brush=pg.mkBrush(ground), pen=pg.mkPen(colour, width=1.4)
            )

    def _colour(self, line: str) -> QColor:
        """Single steps' numbers are fainter than their mean."""
        curve = _COLOURS[line]
        return QColor(faint(self._theme, curve) if line in _FAINT else self._theme.curves[curve])


def _part(curves: Curves, line: str, first: float, last: float) -> Series:
    if line != SMOOTHED:
        return within(curves.series(line), first, last)[0]
    (steps, values), before = within(curves.series("loss"), first, last, SMOOTHED_OVER - 1)
    return steps[before:], trailing_mean(values)[before:]
