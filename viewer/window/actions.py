"""Actions: every menu action of the window, one row each, in its place in the menus.

A new one is a row here, and what it does is said by `Actions.connect_all` where that is known.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject
from PySide6.QtGui import QAction, QActionGroup, QKeySequence

from model.trace.trace import AttentionKind
from viewer.pages.look.pane_views import PANE_VIEWS
from viewer.pages.widgets.shown_keys import written

_ROLE = QAction.MenuRole
KINDS = tuple(str(kind) for kind in AttentionKind)
"""Names of the actions for the kinds of attention."""
VIEWS = tuple(f"view_{view.name}" for view in PANE_VIEWS)
"""Names of the actions for the views of a pane."""


class KeysNow(Protocol):
    """The keys in force; see `viewer.window.keymap.Keymap`."""

    def shortcuts(self, name: str) -> list[QKeySequence]:
        """Those of an action that Qt answers."""

    def bare(self, name: str) -> str:
        """The letter that the window answers for it."""


def plain_text(text: str) -> str:
    """A menu's text without what names its letter and its key: "Open model…" of "&Open model…"."""
    text = re.sub(r"\s*\(&\w\)", "", text.split("\t")[0])  # as menus in Chinese have it
    return text.replace("&&", "\0").replace("&", "").replace("\0", "&")


@dataclass(frozen=True)
class ActionRow:
    """An action.

    Attributes:
        text: in English, to be translated in the context Actions, or what says it in the language in force.
        keys: shortcuts at first; the `Keymap` says which are in force.
        plain_key: a key without Ctrl, which `viewer.window.keys` answers where nothing is typed: menus only
            name it.
        role: where some systems put it.
    """

    name: str
    text: str | Callable[[], str]
    keys: tuple[str, ...]
    plain_key: str
    checkable: bool
    role: QAction.MenuRole

    @property
    def words(self) -> str:
        """Its text in the language in force."""
        return self.text() if callable(self.text) else QCoreApplication.translate("Actions", self.text)

    @property
    def plain_words(self) -> str:
        """Its text without what names its letter, and without what changes."""
        return plain_text(self.words).replace("{change}", "").strip()

    @property
    def all_keys(self) -> tuple[str, ...]:
        """Its keys at first, the bare one too."""
        return (*self.keys, self.plain_key) if self.plain_key else self.keys


def _row(
    name: str,
    text: object,
    keys: tuple[str, ...] = (),
    *,
    plain_key: str = "",
    checkable: bool = False,
    role: QAction.MenuRole = _ROLE.TextHeuristicRole,
) -> ActionRow:
    """A row whose text is marked for translation, of which Qt says only that it is an object."""
    return ActionRow(name, text if callable(text) else str(text), keys, plain_key, checkable, role)


