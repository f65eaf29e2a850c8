"""GoldOverlay: where gold links are drawn over a map of cross-attention."""

from __future__ import annotations

from dataclasses import dataclass

from model.alignment.hard import Rule
from model.alignment.links import Link, LinkKind


@dataclass(frozen=True)
class GoldBox:
    """A link as a rectangle of cells.

    Attributes:
        link: words of source and target, from 0.
        first_row, last_row, first_column, last_column: places of the map, half-open.
    """

    link: Link
    kind: LinkKind
    first_row: int
    last_row: int
    first_column: int
    last_column: int


@dataclass(frozen=True)
class GoldOverlay:
    """All links of a map that can be drawn.

    Attributes:
        rule: which row they are drawn at.
        note: the error rates under both rules, for a tooltip.
    """

    rule: Rule
    boxes: tuple[GoldBox, ...]
    note: str = ""
