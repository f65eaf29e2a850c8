"""Building the clocks of a sinusoidal table; `HeadscopeError` for a learned one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.positions.positions import (
    hands,
    wavelengths,
)
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.clocks.spec import ClocksSpec
from viewer.figures.encoding.of_table import base_of, table_figure, within
from viewer.figures.figure import FigureSpec


def clocks_figure(table: PositionTable, *, position: int, pair: int) -> FigureSpec[ClocksSpec]:
    """The hand of every pair at a position, and every pair's wavelength 2π/ω."""
    base = base_of(table)
    position = within(position, len(table.rows))
    title = QCoreApplication.translate("Figure", "Wavelengths: {pairs} pairs at position {position}")
    spec = ClocksSpec(
        wavelengths=wavelengths(table.dimensions, base),
        hands=hands(table.rows[position], table.layout),
        position=position,
        count=len(table.rows),
        pair=within(pair, table.pairs),
        base=base,
        layout=table.layout,
        title=title.format(pairs=table.pairs, position=position),
        badges=table.badges,
    )
    formula = QCoreApplication.translate(
        "Figure", "Pair i turns by ω_i = base^(−2i/d_model) radians a position (paper, 3.5)"
    )
    facts = {"view": "positions_wavelengths", "position": spec.position, "pair": spec.pair}
    return table_figure(spec, table, [formula], facts)
