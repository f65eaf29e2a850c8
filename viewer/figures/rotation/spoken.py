"""Spoken: the pairs of a rotation as a list."""

from __future__ import annotations

from PySide6.QtCore import QRectF

from viewer.figures.rotation.layout import RotationGeometry
from viewer.figures.rotation.spec import RotationSpec
from viewer.figures.spoken import Spoken


def spoken_rotation(spec: RotationSpec) -> Spoken[RotationGeometry]:
    """A pair a row; the one in view is where it is drawn large."""

    def rect(place: RotationGeometry, row: int, column: int) -> QRectF:
        return place.circle if row == spec.pair else dict(place.strip).get(row, QRectF())

    count = len(spec.frequencies)
    return Spoken(count, 1, lambda row, column: spec.sentence(row), rect, str, current=(spec.pair, 0))