MENUS: Mapping[str, tuple[tuple[ActionRow | str, ...], ...]] = {
    "file": (
        (
            _row("open_model", QT_TRANSLATE_NOOP("Actions", "&Open model…"), ("Ctrl+O",)),
            _row("open_trace", QT_TRANSLATE_NOOP("Actions", "Open &trace…"), ("Ctrl+Shift+O",)),
            _row("open_session", QT_TRANSLATE_NOOP("Actions", "Open sess&ion…")),
            "recents",
            "kept",
        ),
        (
            _row("save_trace", QT_TRANSLATE_NOOP("Actions", "&Save trace…"), ("Ctrl+S",)),
            _row("save_session", QT_TRANSLATE_NOOP("Actions", "Save sessio&n…"), ("Ctrl+Shift+S",)),
        ),
        (
            _row("export", QT_TRANSLATE_NOOP("Actions", "&Export…"), ("Ctrl+E",)),
            _row("copy_picture", QT_TRANSLATE_NOOP("Actions", "Copy &picture"), ("Ctrl+Alt+C",)),
            _row("copy_command", QT_TRANSLATE_NOOP("Actions", "Copy as co&mmand")),
            _row("script", QT_TRANSLATE_NOOP("Actions", "Save as s&cript…")),
        ),
        (_row("quit", QT_TRANSLATE_NOOP("Actions", "&Quit"), ("Ctrl+Q",), role=_ROLE.QuitRole),),
    ),
    "edit": (
        (
            _row("undo", QT_TRANSLATE_NOOP("Actions", "&Undo {change}"), ("Ctrl+Z",)),
            _row("redo", QT_TRANSLATE_NOOP("Actions", "&Redo {change}"), ("Ctrl+Shift+Z", "Ctrl+Y")),
        ),
        (_row("go_to", QT_TRANSLATE_NOOP("Actions", "Go to &token…"), ("Ctrl+F", "Ctrl+G")),),
        (
            _row(
                "reset_changes",
                QT_TRANSLATE_NOOP("Actions", "Reset all model c&hanges"),
                ("Ctrl+R",),
            ),
            _row("gold_links", QT_TRANSLATE_NOOP("Actions", "&Gold alignment…")),
        ),
        (
            _row(
                "settings",
                QT_TRANSLATE_NOOP("Actions", "&Settings…"),
                ("Ctrl+,",),
                role=_ROLE.PreferencesRole,
            ),
        ),
    ),
    "view": (
        (
            _row("show_look", QT_TRANSLATE_NOOP("Actions", "&Look"), ("Alt+L",)),
            _row("show_positions", QT_TRANSLATE_NOOP("Actions", "&Positions"), ("Alt+P",)),
            _row("show_learn", QT_TRANSLATE_NOOP("Actions", "L&earn"), ("Alt+N",)),
            _row("show_train", QT_TRANSLATE_NOOP("Actions", "&Train"), ("Alt+T", "Ctrl+T")),
            _row("next_page", QT_TRANSLATE_NOOP("Actions", "Next pa&ge"), ("Ctrl+PgDown",)),
            _row("previous_page", QT_TRANSLATE_NOOP("Actions", "Pre&vious page"), ("Ctrl+PgUp",)),
        ),
        (
            *(
                _row(f"view_{view.name}", view.action, plain_key=view.key, checkable=True)
                for view in PANE_VIEWS
            ),
        ),
        (
            _row(
                "encoder_self",
                QT_TRANSLATE_NOOP("Actions", "Encoder self-attention"),
                plain_key="E",
                checkable=True,
            ),
            _row(
                "decoder_self",
                QT_TRANSLATE_NOOP("Actions", "Decoder self-attention"),
                plain_key="D",
                checkable=True,
            ),
            _row("cross", QT_TRANSLATE_NOOP("Actions", "Cross-attention"), plain_key="C", checkable=True),
            _row("mean", QT_TRANSLATE_NOOP("Actions", "Mean over heads"), plain_key="M", checkable=True),
            "numbers",
        ),
        (
            _row("sqrt", QT_TRANSLATE_NOOP("Actions", "Square root scale"), plain_key="S", checkable=True),
            _row("raw_pieces", QT_TRANSLATE_NOOP("Actions", "Raw p&ieces"), checkable=True),
            _row("whole_words", QT_TRANSLATE_NOOP("Actions", "Wh&ole words"), checkable=True),
            _row("hide_specials", QT_TRANSLATE_NOOP("Actions", "Hide start and end to&kens"), checkable=True),
            _row("second_pane", QT_TRANSLATE_NOOP("Actions", "Secon&d map beside the first"), checkable=True),
        ),
        (
            _row("next_word", QT_TRANSLATE_NOOP("Actions", "I&nspector"), checkable=True),
            _row("arithmetic", QT_TRANSLATE_NOOP("Actions", "&Arithmetic"), ("Ctrl+U",)),
            _row("what_if", QT_TRANSLATE_NOOP("Actions", "What i&f"), ("Ctrl+I",)),
            _row("branches", QT_TRANSLATE_NOOP("Actions", "B&ranches"), ("Ctrl+B",), checkable=True),
            _row("compare", QT_TRANSLATE_NOOP("Actions", "&Compare"), ("Ctrl+K",), checkable=True),
            _row("heads_table", QT_TRANSLATE_NOOP("Actions", "Heads ta&ble"), ("Ctrl+H",), checkable=True),
            _row("sentences", QT_TRANSLATE_NOOP("Actions", "&Sentences"), ("Ctrl+J",), checkable=True),
        ),
        (
            "themes",
            _row("present", QT_TRANSLATE_NOOP("Actions", "Present"), ("F5",), checkable=True),
        ),
    ),
    "bookmarks": (
        (
            _row("add_bookmark", QT_TRANSLATE_NOOP("Actions", "&Bookmark this view…"), ("Ctrl+D",)),
            _row("next_bookmark", QT_TRANSLATE_NOOP("Actions", "&Next bookmark"), ("F8",)),
            _row("previous_bookmark", QT_TRANSLATE_NOOP("Actions", "&Previous bookmark"), ("Shift+F8",)),
            _row("edit_bookmarks", QT_TRANSLATE_NOOP("Actions", "&Edit bookmarks…")),
            _row("print_handout", QT_TRANSLATE_NOOP("Actions", "Save a &handout…")),
        ),
        (
            _row("lecture_en", QT_TRANSLATE_NOOP("Actions", "&Lecture: Attention Is All You Need (English)")),
            _row("lecture_zh", QT_TRANSLATE_NOOP("Actions", "Le&cture: Attention Is All You Need (Chinese)")),
        ),
    ),
    "help": (
        (
            _row("palette", QT_TRANSLATE_NOOP("Actions", "&Command palette…"), ("Ctrl+Shift+P",)),
            _row("manual", QT_TRANSLATE_NOOP("Actions", "Ma&nual"), ("F1",)),
            _row("keys", QT_TRANSLATE_NOOP("Actions", "&Keyboard shortcuts")),
            _row("first_tour", QT_TRANSLATE_NOOP("Actions", "To&ur: from a sentence to the next word")),
            _row("tour", QT_TRANSLATE_NOOP("Actions", "&Tour of the architecture")),
            _row("model_info", QT_TRANSLATE_NOOP("Actions", "&Model information")),
        ),
        (_row("report", QT_TRANSLATE_NOOP("Actions", "&Report a problem…")),),
        (_row("about", QT_TRANSLATE_NOOP("Actions", "&About Headscope"), role=_ROLE.AboutRole),),
    ),
}
"""The menu bar: of each menu its groups, between which is a line; a name alone is that of a submenu."""
ROWS = tuple(
    row for groups in MENUS.values() for group in groups for row in group if isinstance(row, ActionRow)
)
PLAIN_KEYS = {row.name: row.plain_key for row in ROWS if row.plain_key}
_THEMES = {
    "system": QT_TRANSLATE_NOOP("Actions", "As the &system"),
    "light": QT_TRANSLATE_NOOP("Actions", "&Light"),
    "dark": QT_TRANSLATE_NOOP("Actions", "&Dark"),
}


