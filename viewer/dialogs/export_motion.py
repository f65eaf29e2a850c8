"""The export dialog's fields for animations: through what, how fast, how the end is held."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QObject, QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QDoubleSpinBox, QFormLayout, QWidget

from viewer.export.animation import LONGEST_HOLD, RATES
from viewer.figures.request import Motion, Over
from viewer.pages.widgets.buttons import indented, label


class MotionFields(QObject):
    """Rows of a form that ask for a `Motion`; hidden at first.

    Signals:
        changed: any field.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.over, self.fps, self.hold, self.loop = (
            QComboBox(),
            indented(QDoubleSpinBox()),
            indented(QDoubleSpinBox()),
            QCheckBox(),
        )
        self._labels = {"over": label(), "fps": label(), "hold": label()}
        self._fields: dict[str, QWidget] = {"over": self.over, "fps": self.fps, "hold": self.hold}
        self._form: QFormLayout | None = None
        usual = Motion()
        self.fps.setRange(*RATES)
        self.hold.setRange(0.0, LONGEST_HOLD)
        for box, value in ((self.fps, usual.fps), (self.hold, usual.hold)):
            box.setDecimals(1)
            box.setValue(value)
        self.hold.setSingleStep(0.5)
        self.loop.setChecked(usual.loop)
        self.over.currentIndexChanged.connect(self.changed)
        self.fps.valueChanged.connect(self.changed)
        self.hold.valueChanged.connect(self.changed)
        self.loop.toggled.connect(self.changed)

    def add_to(self, form: QFormLayout) -> None:
        """Append the rows to a form."""
        self._form = form
        for name, field in self._fields.items():
            self._labels[name].setBuddy(field)
            form.addRow(self._labels[name], field)
        form.addRow("", self.loop)
        self.set_shown(False)

    @property
    def shown(self) -> bool:
        """Whether the rows are there."""
        return not self.over.isHidden()

    def set_shown(self, shown: bool) -> None:
        """Show or hide the rows."""
        if self._form is not None:
            for field in (*self._fields.values(), self.loop):
                self._form.setRowVisible(field, shown)

    def offer(self, overs: Sequence[Over]) -> None:
        """Say what can be animated; the choice stays if it is still there."""
        chosen = self.over.currentData()
        with QSignalBlocker(self.over):
            self.over.clear()
            for over in overs:
                self.over.addItem("", over)
            self.over.setCurrentIndex(max(0, self.over.findData(chosen)))
        self.retranslate()

    @property
    def motion(self) -> Motion:
        """What the fields say."""
        over: Over = "steps" if self.over.currentData() == "steps" else "training"
        return Motion(over, self.fps.value(), self.hold.value(), self.loop.isChecked())

    def retranslate(self) -> None:
        """Take the language in force."""
        names = {
            "training": self.tr("The training (time-lapse)"),
            "steps": self.tr("The steps of this decoding"),
        }
        for index in range(self.over.count()):
            self.over.setItemText(index, names[self.over.itemData(index)])
        texts = {
            "over": self.tr("Animate"),
            "fps": self.tr("Frames per second"),
            "hold": self.tr("Hold the last frame"),
        }
        for name, text in texts.items():
            self._labels[name].setText(text)
            self._fields[name].setAccessibleName(text)
        self.hold.setSuffix(self.tr(" s"))
        self.hold.setToolTip(self.tr("How much longer the last frame stays than the others"))
        self.loop.setText(self.tr("Loop"))
