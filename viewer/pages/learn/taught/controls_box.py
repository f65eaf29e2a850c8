"""ControlsBox: the controls of a lesson as widgets, a row a kind of control."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QDoubleSpinBox,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QSlider,
    QVBoxLayout,
    QWidget,
)

from model.lessons.control import Choice, Control, Place, Press, Slider, Switch, Text, Value
from viewer.document.text.token_text import token_texts
from viewer.pages.widgets.buttons import NarrowBox, indented, label
from viewer.pages.widgets.sentence_box import EnterBox

_STEPS = 200
Turned = Callable[[str, Value], None]


class Turner(Protocol):
    """A widget that turns one control."""

    def show_value(self, value: Any) -> None:
        """Show where the control stands, without telling."""

    def name(self, text: str) -> None:
        """What it is called, for those who hear it."""


class _Number(QWidget):
    """A slider with a spin box."""

    def __init__(self, control: Slider, turned: Turned) -> None:
        super().__init__()
        self._control, self._turned = control, turned
        self.slider = QSlider(Qt.Orientation.Horizontal)
        steps = round(control.high - control.low) if control.whole and not control.log else _STEPS
        self.slider.setRange(0, min(steps, 2000))
        self.slider.setPageStep(max(1, self.slider.maximum() // 10))
        self.slider.setMinimumWidth(60)
        self.spin = indented(QDoubleSpinBox())
        self.spin.setDecimals(0 if control.whole else 2)
        self.spin.setRange(control.low, control.high)
        self.spin.setSingleStep(1 if control.whole else round((control.high - control.low) / 50, 2) or 0.01)
        self.spin.setGroupSeparatorShown(True)
        self.spin.setKeyboardTracking(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        row.addWidget(self.slider, 1)
        row.addWidget(self.spin)
        self.slider.valueChanged.connect(self._slid)
        self.spin.valueChanged.connect(self._spun)

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self.slider), QSignalBlocker(self.spin):
            self.spin.setValue(float(value))
            self.slider.setValue(round(self._share(float(value)) * self.slider.maximum()))

    def name(self, text: str) -> None:
        self.slider.setAccessibleName(text)
        self.spin.setAccessibleName(text)

    def _share(self, value: float) -> float:
        low, high = self._control.low, self._control.high
        if self._control.log:
            return math.log(max(value, low) / low) / math.log(high / low)
        return (value - low) / (high - low)

    def _slid(self, place: int) -> None:
        control, share = self._control, place / max(1, self.slider.maximum())
        if control.log:
            value = control.low * (control.high / control.low) ** share
        else:
            value = control.low + share * (control.high - control.low)
        self._turned(control.name, control.taken(round(value) if control.whole else float(f"{value:.4g}")))

    def _spun(self, value: float) -> None:
        self._turned(
            self._control.name, self._control.taken(min(max(value, self._control.low), self._control.high))
        )


class _OnOff(QCheckBox):
    """A check box."""

    def __init__(self, control: Switch, turned: Turned) -> None:
        super().__init__()
        self.toggled.connect(lambda on: turned(control.name, on))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self):
            self.setChecked(bool(value))

    def name(self, text: str) -> None:
        self.setText(text)


class _Pressed(QPushButton):
    """A button that stays down while what it began is shown."""

    def __init__(self, control: Press, turned: Turned) -> None:
        super().__init__()
        self.setCheckable(True)
        self.toggled.connect(lambda on: turned(control.name, on))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self):
            self.setChecked(bool(value))

    def name(self, text: str) -> None:
        self.setText(text)


class _OneOf(NarrowBox):
    """A list to choose from."""

    def __init__(self, control: Choice | Place, turned: Turned) -> None:
        super().__init__(8)
        self._control = control
        self.activated.connect(lambda index: turned(control.name, self._values[index]))

    @property
    def _values(self) -> list[Value]:
        control = self._control
        return list(control.options) if isinstance(control, Choice) else list(range(len(control.texts)))

    def show_value(self, value: Any) -> None:
        with QSignalBlocker(self):
            self.setCurrentIndex(self._values.index(value))

    def show_texts(self, texts: list[str]) -> None:
        """The words of what there is to choose."""
        with QSignalBlocker(self):
            at = self.currentIndex()
            self.clear()
            self.addItems(texts)
            self.setCurrentIndex(at)

    def name(self, text: str) -> None:
        self.setAccessibleName(text)


class _Typed(EnterBox):
    """A line of text, taken by Enter or on leaving it."""

    def __init__(self, control: Text, turned: Turned) -> None:
        super().__init__()
        self.setMaxLength(control.longest)
        self.editingFinished.connect(lambda: turned(control.name, self.text()))

    def show_value(self, value: Any) -> None:
        if self.text() != value:
            with QSignalBlocker(self):
                self.setText(str(value))
                self.setCursorPosition(0)

    def name(self, text: str) -> None:
        self.setAccessibleName(text)


_WIDGETS: dict[type, Callable[[Any, Turned], Any]] = {
    Slider: _Number,
    Switch: _OnOff,
    Press: _Pressed,
    Choice: _OneOf,
    Place: _OneOf,
    Text: _Typed,
}


class ControlsBox(QWidget):
    """Each control with its label above it, in one column or in several.

    Signals:
        turned: control, value.
    """

    turned = Signal(str, object)

    def __init__(
        self, label_of: Callable[[str], str], option: Callable[[str, str], str], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._label_of, self._option = label_of, option
        self._columns = 1
        self._controls: tuple[Control, ...] = ()
        self._cells: dict[str, tuple[QWidget, Any, Any]] = {}
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(16)
        self._grid.setVerticalSpacing(6)

    def widget(self, name: str) -> Any:
        """The widget that turns a control; `KeyError` for one that is not shown."""
        return self._cells[name][2]

    def show_controls(self, controls: tuple[Control, ...], values: Mapping[str, Value]) -> None:
        """Show these controls where they stand."""
        shown = tuple(one for one in controls if not getattr(one, "dragged", False))
        if shown != self._controls:
            self._controls = shown
            self._make()
        for control in shown:
            self._cells[control.name][2].show_value(values[control.name])

    def set_columns(self, columns: int) -> None:
        """Place them side by side, so many in a row."""
        if columns != self._columns:
            self._columns = columns
            self._place()

    def retranslate(self) -> None:
        """Take the language in force."""
        for control in self._controls:
            _, heading, widget = self._cells[control.name]
            text = self._label_of(control.name)
            widget.name(text)
            if heading is not None:
                heading.setText(text)
            if isinstance(widget, _OneOf):
                widget.show_texts(self._texts(control))

    def _texts(self, control: Any) -> list[str]:
        if isinstance(control, Choice):
            return [self._option(control.name, option) for option in control.options]
        if not control.pieces:
            return list(control.texts)
        return [token.marked for token in token_texts(control.texts)]

    def _make(self) -> None:
        for cell, _, _ in self._cells.values():
            cell.hide()
            cell.deleteLater()
        self._cells = {}
        for control in self._controls:
            cell = QWidget()
            column = QVBoxLayout(cell)
            column.setContentsMargins(0, 0, 0, 0)
            column.setSpacing(2)
            widget = _WIDGETS[type(control)](control, self.turned.emit)
            heading = None if isinstance(widget, _OnOff | _Pressed) else label("small")
            if heading is not None:
                column.addWidget(heading)
            column.addWidget(widget)
            self._cells[control.name] = (cell, heading, widget)
        self.retranslate()
        self._place()

    def _place(self) -> None:
        for cell, _, _ in self._cells.values():
            self._grid.removeWidget(cell)
        for index, (cell, _, _) in enumerate(self._cells.values()):
            self._grid.addWidget(
                cell, index // self._columns, index % self._columns, Qt.AlignmentFlag.AlignBottom
            )
        for column in range(4):
            self._grid.setColumnStretch(column, 1 if column < self._columns else 0)
