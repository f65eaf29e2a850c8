"""The window's top row: pages, model, language, Present, Export."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QMenu, QPushButton, QWidget

from viewer.state.session import Session
from viewer.views.appearance import Appearance
from viewer.views.buttons import MenuButton, label, tab_button

PAGES = ("look", "positions", "learn", "train")


class TopBar(QWidget):
    """Pages on the left, model and actions on the right.

    Signals:
        page_asked: index into `PAGES`.
        language_asked, present_asked, export_asked: the buttons were pressed.
    """

    page_asked = Signal(int)
    language_asked = Signal()
    present_asked = Signal()
    export_asked = Signal()

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._loading = ""
        self._group = QButtonGroup(self)
        self.pages = [tab_button(self._group, index) for index in range(len(PAGES))]
        self.pages[0].setChecked(True)
        self._model_label = label("muted")
        self.model = MenuButton(appearance)
        self.language = QPushButton("中 / EN")
        self.present = QPushButton()
        self.export = QPushButton()
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(8)
        for page in self.pages:
            row.addWidget(page)
        row.addStretch(1)
        for widget in (self._model_label, self.model, self.language, self.present, self.export):
            row.addWidget(widget)
        self._group.idClicked.connect(self.page_asked)
        self.language.clicked.connect(self.language_asked)
        self.present.clicked.connect(self.present_asked)
        self.export.clicked.connect(self.export_asked)
        session.model_changed.connect(self.refresh)
        self.retranslate()

    def set_model_menu(self, menu: QMenu) -> None:
        """The menu of the model button."""
        self.model.setMenu(menu)

    def set_loading(self, name: str) -> None:
        """Name the model that is being loaded; empty when none is."""
        self._loading = name
        self.refresh()

    def show_page(self, index: int) -> None:
        """Mark a page as the one in view."""
        self.pages[index].setChecked(True)

    def refresh(self) -> None:
        """Show the model's name and shape."""
        info = self._session.model
        if self._loading:
            text = self.tr("{name} · loading").format(name=self._loading)
        elif info is None:
            text = self.tr("No model")
        else:
            shape = info.architecture
            text = self.tr("{name} · {encoder}+{decoder} layers, {heads} heads").format(
                name=info.name,
                encoder=shape.get("encoder_layers", 0),
                decoder=shape.get("decoder_layers", 0),
                heads=shape.get("n_heads", 0),
            )
        self.model.setText(text)

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (self.tr("Look"), self.tr("Positions"), self.tr("Learn"), self.tr("Train"))
        for page, name in zip(self.pages, names, strict=True):
            page.setText(name)
        self._model_label.setText(self.tr("Model"))
        self.model.setToolTip(self.tr("Choose another model"))
        self.language.setToolTip(self.tr("Switch between Chinese and English"))
        self.language.setAccessibleName(self.tr("Language"))
        self.present.setText(self.tr("Present"))
        self.present.setToolTip(self.tr("Large type for a projector (F5)"))
        self.export.setText(self.tr("Export…"))
        self.export.setToolTip(self.tr("Save the picture or its numbers (Ctrl+E)"))
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)
