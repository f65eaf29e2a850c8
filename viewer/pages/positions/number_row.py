"""A number with a slider beside it."""

from __future__ import annotations

import math

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSlider, QSpinBox, QWidget

from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import indented, label
from viewer.pages.widgets.plain_tip import plain

_DECADE = 100  # steps of a logarithmic slider from 1 to 10


class NumberRow(QWidget):
    """Name, slider and spin box of one whole number.

    Signals:
        chosen: the user chose a number.
    """

    chosen = Signal(int)

    def __init__(
        self, appearance: Appearance, *, log: bool = False, even: bool = False, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._appearance = appearance
        self._log = log
        self._step = 2 if even else 1
        self.name = label("muted")
        self.slider = QSlider(Qt.Orientation.Horizontal)
        self.spin = indented(QSpinBox())
        self.spin.setSingleStep(self._step)
        self.spin.setGroupSeparatorShown(True)
        self.spin.setKeyboardTracking(False)
        self.slider.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for widget in (self.name, self.slider, self.spin):
            row.addWidget(widget, 1 if widget is self.slider else 0)
        self.slider.valueChanged.connect(self._slid)
        self.spin.valueChanged.connect(self.chosen)
        appearance.changed.connect(self._restyle)
        self._restyle()

    def show_number(self, value: int, low: int, high: int) -> None:
        """Show a number and what it may be, without telling."""
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            self.spin.setRange(low, high)
            self.spin.setValue(value)
            self.slider.setRange(self._to_slider(low), self._to_slider(high))
            self.slider.setPageStep(max(1, (self.slider.maximum() - self.slider.minimum()) // 10))
            self.slider.setValue(self._to_slider(value))

    def describe(self, name: str, tip: str) -> None:
        """Set the name that is seen, and the one that is heard."""
        self.name.setText(name)
        self.setToolTip(plain(tip))
        self.slider.setAccessibleName(tip)
        self.spin.setAccessibleName(tip)

    def _to_slider(self, value: int) -> int:
        return round(_DECADE * math.log10(max(1, value))) if self._log else value // self._step

    def _slid(self, place: int) -> None:
        value = place * self._step
        if self._log:
            exact = 10 ** (place / _DECADE)
            value = int(float(f"{exact:.3g}"))
        self.chosen.emit(min(max(value, self.spin.minimum()), self.spin.maximum()))

    def _restyle(self) -> None:
        self.slider.setMinimumWidth(self._appearance.px(80))
        self.slider.setMinimumHeight(self._appearance.px(18))
