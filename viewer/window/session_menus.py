"""Menus whose entries are the session's: the bookmarks, and the sessions that are kept against a crash."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from viewer.dialogs.kept_dialog import when
from viewer.document.session import Session
from viewer.pages.widgets.plain_tip import name_action
from viewer.services.kept import Kept
from viewer.services.safe_places import SafePlaces

_MOST_SHOWN = 60  # letters of a bookmark's name, or of a sentence
_MOST_KEPT = 9  # sessions in the menu; the list has all


class BookmarkMenu(QObject):
    """Lists the bookmarks below what can be done with them."""

    def __init__(self, menu: QMenu, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._session = session
        self._entries: list[QAction] = []
        menu.aboutToShow.connect(self.refresh)

    def refresh(self) -> None:
        """Show the bookmarks as they are."""
        for entry in self._entries:
            self._menu.removeAction(entry)
            entry.deleteLater()
        marks = self._session.bookmarks
        self._entries = [self._menu.addSeparator()] if marks.all else []
        for number, mark in enumerate(marks.all):
            name = mark.name if len(mark.name) <= _MOST_SHOWN else mark.name[: _MOST_SHOWN - 1] + "…"
            entry = name_action(self._menu.addAction(""), f"{number + 1}  {name}")
            entry.setData(number)
            entry.setCheckable(True)
            entry.setChecked(number == marks.at)
            entry.triggered.connect(self._chosen)
            self._entries.append(entry)

    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.bookmarks.show(action.data())


class KeptMenu(QObject):
    """Lists the sessions that closed windows and crashes left.

    Signals:
        restore_asked: the folder of a kept session.
        list_asked: show all that is told of them, to open one or to discard some.
    """

    restore_asked = Signal(str)
    list_asked = Signal()

    def __init__(self, menu: QMenu, places: SafePlaces, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._places = places
        menu.aboutToShow.connect(self.refresh)

    def refresh(self) -> None:
        """Show what is kept now."""
        self._menu.clear()
        kept = self._places.kept()
        for one in kept[:_MOST_KEPT]:
            entry = self._menu.addAction(self._text(one).replace("&", "&&"))
            entry.setData(str(one.folder))
            entry.triggered.connect(self._chosen)
        if not kept:
            self._menu.addAction(self.tr("None")).setEnabled(False)
            return
        self._menu.addSeparator()
        self._menu.addAction(self.tr("&List, to open or discard…")).triggered.connect(self.list_asked)

    def _text(self, kept: Kept) -> str:
        text = " ".join(kept.outline.text.split())
        values = {
            "when": when(kept),
            "count": kept.runs,
            "text": text if len(text) <= _MOST_SHOWN else text[: _MOST_SHOWN - 1] + "…",
        }
        if kept.closed:
            return self.tr("{when}, runs: {count}: {text}").format(**values)
        return self.tr("Before it ended unexpectedly, {when}, runs: {count}: {text}").format(**values)

    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.restore_asked.emit(action.data())
