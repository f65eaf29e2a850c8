"""ACTIONS: the actions of the menus, themes among them, as entries of the palette."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu

from viewer.pages.widgets.overflow_menu import with_choice
from viewer.pages.widgets.shown_keys import written
from viewer.window.actions import MENUS, ActionRow, plain_text, theme_words
from viewer.window.palette.entry import Entry, Reach, Source


def _actions(reach: Reach) -> Sequence[Entry]:
    entries = []
    for name, groups in MENUS.items():
        menu: QMenu = getattr(reach.menus, name)
        for row in (row for group in groups for row in group if isinstance(row, ActionRow)):
            if row.name != "palette":
                action = reach.actions[row.name]
                words, bare = row.plain_words, reach.keymap.bare(row.name)
                # What the menu says now is more: what would be undone.
                title = plain_text(action.text()) if "{change}" in row.words else words
                entries.append(_entry(row.name, action, title, menu.title(), bare, words))
    for theme, action in reach.actions.themes.items():
        title = with_choice(_themes(), plain_text(theme_words(theme)))
        entries.append(_entry(f"theme_{theme}", action, title, reach.menus.view.title()))
    return entries


def _entry(name: str, action: QAction, title: str, group: str, bare: str = "", words: str = "") -> Entry:
    keys = QKeySequence.listToString(action.shortcuts()[:1], QKeySequence.SequenceFormat.NativeText)
    return Entry(
        name,
        title,
        action.trigger,
        plain_text(group),
        keys or written(bare),
        also=(words,) if words and words != title else (),
        enabled=action.isEnabled(),
    )


def _themes() -> str:
    return plain_text(QCoreApplication.translate("Menus", "T&heme"))


ACTIONS = Source("action", _actions)
