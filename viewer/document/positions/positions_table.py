"""`PositionTable`: what the Positions page is about: the model's own encoding, or one with chosen numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.config import PositionLayout
from model.positions.position_facts import Stack, TablePositions
from model.positions.positions import PAPER_BASE, SLIP_BASE, hands, sinusoidal_table

__all__ = ["PAPER_BASE", "SLIP_BASE", "PositionTable", "chosen_table", "grouped", "stack_badge"]


@dataclass(frozen=True, eq=False)
class PositionTable:
    """A table of positional encodings and where it comes from.

    Attributes:
        rows: float32 [position, dimension].
        base: of sinusoids; None where the rows were learned, or follow a formula that nobody knows.
        layout: where a pair's sine and cosine stand.
        model_name, model_sha256: of the model whose table it is; empty for `chosen`.
        chosen: made with numbers that were chosen on the page, no model's.
        computed: not learned, though no base is known.
        stack: whose it is.
        stored: sinusoids that are kept as a table among the model's weights.
    """

    rows: npt.NDArray[np.float32]
    base: float | None
    layout: PositionLayout = "interleaved"
    model_name: str = ""
    model_sha256: str = ""
    chosen: bool = False
    computed: bool = False
    stack: Stack = "both"
    stored: bool = False

    @classmethod
    def of(cls, fact: TablePositions, model_name: str = "", model_sha256: str = "") -> Self:
        """The table that a model adds."""
        return cls(
            fact.rows,
            fact.base,
            fact.layout,
            model_name,
            model_sha256,
            computed=fact.base is None and not fact.learned,
            stack=fact.stack,
            stored=fact.stored,
        )

    def sort_name(self) -> str:
        """What tells it from other positions of the same model."""
        return QCoreApplication.translate("PositionsKnown", "Table")

    @property
    def learned(self) -> bool:
        """Whether every row was learned."""
        return self.base is None and not self.computed

    @property
    def start(self) -> int:
        """Which position of the formula stands in row 0: 2 in tables that fairseq counts."""
        if self.base is None or not len(self.rows) or self.dimensions % 2:
            return 0
        sine, cosine = hands(self.rows[0], self.layout)[0]
        start = max(0, round(math.atan2(sine, cosine)))  # the first pair turns by 1 radian a position
        wanted = sinusoidal_table(start + 1, self.dimensions, base=self.base, layout=self.layout)[start]
        return start if np.allclose(self.rows[0], wanted, atol=1e-3) else 0

    @property
    def dimensions(self) -> int:
        """d_model."""
        return int(self.rows.shape[1])

    @property
    def pairs(self) -> int:
        """How many pairs of a sine and a cosine there are."""
        return self.dimensions // 2

    @property
    def badges(self) -> tuple[str, ...]:
        """What every picture of it must say."""
        translate = QCoreApplication.translate
        found = []
        if self.chosen:
            text = translate("Figure", "not this model's: base {base}, d_model {dimensions}")
            found.append(text.format(base=grouped(self.base or 0), dimensions=self.dimensions))
        found += stack_badge(self.stack)
        if self.learned:
            found.append(translate("Figure", "learned"))
        if self.stored:
            found.append(translate("Figure", "sinusoidal, stored as a table"))
        if self.computed:
            found.append(translate("Figure", "computed, not learned; the formula is not known"))
        if self.start:
            text = translate("Figure", "position 0 has the sinusoids of {start}, and so on")
            found.append(text.format(start=self.start))
        if self.base is not None and self.layout == "halves":
            found.append(translate("Figure", "layout halves: all sines, then all cosines"))
        return tuple(found)

    def facts(self) -> dict[str, Any]:
        """For a figure's data."""
        return {
            "base": self.base,
            "layout": self.layout,
            "d_model": self.dimensions,
            "chosen": self.chosen,
            "learned": self.learned,
            "stored": self.stored,
            "stack": self.stack,
            "model_name": self.model_name,
            "model_sha256": self.model_sha256,
        }


def grouped(value: float) -> str:
    """A base for reading: "10,000"."""
    return f"{value:,.10g}"


def stack_badge(stack: Stack) -> tuple[str, ...]:
    """Whose positions they are, where it is one stack alone."""
    translate = QCoreApplication.translate
    if stack == "both":
        return ()
    return (
        translate("Figure", "of the encoder")
        if stack == "encoder"
        else translate("Figure", "of the decoder"),
    )


def chosen_table(
    base: float, dimensions: int, count: int, layout: PositionLayout = "interleaved"
) -> PositionTable:
    """Sinusoids with numbers of one's own."""
    rows = sinusoidal_table(count, dimensions, base=base, layout=layout)
    return PositionTable(rows, base, layout, chosen=True)
