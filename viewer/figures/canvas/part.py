"""PartGeometry: what can be pointed at in a picture of positions; a kind says what it has of it."""

from __future__ import annotations

from PySide6.QtCore import QPointF

from viewer.figures.figure import Body


class PartGeometry:
    """A picture of positions, placed."""

    spec: Body

    def cell_at(self, point: QPointF) -> tuple[int, int] | None:
        """The row and column of the first map at a point."""
        return None

    def pair_at(self, point: QPointF) -> int | None:
        """The pair at a point."""
        return None

    def offset_at(self, point: QPointF) -> int | None:
        """The offset at a point."""
        return None

    def head_at(self, point: QPointF) -> int | None:
        """The head at a point."""
        return None

    def sentence_at(self, point: QPointF) -> str:
        """What there is to say of what is at a point; empty for nothing."""
        return ""
