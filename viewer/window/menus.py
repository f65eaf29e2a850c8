"""Menus: the bar and the model button's, built from actions; recents are filled in when a menu opens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer, Signal
from PySide6.QtGui import QAction, QActionEvent, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

from viewer.guarded import Guarded
from viewer.icons import icon
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.plain_tip import name_action, plain
from viewer.resources import BUNDLED, bundled_model
from viewer.window.actions import MENUS, ActionRow, Actions
from viewer.window.settings import MOST_RECENTS, RECENT_KINDS, Settings

_FILE_ICONS = {
    "model": "file_model",
    "session": "file_session",
    "trace": "file_trace",
    "sequence": "file_sequence",
}


class _Deaf(Guarded, QObject):
    """Keeps from a menu bar for now that its menus have other names.

    An action tells all that show it, one after the other. A bar without room for its menus, as in a low
    window, puts them into another menu and out of it when it is told: the list changes while the action goes
    through it, and Qt tells what is not there.
    """

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """It is told once, after all."""
        return event.type() == QEvent.Type.ActionChanged


class Menus(QObject):
    """Owns the menus.

    Attributes:
        bookmarks: filled by `BookmarkMenu`, as `kept` is by `KeptMenu`, `numbers` by `NumbersMenu`.

    Signals:
        path_asked: a recent file or a bundled model was chosen.
        folder_asked: "Open model folder…" was chosen.
    """

    path_asked = Signal(str)
    folder_asked = Signal()

    def __init__(
        self, window: QMainWindow, actions: Actions, settings: Settings, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._actions = actions
        self._settings = settings
        self._appearance = appearance
        self._more_recents: list[QAction] = []
        bar = self._bar = window.menuBar()
        self.file, self.edit, self.view = bar.addMenu(""), bar.addMenu(""), bar.addMenu("")
        self.bookmarks, self.help = bar.addMenu(""), bar.addMenu("")
        self.recents, self.kept = QMenu(self.file), QMenu(self.file)
        self.themes, self.numbers = QMenu(self.view), QMenu(self.view)
        self.model = QMenu(window)
        self.model.setToolTipsVisible(True)
        self._recent_actions = [self._recent_action(window, number) for number in range(1, MOST_RECENTS + 1)]
        self._fill()
        self.recents.aboutToShow.connect(self.refresh_recents)
        self._late = QTimer(self)
        self._late.setSingleShot(True)
        self._late.timeout.connect(self.refresh_recents)
        self.model.aboutToShow.connect(self._fill_model)
        self.retranslate()

    def recents_changed(self) -> None:
        """Other paths are remembered: show them in a moment, once for all that were opened together."""
        self._late.start(0)

    def refresh_recents(self) -> None:
        """Show the recent paths as they are now: of each kind the newest first, below its name."""
        menu, paths = self.recents, self._settings.recents
        kinds = [self._settings.recent_kind(path) for path in paths]
        menu.clear()
        for old in self._more_recents:
            old.deleteLater()
        self._more_recents = []
        for action in self._recent_actions:
            action.setData("")
        for kind in RECENT_KINDS:
            numbered = [each for each in enumerate(paths) if kinds[each[0]] == kind]
            if numbered:
                menu.addAction(_kind_words(kind)).setEnabled(False)
            for number, path in numbered:
                menu.addAction(self._recent(number, path, kind))
        menu.setEnabled(bool(paths))

    def _recent(self, number: int, path: str, kind: str) -> QAction:
        """The newest of all have keys, whatever their kind."""
        if number < len(self._recent_actions):
            action = self._recent_actions[number]
        else:
            action = QAction(self)
            action.triggered.connect(self._path_chosen)
            self._more_recents.append(action)
        action.setData(path)
        action.setIcon(icon(_FILE_ICONS[kind], self._appearance.palette.text))
        return name_action(action, _shortened(path))

    def retranslate(self) -> None:
        """Take the language in force."""
        for button in self._bar.findChildren(QToolButton):  # Qt's, for what a narrow bar has no room for
            button.setAccessibleName(self.tr("More menus"))
        deaf = _Deaf()
        self._bar.installEventFilter(deaf)
        self.file.setTitle(self.tr("&File"))
        self.edit.setTitle(self.tr("&Edit"))
        self.view.setTitle(self.tr("&View"))
        self.bookmarks.setTitle(self.tr("&Bookmarks"))
        self.help.setTitle(self.tr("&Help"))
        self._bar.removeEventFilter(deaf)
        changed = QActionEvent(QEvent.Type.ActionChanged.value, self.file.menuAction())
        QCoreApplication.sendEvent(self._bar, changed)
        self.kept.setTitle(self.tr("&Autosaved sessions"))
        self.recents.setTitle(self.tr("Open &recent"))
        self.themes.setTitle(self.tr("T&heme"))
        self.numbers.setTitle(self.tr("What is sho&wn"))
        self.refresh_recents()

    def _fill(self) -> None:
        for name, groups in MENUS.items():
            menu: QMenu = getattr(self, name)
            for number, group in enumerate(groups):
                if number:
                    menu.addSeparator()
                for entry in group:
                    if isinstance(entry, ActionRow):
                        menu.addAction(self._actions[entry.name])
                    else:
                        menu.addMenu(getattr(self, entry))
        self.themes.addActions(list(self._actions.themes.values()))

    def _fill_model(self) -> None:
        menu = self.model
        menu.clear()
        for name in BUNDLED:
            folder = bundled_model(name)
            if folder is not None:
                text = self.tr("{name}: {description}")
                self._add_path(menu, text.format(name=name, description=model_description(name)), str(folder))
        menu.addSeparator()
        menu.addAction(self.tr("Open model folder…")).triggered.connect(self.folder_asked)
        for path in self._settings.recents:
            # Whether it is still there is not asked here: it may lie on a drive that takes long to answer.
            if self._settings.recent_kind(path) == "model" and not _is_bundled(path):
                self._add_path(menu, _shortened(path), path)
        menu.addSeparator()
        menu.addAction(self._actions["model_info"])

    def _add_path(self, menu: QMenu, text: str, path: str) -> None:
        action = name_action(menu.addAction(""), text)
        action.setData(path)
        action.setToolTip(plain(path))
        action.triggered.connect(self._path_chosen)

    def _recent_action(self, window: QMainWindow, number: int) -> QAction:
        action = QAction(self)
        action.setShortcut(QKeySequence(f"Ctrl+{number}"))
        action.triggered.connect(self._path_chosen)
        window.addAction(action)
        return action

    def _path_chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction) and action.data():
            self.path_asked.emit(action.data())


def _kind_words(kind: str) -> str:
    """What files of a kind are called together."""
    return {
        "model": QCoreApplication.translate("Menus", "Models"),
        "session": QCoreApplication.translate("Menus", "Sessions"),
        "trace": QCoreApplication.translate("Menus", "Traces"),
        "sequence": QCoreApplication.translate("Menus", "Time-lapses"),
    }[kind]


def model_description(name: str) -> str:
    """One line about a bundled model."""
    return {
        "en-fr": QCoreApplication.translate("Menus", "English to French"),
        "zh-en": QCoreApplication.translate("Menus", "Chinese to English"),
        "reverse": QCoreApplication.translate("Menus", "a toy that reverses words"),
    }.get(name, "")


def _is_bundled(path: str) -> bool:
    return any(bundled_model(name) == Path(path) for name in BUNDLED)


def _shortened(path: str) -> str:
    return path if len(path) <= 60 else "…" + path[-59:]
