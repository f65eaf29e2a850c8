"""Form editors: one widget for each kind of field, with `changed`, `chosen` and `choose`."""

from __future__ import annotations

import math
from typing import Any, cast

from PySide6.QtCore import QCoreApplication, Qt, Signal
from PySide6.QtGui import QValidator, QWheelEvent
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QHBoxLayout, QLineEdit, QWidget

from model.training.fields.field import Field
from viewer.guarded import Guarded
from viewer.pages.widgets.buttons import NarrowBox, label

_EXACT = 30  # decimals after which every number that a field can hold is kept bit for bit


def words(text: str) -> str:
    """A text of the table of fields in the language in force."""
    return QCoreApplication.translate("Fields", text) if text else ""


class NumberBox(Guarded, QDoubleSpinBox):
    """A number as short as it can be written; it keeps every digit and leaves the wheel to the form."""

    changed = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field
        self._whole = field.kind == "whole"
        self.setDecimals(_EXACT)
        self.setRange(field.least, field.most)
        self.setSingleStep(field.step)
        self.setAccelerated(True)
        # The style sheet's padding does not reach the field inside.
        self.lineEdit().setTextMargins(6, 0, 0, 0)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.valueChanged.connect(self.changed)

    def chosen(self) -> int | float:
        """The number; an int where there are no decimals."""
        return round(self.value()) if self._whole else self.value()

    def choose(self, value: Any) -> None:
        """Show a number."""
        self.setValue(value)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setSpecialValueText(words(self._field.zero))
        self.setSuffix(f" {words(self._field.unit)}" if self._field.unit else "")

    def textFromValue(self, value: float) -> str:
        """The shortest text that means the value."""
        if self._whole:
            return f"{round(value):,}"
        return repr(value).removesuffix(".0")

    def valueFromText(self, text: str) -> float:
        """The number of a text that may end in the unit."""
        number = self._number(text)
        return self.value() if number is None else number

    def validate(self, text: str, position: int) -> tuple[QValidator.State, str, int]:
        """Anything may be typed on the way to a number in range."""
        number = self._number(text)
        good = number is not None and self.minimum() <= number <= self.maximum()
        state = QValidator.State.Acceptable if good else QValidator.State.Intermediate
        return state, text, position

    def fixup(self, text: str) -> str:
        """What is no number in range becomes the nearest one, or what was there before."""
        number = self._number(text)
        near = self.value() if number is None else min(self.maximum(), max(self.minimum(), number))
        return self.textFromValue(near)

    def stepBy(self, steps: int) -> None:
        """Go to the next multiple of the step, so that 0.3 stays 0.3 and 100 follows 1."""
        step = self._field.step
        place = self.value() / step
        whole = round(place)
        if not math.isclose(place, whole, abs_tol=1e-9):
            whole = math.floor(place) if steps > 0 else math.ceil(place)
        self.setValue(round((whole + steps) * step, 12))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the form; it never changes a number by the way."""
        event.ignore()

    def _number(self, text: str) -> float | None:
        if self.specialValueText() and text == self.specialValueText():
            return self.minimum()
        text = text.removesuffix(self.suffix()).strip()
        text = text.replace(",", "" if self._whole else ".").replace(" ", "")
        try:
            number = float(text)
        except ValueError:
            return None
        if not math.isfinite(number):
            return None
        return float(round(number)) if self._whole else number


class ChoiceBox(NarrowBox):
    """One of a few values; the wheel is left to the form."""

    changed = Signal()

    def __init__(self, choices: tuple[tuple[str, str], ...] = ()) -> None:
        super().__init__(6)
        self._choices: tuple[tuple[str, str], ...] = ()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.set_choices(choices)
        self.currentIndexChanged.connect(self.changed)

    def set_choices(self, choices: tuple[tuple[str, str], ...]) -> None:
        """Offer values under (untranslated) words."""
        before, blocked = self.chosen(), self.blockSignals(True)
        self._choices = choices
        self.clear()
        for value, text in choices:
            self.addItem(words(text), value)
        self.setCurrentIndex(max(0, self.findData(before)))
        self.blockSignals(blocked)

    def chosen(self) -> str:
        """The value; "" when there is none."""
        value = self.currentData()
        return value if isinstance(value, str) else ""

    def choose(self, value: Any) -> None:
        """Take one of the values."""
        self.setCurrentIndex(self.findData(value))

    def retranslate(self) -> None:
        """Take the language in force."""
        for index, (_, text) in enumerate(self._choices):
            self.setItemText(index, words(text))

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the form; it never changes a choice by the way."""
        event.ignore()


class FlagBox(QCheckBox):
    """Yes or no; its label stands beside it."""

    changed = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__()
        self._field = field
        self.toggled.connect(self.changed)

    def chosen(self) -> bool:
        """Whether it is ticked."""
        return self.isChecked()

    def choose(self, value: Any) -> None:
        """Tick it or not."""
        self.setChecked(value)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setText(words(self._field.label))


class TextBox(QLineEdit):
    """A line of text."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.textChanged.connect(self.changed)

    def chosen(self) -> str:
        """The text as it stands."""
        return self.text()

    def choose(self, value: Any) -> None:
        """Show a text, from its beginning."""
        if value != self.text():
            self.setText(value)
            self.setCursorPosition(0)

    def retranslate(self) -> None:
        """Nothing here is in a language."""


class SuggestBox(NarrowBox):
    """A line of text with suggestions; the wheel is left to the form."""

    changed = Signal()

    def __init__(self) -> None:
        super().__init__(3)
        self.setEditable(True)
        self.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.editTextChanged.connect(self.changed)

    def suggest(self, texts: tuple[str, ...]) -> None:
        """Offer texts; what stands in the field stays."""
        if texts == tuple(self.itemText(index) for index in range(self.count())):
            return
        kept, blocked = self.currentText(), self.blockSignals(True)
        self.clear()
        self.addItems(list(texts))
        self.setEditText(kept)
        self.blockSignals(blocked)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel scrolls the form."""
        event.ignore()


class PairBox(QWidget):
    """Two short texts with an arrow between: a source's and a target's."""

    changed = Signal()

    def __init__(self, empty: str = "", suggestions: tuple[str, ...] = ()) -> None:
        """`empty`: what an empty field stands for."""
        super().__init__()
        self._empty = empty
        self.boxes = (SuggestBox(), SuggestBox())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.boxes[0], 1)
        row.addWidget(label("muted", "→"))
        row.addWidget(self.boxes[1], 1)
        self.setFocusProxy(self.boxes[0])
        self.suggest(suggestions)
        for box in self.boxes:
            box.changed.connect(self.changed)

    def suggest(self, texts: tuple[str, ...]) -> None:
        """Offer texts to choose from."""
        for box in self.boxes:
            box.suggest(texts)

    def chosen(self) -> tuple[str, str]:
        """Both texts."""
        first, second = (box.currentText().strip() or self._empty for box in self.boxes)
        return first, second

    def choose(self, value: Any) -> None:
        """Show two texts."""
        for box, text in zip(self.boxes, cast("tuple[str, str]", value), strict=True):
            shown = "" if text == self._empty else text
            if shown != box.currentText():
                box.setEditText(shown)

    def retranslate(self) -> None:
        """Take the language in force."""
        for box, name in zip(self.boxes, (self.tr("of the source"), self.tr("of the target")), strict=True):
            box.setAccessibleName(name)
