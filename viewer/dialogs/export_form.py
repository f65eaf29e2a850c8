"""`ExportForm`: the fields of the export dialog: widgets, layout and words, no decisions."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from viewer.dialogs.export_motion import MotionFields
from viewer.export.picture import DPI, WIDTH_MM
from viewer.figures.registry import asked_kinds
from viewer.pages.widgets.buttons import label

PREVIEW_SIZE = (360, 300)
DATA = "data"


class ExportForm(QWidget):
    """What, format, looks, place, preview and buttons.

    Attributes:
        what: items carry the name of a kind of figure, or `DATA`.
        upto: whether rows after the current step stay open.
        motion: of animations, hidden for any other format.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.what, self.format, self.theme = QComboBox(), QComboBox(), QComboBox()
        self.upto = QCheckBox()
        self.motion = MotionFields(self)
        self.width_mm, self.dpi = QDoubleSpinBox(), QSpinBox()
        self.path, self.browse = QLineEdit(), QPushButton()
        self.preview, self.message = QLabel(), label()
        self.export, self.copy, self.command, self.close_button = (QPushButton() for _ in range(4))
        self.fields: dict[str, QWidget] = {
            "what": self.what, "format": self.format, "theme": self.theme, "width": self.width_mm,
            "dpi": self.dpi, "path": self.path,
        }  # fmt: skip
        self.labels = {name: label() for name in self.fields}
        self._set_up()
        self._lay_out()

    def _set_up(self) -> None:
        self.export.setProperty("role", "primary")
        # Else Enter in the file field would press the button beside it.
        for button in (self.browse, self.copy, self.command, self.close_button):
            button.setAutoDefault(False)
        self.export.setDefault(True)
        self.message.setWordWrap(True)
        self.message.setProperty("role", "small")
        self.preview.setFixedSize(*PREVIEW_SIZE)
        self.preview.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.width_mm.setRange(*WIDTH_MM)
        self.width_mm.setDecimals(1)
        self.dpi.setRange(*DPI)
        for name in ("light", "dark"):
            self.theme.addItem("", name)

    def _lay_out(self) -> None:
        form, place = QFormLayout(), QHBoxLayout()
        for name, field in self.fields.items():
            self.labels[name].setBuddy(field)
            if field is not self.path:
                form.addRow(self.labels[name], field)
            if field is self.what:
                form.addRow("", self.upto)
            if field is self.format:
                self.motion.add_to(form)
        for widget in (self.labels["path"], self.path, self.browse):
            place.addWidget(widget)
        top = QHBoxLayout()
        top.addLayout(form, 1)
        top.addSpacing(16)
        top.addWidget(self.preview)
        buttons = QHBoxLayout()
        buttons.addWidget(self.copy)
        buttons.addWidget(self.command)
        buttons.addStretch(1)
        buttons.addWidget(self.close_button)
        buttons.addWidget(self.export)
        column = QVBoxLayout(self)
        column.addLayout(top)
        column.addLayout(place)
        column.addWidget(self.message)
        column.addLayout(buttons)

    def retranslate(self, step: int) -> None:
        """Set every text in the language in force; `step` is the current one, from 1."""
        names = {
            **{name: kind.label() for name, kind in asked_kinds().items()},
            DATA: self.tr("The whole decoding (data)"),
            "light": self.tr("Light"),
            "dark": self.tr("Dark"),
        }
        for box in (self.what, self.theme):
            for index in range(box.count()):
                box.setItemText(index, names[box.itemData(index)])
        texts = {
            "what": self.tr("What"),
            "format": self.tr("Format"),
            "theme": self.tr("Theme"),
            "width": self.tr("Width"),
            "dpi": self.tr("Resolution"),
            "path": self.tr("File"),
        }
        for name, text in texts.items():
            self.labels[name].setText(text)
            self.fields[name].setAccessibleName(text)
        self.motion.retranslate()
        self.upto.setText(self.tr("Only up to step {number}").format(number=step))
        self.width_mm.setSuffix(self.tr(" mm"))
        self.dpi.setSuffix(self.tr(" dpi"))
        self.browse.setText(self.tr("Browse…"))
        self.copy.setText(self.tr("Copy picture"))
        self.command.setText(self.tr("Copy as command"))
        self.export.setText(self.tr("Export"))
        self.close_button.setText(self.tr("Close"))
