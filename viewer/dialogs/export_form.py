"""`ExportForm`: the fields of the export dialog: widgets, layout and words, no decisions."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from viewer.dialogs.export_motion import MotionFields
from viewer.dialogs.export_paper import PaperFields
from viewer.figures.registry import asked_kinds
from viewer.pages.widgets.buttons import NarrowBox, label
from viewer.pages.widgets.quiet_scroll import QuietScrollArea

DATA = "data"
ONE = "one"
_CAPTION_LINES = 3
_NAME = 12  # letters of what is exported


class ExportForm(QWidget):
    """What, format, looks, place, preview and buttons.

    Attributes:
        what: items carry the name of a kind of figure, or `DATA`.
        each: items carry `ONE` or the name of a set of files.
        upto: whether rows after the current step stay open.
        motion: of animations, hidden for any other format.
        paper: of the page.
        extent: how large what is written is; `caption` what belongs beside it, to be copied.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        # The page has more use for the width than long names have.
        self.what, self.format, self.each = NarrowBox(_NAME), QComboBox(), QComboBox()
        self.upto = QCheckBox()
        self.motion, self.paper = MotionFields(self), PaperFields(self)
        self.path, self.browse = QLineEdit(), QPushButton()
        self.preview, self.extent, self.message = QLabel(), label(), label()
        self.caption = QPlainTextEdit()
        self.export, self.copy, self.copy_caption, self.command, self.close_button = (
            QPushButton() for _ in range(5)
        )
        self.fields: dict[str, QWidget] = {
            "what": self.what, "format": self.format, "each": self.each, "path": self.path,
        }  # fmt: skip
        self.labels = {name: label() for name in self.fields}
        self._form = QFormLayout()
        self._set_up()
        self._lay_out()

    def _set_up(self) -> None:
        self.export.setProperty("role", "primary")
        # Else Enter in the file field would press the button beside it.
        for button in (self.browse, self.copy, self.copy_caption, self.command, self.close_button):
            button.setAutoDefault(False)
        self.export.setDefault(True)
        for words in (self.message, self.extent):
            words.setWordWrap(True)
            words.setProperty("role", "small")
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.caption.setReadOnly(True)
        self.caption.setTabChangesFocus(True)
        self.caption.setFixedHeight(self.caption.fontMetrics().lineSpacing() * _CAPTION_LINES + 12)

    def _lay_out(self) -> None:
        # From the outside in: Qt styles all that a widget holds anew each time it is put into another. In the
        # order in which Tab comes to them.
        column = QVBoxLayout(self)
        top, right, place, buttons = QHBoxLayout(), QVBoxLayout(), QHBoxLayout(), QHBoxLayout()
        column.addLayout(top, 1)
        column.addLayout(place)
        column.addWidget(self.message)
        column.addLayout(buttons)
        self._fields_area, self._inner = QuietScrollArea(self), QWidget(self)
        self._fields_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._fields_area.setWidget(self._inner)
        top.addWidget(self._fields_area)
        top.addSpacing(8)
        top.addLayout(right, 1)
        self._inner.setLayout(self._form)
        for name, field in self.fields.items():
            self.labels[name].setBuddy(field)
            if field is not self.path:
                self._form.addRow(self.labels[name], field)
            if field is self.what:
                self._form.addRow("", self.upto)
            if field is self.format:
                self.motion.add_to(self._form)
        self.paper.add_to(self._form)
        self.page = QuietScrollArea(self)
        self.page.setWidget(self.preview)
        self.page.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.page.setCornerWidget(QWidget(self))  # else the picture shows between the two bars
        right.addWidget(self.page, 1)
        right.addWidget(self.extent)
        right.addWidget(self.caption)
        for widget in (self.labels["path"], self.path, self.browse):
            place.addWidget(widget)
        for button in (self.copy, self.copy_caption, self.command):
            buttons.addWidget(button)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.export)

    def offer_sets(self, sets: Sequence[str]) -> None:
        """Say which sets there are; the choice stays if it is still there."""
        chosen = self.each.currentData()
        with QSignalBlocker(self.each):
            self.each.clear()
            for name in (ONE, *sets):
                self.each.addItem(self._set_name(name), name)
            self.each.setCurrentIndex(max(0, self.each.findData(chosen)))
        self._form.setRowVisible(self.each, bool(sets))

    def _set_name(self, name: str) -> str:
        names = {
            ONE: self.tr("This figure"),
            "heads": self.tr("Every head of this family"),
            "steps": self.tr("Every step"),
            "bookmarks": self.tr("Every bookmark"),
        }
        return names[name]

    def retranslate(self, step: int) -> None:
        """Set every text in the language in force; `step` is the current one, from 1."""
        names = {
            **{name: kind.label() for name, kind in asked_kinds().items()},
            DATA: self.tr("The whole decoding (data)"),
        }
        for index in range(self.what.count()):
            self.what.setItemText(index, names[self.what.itemData(index)])
        for index in range(self.each.count()):
            self.each.setItemText(index, self._set_name(self.each.itemData(index)))
        texts = {
            "what": self.tr("Content"),
            "format": self.tr("Format"),
            "each": self.tr("Files"),
            "path": self.tr("File"),
        }
        for name, text in texts.items():
            self.labels[name].setText(text)
            self.fields[name].setAccessibleName(text)
        self.motion.retranslate()
        self.paper.retranslate()
        self.upto.setText(self.tr("Only up to step {number}").format(number=step))
        self.caption.setAccessibleName(self.tr("Caption"))
        self.browse.setText(self.tr("Browse…"))
        self.copy.setText(self.tr("Copy picture"))
        self.copy_caption.setText(self.tr("Copy caption"))
        self.command.setText(self.tr("Copy as command"))
        self.export.setText(self.tr("Export"))
        self.close_button.setText(self.tr("Close"))
        bar = self._fields_area.verticalScrollBar().sizeHint().width()
        self._fields_area.setFixedWidth(self._inner.sizeHint().width() + bar + 4)
