"""Inputs for a column that scrolls: the wheel over them scrolls it and changes nothing."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QSlider

from viewer.guarded import Guarded


class Choice(Guarded, QComboBox):
    """A combo box that leaves the wheel alone and may be narrower than its longest entry."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to the column."""
        event.ignore()


class Slider(Guarded, QSlider):
    """A slider that leaves the wheel alone."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to the column."""
        event.ignore()
