"""Menus whose entries are the session's: the bookmarks, and the sessions that are kept against a crash."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QDateTime, QLocale, QObject, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from viewer.keeping.safe_places import Kept, SafePlaces
from viewer.state.session import Session
from viewer.views.plain_tip import name_action

_MOST_SHOWN = 60  # letters of a bookmark's name


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
    """Lists the last session and those that crashes left.

    Signals:
        restore_asked: the folder of a kept session.
    """

    restore_asked = Signal(str)

    def __init__(self, menu: QMenu, places: SafePlaces, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._places = places
        menu.aboutToShow.connect(self.refresh)

    def refresh(self) -> None:
        """Show what is kept now."""
        self._menu.clear()
        kept = self._places.kept()
        for one in kept:
            entry = self._menu.addAction(self._text(one))
            entry.setData(str(one.folder))
            entry.triggered.connect(self._chosen)
        if not kept:
            self._menu.addAction(self.tr("None")).setEnabled(False)
            return
        self._menu.addSeparator()
        self._menu.addAction(self.tr("&Delete all of these")).triggered.connect(self._delete)

    def _text(self, kept: Kept) -> str:
        when = QLocale().toString(
            QDateTime.fromSecsSinceEpoch(int(min(kept.when, time.time()))), QLocale.FormatType.ShortFormat
        )
        if kept.last:
            return self.tr("Last session, {when}, runs: {count}").format(when=when, count=kept.runs)
        return self.tr("Before it ended unexpectedly, {when}, runs: {count}").format(
            when=when, count=kept.runs
        )

    def _chosen(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.restore_asked.emit(action.data())

    def _delete(self) -> None:
        for one in self._places.kept():
            self._places.remove(Path(one.folder))
