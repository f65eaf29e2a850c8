"""EffectsSpec: grids of effects, layer by head or by token, on one scale that diverges from 0."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QCoreApplication

from model.questions.causes.patch_report import patch_report
from model.questions.causes.patching import Doubles, Patched
from viewer.figures.sheet.grid import Grid


@dataclass(frozen=True, eq=False)
class EffectGrid(Grid):
    """A grid whose values are effects; cells without one are hatched.

    Attributes:
        m: float64 [row, column] what is measured with the cell carried over; NaN where there is none.
    """

    m: Doubles | None = None

    def said(self, row: int, column: int) -> str:
        """See `Part`."""
        translate = QCoreApplication.translate
        place = f"{self.heading} · {self.rows_named[row]}"
        if self.columns_named:
            place += f" · {self.columns_named[column]}"
        value = float(self.values[row, column])
        if not math.isfinite(value) or self.m is None:
            return translate("Effects", "{place}: nothing can be carried").format(place=place)
        text = translate("Effects", "{place}: effect {effect} (measured {m})")
        return text.format(place=place, effect=decimals(value), m=decimals(float(self.m[row, column])))


@dataclass(frozen=True, eq=False)
class EffectsSpec:
    """What carrying over did.

    Attributes:
        title, badges: as of every picture.
        found: the answer that is drawn.
        grids: those of the answer, in its order.
        levels: values of the colours' ends, the same on both sides of 0.
        chosen: grid, row and column of the cell whose translation is shown; None for none.
        notes: caveat and source, sentences; the formula is a badge.
    """

    title: str
    badges: tuple[str, ...]
    found: Patched
    grids: tuple[EffectGrid, ...]
    levels: tuple[float, float]
    chosen: tuple[int, int, int] | None = None
    notes: tuple[str, ...] = ()

    def rows(self) -> Iterator[Sequence[object]]:
        """The lines of the command's table, what A and B measure, and caveat and source."""
        report = patch_report(self.found)
        yield (*report.columns, "m_a", "m_b", "caveat")
        caveat = " ".join(self.notes)
        for row in report.rows:
            yield (*("" if _none(cell) else cell for cell in row), self.found.m_a, self.found.m_b, caveat)


def _none(cell: object) -> bool:
    return cell is None or (isinstance(cell, float) and math.isnan(cell))


def decimals(value: float) -> str:
    """Two decimals and a true minus sign."""
    text = f"{value:.2f}".replace("-", "−")
    return text.removeprefix("−") if not text.strip("−0.") else text
