"""CurvesSpec: plots of training curves as they are in view, and what is drawn of each."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from viewer.document.training.curves import Curves, Series


@dataclass(frozen=True)
class Key:
    """What a line means, for the legend; `dots`: it has a dot for each point; `short`: where it is narrow."""

    text: str
    colour: str
    width: float
    dots: bool = False
    dashed: bool = False
    short: str = ""


@dataclass(frozen=True)
class Heading:
    """What stands above a plot: its name, its newest value, what its lines mean."""

    name: str
    value: str = ""
    keys: tuple[Key, ...] = ()


@dataclass(frozen=True, eq=False)
class Line:
    """A line inside its plot, broken where a coordinate is NaN; `dashed` tells it from others in grey too."""

    points: Series
    colour: str
    width: float
    dashed: bool = False


@dataclass(frozen=True, eq=False)
class Dots:
    """Points inside their plot; those that are not filled show the panel's colour."""

    points: Series
    filled: npt.NDArray[np.bool_]
    colour: str

    def same(self, other: Dots) -> bool:
        """Whether they look alike."""
        mine, others = (np.stack((*dots.points, dots.filled)) for dots in (self, other))
        return self.colour == other.colour and np.array_equal(mine, others, equal_nan=True)


@dataclass(frozen=True, eq=False)
class Plot:
    """One plot as it is in view.

    Attributes:
        box: first and last step, lowest and highest value.
        steps_apart, values_apart: between two ticks; 0 leaves an axis without any.
        step_name: what stands below the axis of steps, if anything.
    """

    heading: Heading
    box: tuple[float, float, float, float]
    lines: tuple[Line, ...]
    dots: tuple[Dots, ...]
    steps_apart: float
    values_apart: float
    step_name: str = ""


@dataclass(frozen=True, eq=False)
class CurvesSpec:
    """All plots, the first of them large.

    Attributes:
        curves: every number that was measured, in view or not.
        across: how many of the small plots stand side by side.
        shape: height / width of what is in view.
    """

    curves: Curves
    plots: tuple[Plot, ...]
    across: int
    shape: float
    title: str
    badges: tuple[str, ...] = ()
