"""`GeneralTab`: language, theme and type of the window; threads, device and memory of what it computes."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QLocale, Qt, QTimer
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QSlider, QSpinBox, QWidget

from viewer.cores import cores, spare_cores
from viewer.diagnosis.devices import training_devices
from viewer.document.text.lists import names
from viewer.pages.widgets.appearance import has_room
from viewer.pages.widgets.buttons import Label, indented, label
from viewer.pages.widgets.worded import Worded
from viewer.window.actions import plain_text, theme_words
from viewer.window.preferences.scope import Scope
from viewer.window.settings import DEVICES, LANGUAGES, MEMORY, MOST_THREADS, THEMES, TYPE_SIZES

_STEP = 256  # megabytes
_SETTLED_MS = 150
_SLIDER = 22  # its handle
_MB = 1 << 20


class GeneralTab(Worded, QWidget):
    """Each choice is in force at once, and remembered.

    Attributes:
        language, theme, type_size, threads, device, memory: the choices.
    """

    def __init__(self, scope: Scope, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scope = scope
        self.language, self.theme, self.type_size, self.device = (QComboBox() for _ in range(4))
        self.threads, self.memory = indented(QSpinBox()), QSlider(Qt.Orientation.Horizontal)
        self._megabytes = label()
        self._titles = [label("title") for _ in range(3)]
        self._names: dict[str, Label] = {}
        self._notes = {name: _note() for name in ("type_size", "threads", "device", "memory")}
        self._settled = QTimer(self)
        self._settled.setSingleShot(True)
        self._settled.setInterval(_SETTLED_MS)
        self._settled.timeout.connect(self._take_memory)
        self._fill()
        self._lay_out()
        self._connect()
        self.retranslate()
        self.remeasure()

    def _fill(self) -> None:
        settings = self._scope.settings
        for language in LANGUAGES:
            self.language.addItem(QLocale(language).nativeLanguageName(), language)
        self.language.setItemText(0, "English")
        for theme in THEMES:
            self.theme.addItem("", theme)
        for size in TYPE_SIZES:
            self.type_size.addItem("", size)
        here = training_devices()
        for device in (one for one in DEVICES if one == "auto" or one in (*here, settings.device)):
            self.device.addItem("", device)
        self.threads.setRange(0, min(MOST_THREADS, max(cores(), settings.threads)))
        self.memory.setRange(MEMORY[0] // _STEP, MEMORY[2] // _STEP)
        self.memory.setPageStep(2)
        self.language.setCurrentIndex(self.language.findData(self._scope.localization.language))
        self.theme.setCurrentIndex(self.theme.findData(self._scope.appearance.choice))
        self.type_size.setCurrentIndex(self.type_size.findData(self._scope.appearance.type_size))
        self.device.setCurrentIndex(self.device.findData(settings.device))
        self.threads.setValue(settings.threads)
        self.memory.setValue(round(settings.memory / _STEP))

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(16, 14, 16, 14)
        form.setHorizontalSpacing(16)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        memory = QHBoxLayout()
        memory.addWidget(self.memory, 1)
        memory.addWidget(self._megabytes)
        window, computing, kept = self._titles
        form.addRow(window)
        self._row(form, "language", self.language)
        self._row(form, "theme", self.theme)
        self._row(form, "type_size", self.type_size)
        form.addRow("", self._notes["type_size"])
        form.addRow(computing)
        self._row(form, "threads", self.threads)
        form.addRow("", self._notes["threads"])
        self._row(form, "device", self.device)
        form.addRow("", self._notes["device"])
        form.addRow(kept)
        name = self._names["memory"] = label()
        name.setBuddy(self.memory)
        form.addRow(name, memory)
        form.addRow("", self._notes["memory"])

    def _row(self, form: QFormLayout, name: str, field: QWidget) -> None:
        title = self._names[name] = label()
        title.setBuddy(field)
        form.addRow(title, field)

    def _connect(self) -> None:
        self.language.activated.connect(self._take_language)
        self.theme.activated.connect(self._take_theme)
        self.type_size.activated.connect(self._take_type_size)
        self.device.activated.connect(self._take_device)
        self.threads.valueChanged.connect(self._take_threads)
        self.memory.valueChanged.connect(self._say_memory)
        self.memory.valueChanged.connect(self._settled.start)

    def remeasure(self) -> None:
        """Names and slider take the size that their type needs, once all have it."""
        QTimer.singleShot(0, self, self._resize_parts)

    def _resize_parts(self) -> None:
        for name in self._names.values():
            text = name.text()
            name.clear()  # the size of the same text is not asked for again
            name.setText(text)
        self.memory.setMinimumHeight(self._scope.appearance.px(_SLIDER))

    def _offer_sizes(self) -> None:
        """Those for which the screen has room; the one in force stays to be seen."""
        screen, model, left = self.screen().availableSize(), self.type_size.model(), []
        for index, size in enumerate(TYPE_SIZES):
            # What is in force, and what is smaller, can be had wherever the window is.
            there = size <= self._scope.appearance.type_size or has_room(size, screen)
            assert isinstance(model, QStandardItemModel)
            model.item(index).setEnabled(there)
            left += [] if there else [f"{size} %"]
        self._notes["type_size"].setVisible(bool(left))
        text = self.tr("This screen has no room for a window in type of {sizes}.")
        self._notes["type_size"].setText(text.format(sizes=names(left)))

    # What a choice does.

    def _take_language(self) -> None:
        self._scope.speak(self.language.currentData())

    def _take_theme(self) -> None:
        self._scope.actions.themes[self.theme.currentData()].trigger()

    def _take_type_size(self) -> None:
        size = self.type_size.currentData()
        self._scope.settings.type_size = size
        self._scope.appearance.set_type_size(size)

    def _take_threads(self, count: int) -> None:
        self._scope.settings.threads = count
        self._scope.use_threads(count)

    def _take_device(self) -> None:
        self._scope.settings.device = self.device.currentData()
        self._scope.use_device(self.device.currentData())

    def _take_memory(self) -> None:
        megabytes = self.memory.value() * _STEP
        self._scope.settings.memory = megabytes
        self._scope.session.set_memory(megabytes * _MB)
        self._say_memory()

    def _say_memory(self) -> None:
        self._megabytes.setText(self.tr("{count} MB").format(count=self.memory.value() * _STEP))
        self.memory.setAccessibleDescription(self._megabytes.text())
        text = self.tr(
            "For translations (two thirds) and for what can be undone (one third); {held} MB are in use."
            " Beyond it the oldest go, which is said. The model, pictures and answers need more beside it."
        )
        held = self._scope.session.held_bytes / _MB
        self._notes["memory"].setText(text.format(held=f"{held:.0f}"))

    def retranslate(self) -> None:
        """Take the language in force."""
        for title, text in zip(
            self._titles, (self.tr("Window"), self.tr("Computing"), self.tr("Memory")), strict=True
        ):
            title.setText(text)
        for name, text in (
            ("language", self.tr("&Language")),
            ("theme", self.tr("&Theme")),
            ("type_size", self.tr("Type &size")),
            ("threads", self.tr("T&hreads")),
            ("device", self.tr("Train &on")),
            ("memory", self.tr("&Runs and undo")),
        ):
            self._names[name].setText(text)
        for index in range(self.theme.count()):
            self.theme.setItemText(index, plain_text(theme_words(self.theme.itemData(index))))
        for index in range(self.type_size.count()):
            self.type_size.setItemText(index, f"{self.type_size.itemData(index)} %")
        self._offer_sizes()
        for index in range(self.device.count()):
            self.device.setItemText(index, _device_words(self.device.itemData(index)))
        self.threads.setSpecialValueText(self.tr("Automatic ({count})").format(count=spare_cores()))
        self._notes["threads"].setText(
            self.tr("For models, from their next token on. A run that is trained now keeps its number.")
        )
        self._notes["device"].setText(
            self.tr("What the form of Train begins with. Models in Look always compute on the processor.")
        )
        self._say_memory()


def _note() -> Label:
    note = label("small")
    note.setWordWrap(True)
    return note


def _device_words(device: str) -> str:
    """As the form of Train says it."""
    names = {"auto": "Automatic", "cpu": "Processor", "cuda": "CUDA", "mps": "MPS"}
    return QCoreApplication.translate("Fields", names[device])
