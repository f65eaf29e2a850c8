"""HeadsSpec: all heads of a kind on one page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.trace.trace import AttentionKind
from viewer.figures.canvas.matrix import Matrix
from viewer.figures.map.head_grid import HeadGrid


@dataclass(frozen=True, eq=False)
class Worth:
    """A number for each head, which may be negative.

    Attributes:
        values: float32 [layer, head].
        note: what the signs of the numbers mean, in the legend.
        sentence: of a layer and head: what its number says.
    """

    values: Matrix
    note: str
    sentence: Callable[[int, int], str]


@dataclass(frozen=True, eq=False)
class HeadsSpec:
    """All heads of a kind on one page; every map has the same rows, columns and scale.

    Attributes:
        grid: gives out the weights, one head at a time.
        rows, columns: size of every map; rows beyond the grid's do not exist yet.
        step_row, later_from, sqrt_scale, levels: as in `MapSpec`, for all maps.
        worth: what each head is worth by some measure, drawn instead of the weights, on `levels`; None on a
            page of weights.
    """

    kind: AttentionKind
    grid: HeadGrid
    rows: int
    columns: int
    title: str
    kind_name: str = ""
    badges: tuple[str, ...] = ()
    step_row: int | None = None
    later_from: int | None = None
    sqrt_scale: bool = False
    levels: tuple[float, float] = (0.0, 1.0)
    worth: Worth | None = None

    @property
    def layers(self) -> int:
        """Number of layers, the page's rows."""
        return self.grid.layers

    @property
    def heads(self) -> int:
        """Number of heads in a layer, the page's columns."""
        return self.grid.heads

    @property
    def shown_rows(self) -> int:
        """How many rows of each map, from the top, show their weights."""
        existing = self.grid.rows
        return existing if self.later_from is None else min(existing, max(0, self.later_from))

    def matrix(self, layer: int, head: int) -> Matrix:
        """One head's weights as shown, float32 [query, key], rows of later steps included."""
        return self.grid.matrix(layer, head)

    def largest(self) -> float:
        """The largest weight that any of its maps shows; reads them all."""
        rows = slice(self.shown_rows)
        every = ((layer, head) for layer in range(self.layers) for head in range(self.heads))
        return max((float(self.matrix(*each)[rows].max(initial=0.0)) for each in every), default=0.0)
