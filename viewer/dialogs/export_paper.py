"""The export dialog's fields for the page: an editor for each option of `viewer.figures.paper.PAPER`."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QSpinBox, QWidget

from viewer.figures.paper import PAPER, SCALE, PaperOption
from viewer.figures.request import ExportRequest
from viewer.pages.widgets.buttons import indented, label

_UNREMEMBERED = (SCALE,)  # what the window shows decides: what is exported is what is seen


class PaperFields(QObject):
    """A row of a form for every option.

    Attributes:
        editors: by name of the option: a box of choices, of a number, or to be checked.

    Signals:
        changed: any of them.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.editors: dict[str, Any] = {option.name: self._editor(option) for option in PAPER}
        self.labels = {option.name: label() for option in PAPER if _is_named(option)}

    def _editor(self, option: PaperOption) -> QWidget:
        if option.choices:
            box = QComboBox()
            for name, _ in option.choices:
                box.addItem("", name)
            box.currentIndexChanged.connect(self.changed)
            return box
        if option.span is None:
            check = QCheckBox()
            check.toggled.connect(self.changed)
            return check
        low, high = option.span
        if option.whole:
            whole = indented(QSpinBox())
            whole.setRange(int(low), int(high))
            whole.valueChanged.connect(self.changed)
            return whole
        number = indented(QDoubleSpinBox())
        number.setDecimals(1)
        number.setRange(low if option.unset is None else low - 1, high)  # below the least: nothing is asked
        number.valueChanged.connect(self.changed)
        return number

    def add_to(self, form: QFormLayout) -> None:
        """Append the rows to a form."""
        for option in PAPER:
            editor = self.editors[option.name]
            if option.name in self.labels:
                self.labels[option.name].setBuddy(editor)
                form.addRow(self.labels[option.name], editor)
            else:
                form.addRow("", editor)

    @property
    def values(self) -> dict[str, Any]:
        """What is chosen, by field of `ExportRequest`."""
        return {option.field: self._value(option) for option in PAPER}

    def _value(self, option: PaperOption) -> Any:
        editor = self.editors[option.name]
        if isinstance(editor, QComboBox):
            return str(editor.currentData())
        if isinstance(editor, QCheckBox):
            return editor.isChecked()
        assert isinstance(editor, (QSpinBox, QDoubleSpinBox))
        unset = option.unset is not None and option.span is not None and editor.value() < option.span[0]
        return None if unset else editor.value()

    def show_request(self, request: ExportRequest) -> None:
        """Take everything from a request."""
        for option in PAPER:
            self._set(option, option.of(request))

    def _set(self, option: PaperOption, value: Any) -> None:
        editor = self.editors[option.name]
        if isinstance(editor, QComboBox):
            editor.setCurrentIndex(max(0, editor.findData(value)))
        elif isinstance(editor, QCheckBox):
            editor.setChecked(bool(value))
        elif isinstance(editor, QSpinBox):
            editor.setValue(int(value))
        elif isinstance(editor, QDoubleSpinBox):
            editor.setValue(editor.minimum() if value is None else float(value))

    @property
    def kept(self) -> dict[str, Any]:
        """What is to be remembered, plain values by name."""
        return {option.name: self._value(option) for option in PAPER if option not in _UNREMEMBERED}

    def remember(self, kept: Mapping[str, Any]) -> None:
        """Take up what was kept; what makes no sense stays as it is."""
        for option in PAPER:
            if option not in _UNREMEMBERED and _sensible(option, kept.get(option.name, self)):
                self._set(option, kept[option.name])

    def enable(self, there: Callable[[PaperOption], bool]) -> None:
        """Enable those that make a difference to the file."""
        for option in PAPER:
            self.editors[option.name].setEnabled(there(option))

    def retranslate(self) -> None:
        """Take the language in force."""
        for option in PAPER:
            editor, text = self.editors[option.name], option.label()
            if isinstance(editor, QCheckBox):
                editor.setText(text)
                continue
            self.labels[option.name].setText(text)
            editor.setAccessibleName(text)
            if isinstance(editor, QComboBox):
                for index, (_, name) in enumerate(option.choices):
                    editor.setItemText(index, name())
            elif isinstance(editor, (QSpinBox, QDoubleSpinBox)):
                editor.setSuffix(option.unit())
                if option.unset is not None:
                    editor.setSpecialValueText(option.unset())


def _is_named(option: PaperOption) -> bool:
    """Whether a label stands beside its editor."""
    return bool(option.choices) or option.span is not None


def _sensible(option: PaperOption, value: Any) -> bool:
    """Whether a value that was kept may be chosen."""
    if option.choices:
        return value in [name for name, _ in option.choices]
    if option.span is None:
        return isinstance(value, bool)
    if value is None:
        return option.unset is not None
    low, high = option.span
    number = isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)
    return number and low <= value <= high
