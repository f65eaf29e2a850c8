"""Inputs for a column that scrolls: the wheel over them scrolls it and changes nothing."""

from __future__ import annotations

from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QSlider

from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import NarrowBox


class Choice(NarrowBox):
    """A choice that leaves the wheel alone."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to the column."""
        event.ignore()


class Slider(Guarded, QSlider):
    """A slider that leaves the wheel alone."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Left to the column."""
        event.ignore()
