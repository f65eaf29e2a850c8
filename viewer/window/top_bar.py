"""`TopBar`: pages, model, language, Present, Export."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QMenu, QMenuBar, QPushButton, QSizePolicy, QToolButton, QWidget

from model.folder.families import Family
from viewer.document.job_status import Loading
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.requests import StopLoading
from viewer.document.session import Session
from viewer.document.text.model_text import family_of, unverified_badge, unverified_sentence
from viewer.icons import icon
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton, MenuButton, label, tab_button
from viewer.pages.widgets.overflow_menu import KEYS
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.plain_tip import literal, plain
from viewer.pages.widgets.shown_keys import keyed

PAGES = ("look", "positions", "learn", "train")

_KEYS = ("Alt+L", "Alt+P", "Alt+N", "Alt+T")
_LONGEST_NAME = 30  # letters; the tooltip has all
_LEAST_MODEL = 130
_MEGABYTE = 1_000_000
_ALL = 100  # of what is left, against the gap at the other pages


class TopBar(OverflowRow):
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
        super().__init__(appearance, parent, spacing=8)
        self._session = session
        self._appearance = appearance
        self._group = QButtonGroup(self)
        self.pages = [tab_button(self._group, index) for index in range(len(PAGES))]
        self.pages[0].setChecked(True)
        self._model_label = label("muted")
        self.model = MenuButton(appearance)
        self.stop = QPushButton()
        self.badge = label("badge")
        self.language = QPushButton("中 / EN")
        self.present = QPushButton()
        self.export = QPushButton()
        self.model.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        for page, keys in zip(self.pages, _KEYS, strict=True):
            page.setProperty(KEYS, keys)
        self.menus = IconButton(appearance, "menu")
        self.menus.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menus.hide()
        self.add(self.menus, rank=STAYS)
        for page in self.pages:
            self.add(page)
        self._free = self.count
        self.add_stretch()
        for widget, rank in ((self._model_label, 9), (self.model, STAYS), (self.stop, 2), (self.badge, 8)):
            self.add(widget, rank=rank)
        self.present.setProperty(KEYS, "F5")
        self.export.setProperty(KEYS, "Ctrl+E")
        for button, rank in ((self.language, 5), (self.present, 6), (self.export, 4)):
            self.add(button, rank=rank)
        self._group.idClicked.connect(self.page_asked)
        self.language.clicked.connect(self.language_asked)
        self.present.clicked.connect(self.present_asked)
        self.export.clicked.connect(self.export_asked)
        self.stop.clicked.connect(self._stop)
        session.model_changed.connect(self.refresh)
        session.loading_changed.connect(self.refresh)
        appearance.changed.connect(self.refresh)
        self.retranslate()

    def fold_menus(self, bar: QMenuBar, on: bool) -> None:
        """Have the menus of a bar in one button, or leave them to the bar."""
        if self.menus.menu() is None:
            menu = QMenu(self.menus)
            menu.addActions(bar.actions())
            self.menus.setMenu(menu)
        self.menus.setVisible(on)
        self._model_label.setVisible(not on)

    def take_in(self, row: OverflowRow) -> None:
        """Show a row of another page in what the names of the pages leave free."""
        if self.place_of(row) < 0:
            self.insert(self._free, row, _ALL, rank=STAYS)

    def let_go(self, row: OverflowRow) -> bool:
        """Show that row no longer; whether it was there."""
        was = self.place_of(row) >= 0
        self.take(row)
        return was

    def set_model_menu(self, menu: QMenu) -> None:
        """The menu of the model button."""
        self.model.setMenu(menu)

    def show_page(self, index: int) -> None:
        """Mark a page as the one in view."""
        self.pages[index].setChecked(True)

    def refresh(self) -> None:
        """Show the model's name and shape, and whether its kind is verified; or how far its loading is."""
        info, loading = self._session.model, self._session.loading
        if loading is not None:
            text = self._loading_text(loading)
        else:
            text = self.tr("No model") if info is None else self._model_text(info)
        self.model.setText(literal(text))
        shown = info if loading is None else loading
        whole = "" if shown is None else shown.name
        read = self._read_text(loading) if loading is not None and loading.total else ""
        tip = filter(None, (whole, read, self.tr("Choose another model")))
        self.model.setToolTip(plain("\n".join(tip)))
        self.stop.setVisible(loading is not None and loading.stoppable)
        self.model.setMinimumWidth(min(self._appearance.px(_LEAST_MODEL), self.model.sizeHint().width()))
        colours = self._appearance.palette
        self.stop.setIcon(icon("cancel", colours.text, colours.disabled))
        self.badge.setVisible(info is not None and not info.verified and loading is None)
        self.badge.setText(unverified_badge())
        self.badge.setToolTip(plain("" if info is None else unverified_sentence(info.model_type)))

    def _stop(self) -> None:
        self._session.ask(StopLoading())

    def _loading_text(self, loading: Loading) -> str:
        name, total = _short(loading.name), loading.total
        if not total:
            return self.tr("{name} · loading").format(name=name)
        text = self.tr("{name} · loading {percent} %")
        return text.format(name=name, percent=min(100, 100 * loading.done // total))

    def _read_text(self, loading: Loading) -> str:
        """How much of the model is read; the button has no room for it."""
        done, total = _megabytes(loading.done, loading.total)
        return self.tr("{done} of {total} MB").format(done=done, total=total)

    def _model_text(self, info: ModelInfo) -> str:
        """Such as "en-fr · 4+4 layers, 8 heads"; a model with one stack has one number of layers."""
        shape, family = info.architecture, family_of(info)
        encoder, decoder = shape.get("encoder_layers", 0), shape.get("decoder_layers", 0)
        text = self.tr("{name} · {encoder}+{decoder} layers, {heads} heads")
        if family is not Family.ENCODER_DECODER:
            text = self.tr("{name} · {layers} layers, {heads} heads")
        return text.format(
            name=_short(info.name),
            encoder=encoder,
            decoder=decoder,
            layers=encoder if family is Family.ENCODER_ONLY else decoder,
            heads=shape.get("n_heads", 0),
        )

    def retranslate(self) -> None:
        """Take the language in force."""
        names = (self.tr("Look"), self.tr("Positions"), self.tr("Learn"), self.tr("Train"))
        for page, name in zip(self.pages, names, strict=True):
            page.setText(name)
        self.menus.describe(self.tr("Menus"))
        self._model_label.setText(self.tr("Model"))
        self.stop.setText(self.tr("Cancel"))
        self.stop.setToolTip(self.tr("Stop loading this model (Esc); the previous one stays"))
        self.language.setToolTip(self.tr("Switch between Chinese and English"))
        self.language.setAccessibleName(self.tr("Language"))
        self.present.setText(self.tr("Present"))
        self.present.setToolTip(plain(keyed(self.tr("One large figure, for a lecture (F5)"))))
        self.export.setText(self.tr("Export…"))
        self.export.setToolTip(plain(keyed(self.tr("Save the picture or its numbers (Ctrl+E)"))))
        self.refresh()


def _short(name: str) -> str:
    """A name with its middle left out where it is long: beginning and end tell models apart."""
    half = _LONGEST_NAME // 2
    return name if len(name) <= _LONGEST_NAME else f"{name[:half]}…{name[1 - half :]}"


def _megabytes(done: int, total: int) -> tuple[str, str]:
    """Whole ones, never more done than there is; of a small model tenths."""
    if total < 10 * _MEGABYTE:
        return f"{done / _MEGABYTE:.1f}", f"{total / _MEGABYTE:.1f}"
    return str(done // _MEGABYTE), str(-(-total // _MEGABYTE))
