"""Building two bases beside each other."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions.positions import (
    exact_similarity,
    sinusoidal_distances,
    wavelengths,
)
from viewer.document.positions.positions_table import PAPER_BASE, PositionTable, grouped
from viewer.figures.bases.spec import BaseNumbers, BasesSpec
from viewer.figures.encoding.of_table import table_figure, within
from viewer.figures.figure import FigureSpec


def bases_figure(
    table: PositionTable, *, other: float, count: int, offset: int, pair: int
) -> FigureSpec[BasesSpec]:
    """Sinusoids of the table's d_model with the paper's base 10000 beside those with another base."""
    dimensions = max(2, table.dimensions - table.dimensions % 2)
    count = max(1, count)
    title = QCoreApplication.translate("Figure", "Base {first} beside {second}: d_model {dimensions}")
    badge = QCoreApplication.translate("Figure", "by the formula, not a model's table")
    if table.chosen:
        badge = QCoreApplication.translate("Figure", "not this model's: d_model {dimensions}")
    spec = BasesSpec(
        sides=(_of_base(PAPER_BASE, dimensions, count), _of_base(other, dimensions, count)),
        dimensions=dimensions,
        offset=within(offset, count),
        pair=within(pair, dimensions // 2),
        title=title.format(first=grouped(PAPER_BASE), second=grouped(other), dimensions=dimensions),
        badges=(badge.format(dimensions=dimensions),),
    )
    facts = {"view": "positions_bases", "bases": [PAPER_BASE, other], "positions": count}
    return table_figure(spec, table, [], facts)


def _of_base(base: float, dimensions: int, count: int) -> BaseNumbers:
    cosine = exact_similarity(count, dimensions, base) / (dimensions / 2)
    distances = sinusoidal_distances(count, dimensions, base)
    apart = 0 if count < 2 else 1 + int(np.argmin(distances[1:]))
    smallest = float("inf") if count < 2 else float(distances[apart])
    return BaseNumbers(base, wavelengths(dimensions, base), cosine, smallest, apart)
