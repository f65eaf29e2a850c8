"""Building the distances of a table's positions."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.positions.positions import (
    ByOffset,
    Nearest,
    exact_similarity,
    similarity_by_offset,
    smallest_distance,
)
from viewer.document.positions.positions_table import PositionTable
from viewer.figures.distance.spec import DistanceSpec
from viewer.figures.encoding.of_table import first_of, table_figure, within
from viewer.figures.figure import FigureSpec


def distance_figure(table: PositionTable, *, count: int, offset: int) -> FigureSpec[DistanceSpec]:
    """Dot product by offset, and the smallest distance between two of the first `count` positions."""
    rows = table.rows[: max(1, count)]
    title = QCoreApplication.translate("Figure", "Distance of positions: the first {count}")
    by_offset, nearest = _measured(table, len(rows))
    spec = DistanceSpec(
        by_offset=by_offset,
        exact=None if table.base is None else exact_similarity(len(rows), table.dimensions, table.base),
        nearest=nearest,
        norms=np.linalg.norm(rows.astype(np.float64), axis=1),
        offset=within(offset, len(rows)),
        title=title.format(count=len(rows)),
        badges=(*first_of(len(rows), table), *table.badges),
    )
    facts = {
        "view": "positions_distance",
        "positions": len(rows),
        "smallest_distance": None if nearest.pair is None else nearest.distance,
        "smallest_pair": None if nearest.pair is None else list(nearest.pair),
    }
    said = []
    if nearest.pair is not None:
        text = QCoreApplication.translate(
            "Figure", "Smallest distance {distance}, between positions {first} and {second}"
        )
        first, second = nearest.pair
        said = [text.format(distance=f"{nearest.distance:.4f}", first=first, second=second)]
    return table_figure(spec, table, said, facts)


@lru_cache(maxsize=2)
def _measured(table: PositionTable, count: int) -> tuple[ByOffset, Nearest]:
    """What takes longest, kept while only the offset is moved."""
    rows = table.rows[:count]
    return similarity_by_offset(rows), smallest_distance(rows)
