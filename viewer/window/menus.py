"""Menus: the bar and the model button's, built from actions; recents are filled in when a menu opens."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QCoreApplication, QObject, Signal
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow, QMenu, QToolButton

from viewer.pages.widgets.plain_tip import name_action, plain
from viewer.resources import BUNDLED, bundled_model
from viewer.window.actions import MENUS, ActionRow, Actions
from viewer.window.settings import MOST_RECENTS, Settings


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

    def __init__(self, window: QMainWindow, actions: Actions, settings: Settings) -> None:
        super().__init__(window)
        self._actions = actions
        self._settings = settings
        bar = self._bar = window.menuBar()
        self.file, self.edit, self.view = bar.addMenu(""), bar.addMenu(""), bar.addMenu("")
        self.bookmarks, self.help = bar.addMenu(""), bar.addMenu("")
        self.recents, self.kept = QMenu(self.file), QMenu(self.file)
        self.themes, self.numbers = QMenu(self.view), QMenu(self.view)
        self.model = QMenu(window)
        self.model.setToolTipsVisible(True)
        self._recent_actions = [self._recent_action(window, number) for number in range(1, MOST_RECENTS + 1)]
        self.recents.addActions(self._recent_actions)
        self._fill()
        self.recents.aboutToShow.connect(self.refresh_recents)
        self.model.aboutToShow.connect(self._fill_model)
        self.retranslate()

    def refresh_recents(self) -> None:
        """Show the recent paths as they are now."""
        paths = self._settings.recents
        for number, action in enumerate(self._recent_actions, start=1):
            path = paths[number - 1] if number <= len(paths) else ""
            action.setData(path)
            name_action(action, _shortened(path))
            action.setVisible(bool(path))
        self.recents.setEnabled(bool(paths))

    def retranslate(self) -> None:
        """Take the language in force."""
        for button in self._bar.findChildren(QToolButton):  # Qt's, for what a narrow bar has no room for
            button.setAccessibleName(self.tr("More menus"))
        self.file.setTitle(self.tr("&File"))
        self.edit.setTitle(self.tr("&Edit"))
        self.view.setTitle(self.tr("&View"))
        self.bookmarks.setTitle(self.tr("&Bookmarks"))
        self.kept.setTitle(self.tr("&Autosaved sessions"))
        self.help.setTitle(self.tr("&Help"))
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
        recents = [path for path in self._settings.recents if Path(path).is_dir() and not _is_bundled(path)]
        for path in recents:
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
