"""Building the rotation of a sinusoidal table; `HeadscopeError` for a learned one."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.positions.positions import (
    frequencies,
    turned,
)
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.canvas.numerals import tiny
from viewer.figures.encoding.of_table import base_of, spread, table_figure, within
from viewer.figures.figure import FigureSpec
from viewer.figures.rotation.spec import RotationSpec

SMALL_CIRCLES = 8


def rotation_figure(
    table: PositionTable, *, position: int, offset: int, pair: int
) -> FigureSpec[RotationSpec]:
    """R(k) · PE(pos), pair by pair, beside the table's own PE(pos + k)."""
    base = base_of(table)
    position = within(position, len(table.rows))
    offset = within(offset, len(table.rows) - position)
    pair = within(pair, table.pairs)
    title = QCoreApplication.translate("Figure", "Rotation: position {position}, offset {offset}")
    spec = RotationSpec(
        turned=turned(table.rows, position, offset, base=base, layout=table.layout),
        frequencies=frequencies(table.dimensions, base),
        position=position,
        offset=offset,
        pair=pair,
        shown=spread(table.pairs, SMALL_CIRCLES),
        base=base,
        layout=table.layout,
        title=title.format(position=position, offset=offset),
        badges=table.badges,
    )
    formula = QCoreApplication.translate("Figure", "PE(pos + k) = R(k) · PE(pos) (paper, 3.5)")
    checked = QCoreApplication.translate(
        "Figure", "Largest difference over all {pairs} pairs: {difference} (pair {pair})"
    ).format(pairs=table.pairs, difference=tiny(spec.largest), pair=spec.worst)
    facts = {
        "view": "positions_rotation",
        "position": position,
        "offset": offset,
        "pair": pair,
        "largest_difference": spec.largest,
        "largest_difference_pair": spec.worst,
    }
    return table_figure(spec, table, [formula, checked], facts)