def theme_words(theme: str) -> str:
    """The text of a theme's action, in the language in force."""
    return QCoreApplication.translate("Actions", str(_THEMES[theme]))


class Actions(QObject):
    """Named actions, `actions["export"]`; `themes` holds one per theme choice."""

    def __init__(self, keys: KeysNow, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keys = keys
        self._actions = {row.name: QAction(self) for row in ROWS}
        for row in ROWS:
            action = self._actions[row.name]
            action.setCheckable(row.checkable)
            action.setMenuRole(row.role)
        self._group = QActionGroup(self)
        self.themes: dict[str, QAction] = {}
        for theme in _THEMES:
            action = QAction(self)
            action.setCheckable(True)
            action.setData(theme)
            self._group.addAction(action)
            self.themes[theme] = action
        self.retranslate()

    def __getitem__(self, name: str) -> QAction:
        return self._actions[name]

    @property
    def theme_group(self) -> QActionGroup:
        """The exclusive theme choices."""
        return self._group

    def all(self) -> list[QAction]:
        """Every action; the window holds them all, so that shortcuts work while the menu bar is hidden."""
        return [*self._actions.values(), *self.themes.values()]

    def connect_all(self, slots: Mapping[str, Callable[..., object]]) -> None:
        """What actions do when they are triggered, by name."""
        for name, slot in slots.items():
            self._actions[name].triggered.connect(slot)

    def retranslate(self) -> None:
        """Take the language and the keys in force."""
        for row in ROWS:
            shortcuts, bare = self._keys.shortcuts(row.name), self._keys.bare(row.name)
            if self[row.name].shortcuts() != shortcuts:
                self[row.name].setShortcuts(shortcuts)
            self[row.name].setText(self._named(row.words, bare, shortcuts))
        for theme in self.themes:
            self.themes[theme].setText(theme_words(theme))
        self.name_changes("", "")
        self._actions["sqrt"].setStatusTip(self.tr("The colour bar keeps the true values"))

    @staticmethod
    def _named(words: str, bare: str, shortcuts: list[QKeySequence]) -> str:
        """A text with the letter that the window answers; menus name the others themselves."""
        return f"{words}\t{written(bare)}" if bare and not shortcuts else words

    def name_changes(self, undo: str, redo: str) -> None:
        """Say what would be undone and done again, and allow it; empty for nothing."""
        for row in (row for row in ROWS if row.name in ("undo", "redo")):
            name, change = row.name, undo if row.name == "undo" else redo
            words = row.words.format(change=change).rstrip()
            self._actions[name].setText(self._named(words, self._keys.bare(name), self._keys.shortcuts(name)))
            self._actions[name].setEnabled(bool(change))
