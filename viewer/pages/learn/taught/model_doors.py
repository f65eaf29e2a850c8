"""ModelDoors: buttons that open the models which a page has trained."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QGridLayout, QPushButton, QWidget

from viewer.pages.widgets.buttons import label

_COLUMNS = 3


class ModelDoors(QWidget):
    """One button a model; nothing where there is none.

    Args:
        model: what a model is called, by its name.

    Signals:
        path_asked: open the model in this folder.
    """

    path_asked = Signal(str)

    def __init__(self, model: Callable[[str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._paths: dict[str, str] = {}
        self._title = label("small")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.addWidget(self._title, 0, 0, 1, _COLUMNS)
        self._buttons: dict[str, QPushButton] = {}
        self.hide()

    def show_models(self, paths: Mapping[str, str]) -> None:
        """Show a button for each of these folders."""
        if dict(paths) == self._paths:
            return
        self._paths = dict(paths)
        for button in self._buttons.values():
            self._grid.removeWidget(button)
            button.deleteLater()
        self._buttons = {}
        for place, name in enumerate(self._paths):
            button = QPushButton()
            button.clicked.connect(self._clicked)
            button.setObjectName(name)
            self._grid.addWidget(button, 1 + place // _COLUMNS, place % _COLUMNS)
            self._buttons[name] = button
        self.retranslate()
        self.setVisible(bool(self._paths))

    def _clicked(self) -> None:
        self.path_asked.emit(self._paths[self.sender().objectName()])

    def retranslate(self) -> None:
        """Take the language in force."""
        self._title.setText(self.tr("Look into the models trained here:"))
        for name, button in self._buttons.items():
            button.setText(self._model(name))
