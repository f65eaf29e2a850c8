"""`FoldersTab`: where file dialogs begin, what is kept on the disk for the user, and taking it away."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import (
    QFileDialog,
    QGridLayout,
    QHBoxLayout,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from model.experiments.kept import clear_experiments, folder_size
from viewer.pages.widgets.buttons import elastic, label
from viewer.pages.widgets.plain_tip import plain
from viewer.pages.widgets.question import agreed
from viewer.pages.widgets.worded import Worded
from viewer.window.preferences.scope import Scope


class FoldersTab(Worded, QWidget):
    """The folder in which dialogs begin, and the two in which the program keeps something.

    Attributes:
        last, always: where dialogs begin: in the folder used last, or in one chosen here.
        clear_sessions, clear_models: remove what is kept, once that was confirmed.
    """

    def __init__(self, scope: Scope, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scope = scope
        self.last, self.always, self.choose = QRadioButton(), QRadioButton(), QPushButton()
        self.clear_sessions, self.clear_models = QPushButton(), QPushButton()
        self._begin, self._kept = label("title"), label("title")
        self._folder = elastic(label("muted"))
        self._names = label(), label()
        self._places = elastic(label("muted")), elastic(label("muted"))
        self._sizes = label(), label()
        self._said = label("note")
        self._said.setWordWrap(True)
        self._lay_out()
        chosen = bool(scope.settings.start_folder)
        self.always.setChecked(chosen)
        self.last.setChecked(not chosen)
        self.last.clicked.connect(self._take_last)
        self.always.clicked.connect(self._take_always)
        self.choose.clicked.connect(self._ask)
        self.clear_sessions.clicked.connect(self._clear_sessions)
        self.clear_models.clicked.connect(self._clear_models)
        self.retranslate()

    def _lay_out(self) -> None:
        beginning = QHBoxLayout()
        for widget in (self.always, self._folder, self.choose):
            beginning.addWidget(widget, 1 if widget is self._folder else 0)
        grid = QGridLayout()
        grid.setHorizontalSpacing(12)
        grid.setColumnStretch(0, 1)
        buttons = (self.clear_sessions, self.clear_models)
        for number, parts in enumerate(zip(self._names, self._places, self._sizes, buttons, strict=True)):
            name, place, size, button = parts
            grid.addWidget(name, 2 * number, 0)
            grid.addWidget(size, 2 * number, 1)
            grid.addWidget(button, 2 * number, 2)
            grid.addWidget(place, 2 * number + 1, 0, 1, 3)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 14, 16, 14)
        column.setSpacing(10)
        column.addWidget(self._begin)
        column.addWidget(self.last)
        column.addLayout(beginning)
        column.addSpacing(8)
        column.addWidget(self._kept)
        column.addLayout(grid)
        column.addWidget(self._said)
        column.addStretch(1)

    # What a choice does.

    def _take_last(self) -> None:
        self._scope.settings.start_folder = ""
        self._say_folder()

    def _take_always(self) -> None:
        self.begin_in(self._scope.settings.folder)

    def _ask(self) -> None:
        folder = QFileDialog.getExistingDirectory(
            self, self.tr("Begin in this folder"), self._scope.settings.folder
        )
        if folder:
            self.begin_in(folder)

    def begin_in(self, folder: str) -> None:
        """Have file dialogs begin in that folder from now on."""
        self._scope.settings.start_folder = folder
        self.always.setChecked(True)
        self._say_folder()

    def _say_folder(self) -> None:
        settings = self._scope.settings
        self._folder.setText(settings.start_folder or settings.folder)
        self._folder.setToolTip(plain(self._folder.text()))

    def _clear_sessions(self) -> None:
        question = self.tr("Discard all autosaved sessions? Their runs cannot be brought back.")
        if self._confirmed(question):
            for kept in self._scope.kept.kept():
                self._scope.kept.remove(kept.folder)
            self._said.setText("")
            self.refresh()

    def _clear_models(self) -> None:
        question = self.tr("Remove the models of all experiments? They can be trained again.")
        if self._confirmed(question):
            busy = clear_experiments(self._scope.experiments)
            self._said.setText(self.tr("What is trained now stays.") if busy else "")
            self.refresh()

    def _confirmed(self, question: str) -> bool:
        return agreed(self, self.window().windowTitle(), question, warns=True)

    def refresh(self) -> None:
        """Say what is kept now."""
        kept, folder = self._scope.kept.kept(), self._scope.experiments
        sessions, models = sum(one.size for one in kept), folder_size(folder)
        places = (str(self._scope.settings.kept_sessions), str(folder))
        for place, size, bytes_, path in zip(
            self._places, self._sizes, (sessions, models), places, strict=True
        ):
            size.setText(QLocale().formattedDataSize(bytes_, 1) if bytes_ else self.tr("nothing"))
            place.setText(path)
            place.setToolTip(plain(path))
        self.clear_sessions.setEnabled(bool(kept))
        self.clear_models.setEnabled(bool(models))

    def retranslate(self) -> None:
        """Take the language in force."""
        self._begin.setText(self.tr("Dialogs for files begin in"))
        self.last.setText(self.tr("the folder used last"))
        self.always.setText(self.tr("always"))
        self.choose.setText(self.tr("Choose…"))
        self._kept.setText(self.tr("Kept on this computer"))
        for name, text in zip(
            self._names, (self.tr("Autosaved sessions"), self.tr("Models of experiments")), strict=True
        ):
            name.setText(text)
        for button, text in (
            (self.clear_sessions, self.tr("Discard all autosaved sessions")),
            (self.clear_models, self.tr("Remove the models of all experiments")),
        ):
            button.setText(self.tr("Clear…"))
            button.setAccessibleName(text)
        self._say_folder()
        self.refresh()
