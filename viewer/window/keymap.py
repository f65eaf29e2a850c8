"""`Keymap`: which keys do what now: those of menus, pictures and lectures, changed or as at first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, Protocol

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication, QObject, Signal
from PySide6.QtGui import QKeySequence

from viewer.pages.widgets import shown_keys
from viewer.window.actions import ROWS
from viewer.window.keys import PICTURE_KEYS

_MOST_KEYS = 2
_OF_VIEWS = (
    "Tab", "Shift+Tab", "Backtab", "Shift+Backtab", "Esc", "Return", "Enter", "Left", "Right", "Up", "Down",
    "Del", "Backspace", "+", "-", "=", "G", "Ctrl+C", "Ctrl+Shift+C", "Ctrl+X", "Ctrl+V", "Ctrl+A", "Menu",
)  # fmt: skip
"""Keys that fields, lists and views answer themselves."""
_RECENT = tuple(f"Ctrl+{number}" for number in range(1, 10))
TO_SENTENCE, PAUSE_TYPING = "to_sentence", "pause_typing"
LECTURE = (
    ("lecture_next_word", QT_TRANSLATE_NOOP("Keys", "Before an audience: the next words"), "N"),
    ("lecture_heads", QT_TRANSLATE_NOOP("Keys", "Before an audience: the heads"), "G"),
    ("lecture_look", QT_TRANSLATE_NOOP("Keys", "Before an audience: Look"), "1"),
    ("lecture_positions", QT_TRANSLATE_NOOP("Keys", "Before an audience: Positions"), "2"),
    ("lecture_learn", QT_TRANSLATE_NOOP("Keys", "Before an audience: Learn"), "3"),
    ("lecture_train", QT_TRANSLATE_NOOP("Keys", "Before an audience: Train"), "4"),
    ("lecture_model", QT_TRANSLATE_NOOP("Keys", "Before an audience: models"), "O"),
    ("lecture_bookmarks", QT_TRANSLATE_NOOP("Keys", "Before an audience: bookmarks"), "B"),
    ("lecture_note", QT_TRANSLATE_NOOP("Keys", "Before an audience: the bookmark's note"), "R"),
    ("lecture_theme", QT_TRANSLATE_NOOP("Keys", "Before an audience: theme"), "T"),
    ("lecture_language", QT_TRANSLATE_NOOP("Keys", "Before an audience: language"), "L"),
    ("lecture_spotlight", QT_TRANSLATE_NOOP("Keys", "Before an audience: spotlight"), "X"),
)
"""What keys do before an audience alone: name, text in the context Keys, the key at first."""


@dataclass(frozen=True)
class KeyRow:
    """Something that has keys, or may have.

    Attributes:
        said: what it is called, in the language in force.
        usual: its keys at first, as Qt writes them.
        by: who answers its keys: an `action` of the menus (the window, for a bare key), the `window` itself,
            or a `shortcut` of Qt's.
        audience: it is there before an audience alone.
    """

    name: str
    said: Callable[[], str]
    usual: tuple[str, ...]
    by: Literal["action", "window", "shortcut"] = "action"
    audience: bool = False


def _said(text: object) -> Callable[[], str]:
    return lambda: QCoreApplication.translate("Keys", str(text))


KEY_ROWS: tuple[KeyRow, ...] = (
    *(KeyRow(row.name, lambda row=row: row.plain_words, row.all_keys) for row in ROWS),  # type: ignore[misc]
    KeyRow(TO_SENTENCE, _said(QT_TRANSLATE_NOOP("Keys", "Go to the sentence")), ("Ctrl+L",), "shortcut"),
    *(KeyRow(row.name, lambda row=row: row.words, row.keys, "window") for row in PICTURE_KEYS),  # type: ignore[misc]
    KeyRow(
        PAUSE_TYPING,
        _said(QT_TRANSLATE_NOOP("Keys", "Pause or resume while typing")),
        ("Ctrl+P",),
        "shortcut",
    ),
    *(KeyRow(name, _said(text), (key,), "shortcut", audience=True) for name, text, key in LECTURE),
)
"""All that has keys, in the order of the list in which they are changed."""


class KeyStore(Protocol):
    """Where changed keys are remembered; see `viewer.window.settings.Settings`."""

    keys: dict[str, list[str]]


def is_bare(key: str) -> bool:
    """Whether a key is pressed alone and writes something, so that it belongs to whoever is typing first."""
    last = key.removeprefix("Shift+").removeprefix("Num+")
    return "+" not in last.rstrip("+") and not (last[:1] == "F" and last[1:].isdigit())


class Keymap(QObject):
    """The keys in force, remembered; a damaged memory reads as the keys at first.

    Signals:
        changed: some keys are others now.
    """

    changed = Signal()

    def __init__(self, store: KeyStore, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._store = store
        self._rows = {row.name: row for row in KEY_ROWS}
        self._own: dict[str, tuple[str, ...]] = {}
        self._take(store.keys)
        self._tell()

    def keys(self, name: str) -> tuple[str, ...]:
        """The keys of something, as Qt writes them."""
        return self._own.get(name, self._rows[name].usual)

    def is_changed(self, name: str) -> bool:
        """Whether they are not those at first."""
        return name in self._own

    def shortcuts(self, name: str) -> list[QKeySequence]:
        """Those that Qt answers for an action."""
        always = self._rows[name].by == "shortcut"
        return [QKeySequence(key) for key in self.keys(name) if always or not is_bare(key)]

    def bare(self, name: str) -> str:
        """The key that the window answers for an action, empty for none."""
        return next((key for key in self.keys(name) if is_bare(key)), "")

    def by_window(self) -> Mapping[str, str]:
        """What each key does that the window answers itself, by name."""
        return {
            key: row.name
            for row in KEY_ROWS
            if row.by != "shortcut"
            for key in self.keys(row.name)
            if row.by == "window" or is_bare(key)
        }

    def owner(self, key: str) -> KeyRow | None:
        """What a key does now; None if nothing does."""
        return next((row for row in KEY_ROWS if key in self.keys(row.name)), None)

    def is_reserved(self, key: str, name: str) -> bool:
        """Whether something cannot have a key: fields and views, or the recent files, do.

        Before an audience the letters of views are free.
        """
        letter = len(key) == 1 and key.isalpha() and self._rows[name].audience
        return key in _RECENT or (key in _OF_VIEWS and not letter)

    def assign(self, name: str, keys: Iterable[str]) -> None:
        """Give something these keys and no others; whatever had one of them loses it."""
        wanted = tuple(dict.fromkeys(keys))[:_MOST_KEYS]
        for row in KEY_ROWS:
            held = self.keys(row.name)
            if row.name != name and set(held) & set(wanted):
                self._put(row.name, tuple(key for key in held if key not in wanted))
        self._put(name, wanted)
        self._keep()

    def reset(self, name: str) -> None:
        """Give something its keys at first; whatever has them by now loses them."""
        self.assign(name, self._rows[name].usual)

    def reset_all(self) -> None:
        """All keys as at first."""
        self._own.clear()
        self._keep()

    def _put(self, name: str, keys: tuple[str, ...]) -> None:
        self._own.pop(name, None)
        if keys != self._rows[name].usual:
            self._own[name] = keys

    def _take(self, kept: Mapping[str, list[str]]) -> None:
        """What is remembered, as far as it makes sense and no key does two things."""
        own = {}
        for name in (name for name in kept if name in self._rows):
            keys = tuple(key for key in kept[name] if QKeySequence(key).toString() == key and key)
            if len(keys) == len(kept[name]):
                own[name] = keys[:_MOST_KEYS]
        taken = {key for row in KEY_ROWS if row.name not in own for key in row.usual}
        for name, keys in own.items():
            left = tuple(key for key in keys if key not in taken and not self.is_reserved(key, name))
            taken.update(left)
            if left or not keys:
                self._put(name, left)
        # One that comes back to its keys at first may find them given away.
        for row in KEY_ROWS:
            others = {key for other in KEY_ROWS if other is not row for key in self._own.get(other.name, ())}
            if row.name not in self._own and others & set(row.usual):
                self._put(row.name, tuple(key for key in row.usual if key not in others))

    def _keep(self) -> None:
        self._store.keys = {name: list(keys) for name, keys in self._own.items()}
        self._tell()
        self.changed.emit()

    def _tell(self) -> None:
        """Have tooltips and sheet name the keys in force."""
        now: dict[bool, dict[str, str]] = {False: {}, True: {}}
        for name, keys in self._own.items():
            row = self._rows[name]
            for place, usual in enumerate(row.usual):
                now[row.audience][usual] = keys[place] if place < len(keys) else ""
        shown_keys.follow(now[False], now[True])
