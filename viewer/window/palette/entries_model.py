"""EntriesModel: the lines of the palette's list, for the eye and the ear."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import (
    QAbstractListModel,
    QCoreApplication,
    QModelIndex,
    QObject,
    QPersistentModelIndex,
    Qt,
)

from viewer.guarded import Guarded
from viewer.window.palette.entry import Entry

_ROLE = Qt.ItemDataRole
KEYS_ROLE, GROUP_ROLE, ENABLED_ROLE = _ROLE.UserRole, _ROLE.UserRole + 1, _ROLE.UserRole + 2


class EntriesModel(Guarded, QAbstractListModel):
    """One row an entry; what cannot be done now can be chosen, to be read, and looks and sounds so.

    Attributes:
        entries: those in the list.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.entries: list[Entry] = []

    def show_entries(self, entries: Sequence[Entry]) -> None:
        """Have these instead."""
        self.beginResetModel()
        self.entries = list(entries)
        self.endResetModel()

    def rowCount(self, parent: QModelIndex | QPersistentModelIndex | None = None) -> int:
        """As many as were found."""
        return 0 if parent is not None and parent.isValid() else len(self.entries)

    def data(self, index: QModelIndex | QPersistentModelIndex, role: int = _ROLE.DisplayRole) -> object:
        """The title; for a screen reader all that is read in the line."""
        entry = self.entries[index.row()]
        if role == _ROLE.DisplayRole:
            return entry.title
        if role == _ROLE.AccessibleTextRole:
            return spoken(entry)
        return {KEYS_ROLE: entry.keys, GROUP_ROLE: entry.group, ENABLED_ROLE: entry.enabled}.get(role)


def spoken(entry: Entry) -> str:
    """Such as "Export…, File, Ctrl+E"."""
    text = ", ".join(part for part in (entry.title, entry.group, entry.keys) if part)
    if entry.enabled:
        return text
    return QCoreApplication.translate("PaletteDialog", "{entry}, not possible now").format(entry=text)
