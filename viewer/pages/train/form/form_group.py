"""Form group: a card: a heading, the fields that most people choose, and the others behind "More"."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QAbstractSpinBox,
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLayout,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from model.training.fields.field import Field, Group
from model.training.fields.fields import FIELDS
from viewer.pages.accessible.tabs import TabButton
from viewer.pages.train.form.form_row import FieldRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label
from viewer.pages.widgets.worded import Worded

_ROWS = 4  # made in one part


class FormGroup(Worded, QFrame):
    """One group of the table of fields, made by whoever goes through its parts.

    Attributes:
        parts: makes what is not made yet, a part each time that the next is asked for.
        rows: by the fields' names, in the table's order.
        usual: values that are no change worth counting.
        top: what stands above the fields.
        notes: what stands below them.

    Signals:
        changed: the name of the field that has another value.
    """

    changed = Signal(str)

    def __init__(self, group: Group, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("role", "card")
        self.group = group
        self._appearance = appearance
        self._kept_back: set[str] = set()
        self.usual: Mapping[str, Any] = {}
        self.rows: dict[str, FieldRow] = {}
        self.is_whole = False
        self.parts = self._make_whole()

    def _make_whole(self) -> Iterator[None]:
        yield from self._make()
        self.is_whole = True
        self.retranslate()

    def _make(self) -> Iterator[None]:
        """All but the words, which are put in when all is there."""
        fields = [field for field in FIELDS.values() if field.group == self.group]
        for number, field in enumerate(fields):
            if number and number % _ROWS == 0:
                yield
            self.rows[field.name] = self._row(field)
        yield
        self.heading = label("title")
        self.more = QToolButton()
        self.more.setProperty("role", "link")
        self.more.setCheckable(True)
        self.more.toggled.connect(self.refresh)
        self.top, self.notes = QVBoxLayout(), QVBoxLayout()
        self._lay_out()

    def _row(self, field: Field) -> FieldRow:
        row = FieldRow(field, self._appearance, None, self)
        row.changed.connect(self._row_changed)
        return row

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.addWidget(self.heading)
        head.addStretch(1)
        head.addWidget(self.more)
        column = QVBoxLayout(self)
        column.setContentsMargins(14, 8, 14, 12)
        column.setSpacing(6)
        column.addLayout(head)
        for layout in (self.top, self.notes):
            layout.setContentsMargins(0, 0, 0, 0)
            layout.setSpacing(6)
        column.addLayout(self.top)
        for row in self._ordered():
            column.addWidget(row)
        column.addLayout(self.notes)

    def _ordered(self) -> list[FieldRow]:
        """Those that are always there first."""
        return sorted(self.rows.values(), key=lambda row: row.field.advanced)

    def tab_chain(self) -> list[QWidget]:
        """What takes the focus, from top to bottom."""
        widgets = [self.more, *_widgets_in(self.top), *self._ordered(), *_widgets_in(self.notes)]
        return [leaf for widget in widgets for leaf in leaves(widget)]

    def values(self) -> dict[str, Any]:
        """Every field's value."""
        return {name: row.value() for name, row in self.rows.items()}

    def set_values(self, values: Mapping[str, Any]) -> None:
        """Show the values of this group's fields that are among `values`; `auto` says which nobody gave."""
        for name, row in self.rows.items():
            if "auto" in values:
                row.set_automatic(name in values["auto"])
            if name in values:
                row.fill(values[name])

    def keep_back(self, names: Collection[str]) -> None:
        """Leave out fields that mean nothing now."""
        if set(names) != self._kept_back:
            self._kept_back = set(names)
            self.refresh()

    def set_problems(self, found: Mapping[str, str]) -> None:
        """Say what is wrong, field by field; a field behind "More" comes forth with its problem."""
        for name, row in self.rows.items():
            row.set_problem(found.get(name, ""))
        self.refresh()

    def refresh(self) -> None:
        """Show the fields that are wanted, and count the others that were changed."""
        open_, changed, advanced = self.more.isChecked(), 0, 0
        for name, row in self.rows.items():
            offered = name not in self._kept_back
            # Files that were chosen change what the other fields mean.
            chosen = row.field.kind == "files" and bool(row.value())
            wanted = not row.field.advanced or open_ or chosen or bool(row.problem.text())
            row.setVisible(offered and wanted)
            if offered and row.field.advanced:
                advanced += 1
                changed += row.value() != self.usual.get(name, row.field.default)
        self.more.setVisible(advanced > 0)
        if open_:
            self.more.setText(self.tr("Less"))
        elif changed:
            self.more.setText(self.tr("More ({number} changed)").format(number=changed))
        else:
            self.more.setText(self.tr("More"))

    def retranslate(self) -> None:
        """Take the language in force."""
        title = {
            "data": self.tr("Data"),
            "vocabulary": self.tr("Vocabulary"),
            "model": self.tr("Model"),
            "training": self.tr("Training"),
            "watch": self.tr("Watch"),
            "result": self.tr("Result"),
        }[self.group]
        self.heading.setText(title)
        self.more.setAccessibleName(self.tr("More fields of {group}").format(group=title))
        self.refresh()

    def _row_changed(self) -> None:
        row = self.sender()
        if isinstance(row, FieldRow):
            self.changed.emit(row.name)


def _widgets_in(layout: QLayout) -> list[QWidget]:
    """The widgets of a layout and of those inside it, in order."""
    found: list[QWidget] = []
    for index in range(layout.count()):
        item = layout.itemAt(index)
        if item is None:
            continue
        inner, widget = item.layout(), item.widget()
        if inner is not None:
            found += _widgets_in(inner)
        elif widget is not None:
            found.append(widget)
    return found


def leaves(widget: QWidget) -> list[QWidget]:
    """Those of a widget and its children that take the focus by themselves."""
    whole = isinstance(widget, (QComboBox, QAbstractSpinBox))
    # Another tab may be the chosen one later, and the one that takes the focus.
    takes = widget.focusPolicy() & Qt.FocusPolicy.TabFocus or isinstance(widget, TabButton)
    own = [widget] if takes and widget.focusProxy() is None else []
    if whole:
        return own
    children = [child for child in widget.children() if isinstance(child, QWidget)]
    return own + [leaf for child in children for leaf in leaves(child)]
