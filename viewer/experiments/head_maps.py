"""head_maps: the cross-attention maps of all heads of a layer side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.panels import Panels

translate = QCoreApplication.translate

ACROSS = 4
_TALLEST = 150.0


def head_maps(
    heading: str,
    maps: np.ndarray,
    predicts: Sequence[str],
    reads: Sequence[str],
    name: Callable[[int], str],
    share: float = 1.0,
) -> Panels:
    """Maps [head, query, key], each named by its head's number from 0; rows say what they predict."""
    grids = tuple(
        Grid(name(head), own, tuple(predicts), tuple(reads), written=False, tallest=_TALLEST)
        for head, own in enumerate(maps)
    )
    return Panels(heading, grids, min(ACROSS, max(1, len(grids))), share)


def first_seed() -> str:
    """Says whose maps these are, where other numbers are means."""
    return translate("Experiments", "maps: of the first seed")


def head_name(number: int) -> str:
    """Of a head, by its number from 0."""
    return translate("Experiments", "head {number}").format(number=number + 1)
