"""KEY_TABLE: every key of the window, what it does, and the places at which F1 names it first."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP, QCoreApplication

from viewer.pages.widgets.shown_keys import key_now

_PICTURE = ("view.",)
_LOOK = ("view.", "drawer.", "inspector.")


@dataclass(frozen=True)
class Key:
    """A row of the table.

    Attributes:
        keys: as they are written; several between three spaces, a range with " … ".
        english: what they do, to be translated.
        here: the beginnings of the names of the places at which this is one of the keys to know.
    """

    keys: str
    english: str
    here: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """What they do, in the language in force."""
        return _said(self.english)

    @property
    def shown(self) -> tuple[str, ...]:
        """Each of the keys in force as one reads it, in the language in force."""
        audience = self.here == ("present",)
        keys = [key_now(key, audience=audience) for key in self.keys.split("   ")]
        return tuple(_NAMED[key]() if key in _NAMED else key for key in keys)


@dataclass(frozen=True)
class KeyGroup:
    """Keys for one purpose."""

    english: str
    rows: tuple[Key, ...]

    @property
    def title(self) -> str:
        """What they are for, in the language in force."""
        return _said(self.english)


def _said(english: str) -> str:
    return QCoreApplication.translate("KeySheet", english)


_NAMED = {
    "Space": lambda: QCoreApplication.translate("KeySheet", "Space"),
    "Delete": lambda: QCoreApplication.translate("KeySheet", "Delete"),
    "Shift+arrows": lambda: QCoreApplication.translate("KeySheet", "Shift+arrows"),
}
"""Keys that have a name of their own in each language."""


def _key(keys: str, english: object, *here: str) -> Key:
    """A row whose words are marked for translation, of which Qt says only that they are an object."""
    return Key(keys, str(english), here)


def _group(english: object, *rows: Key) -> KeyGroup:
    return KeyGroup(str(english), rows)


KEY_TABLE: tuple[KeyGroup, ...] = (
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Sentence"),
        _key(
            "Enter",
            QT_TRANSLATE_NOOP("KeySheet", "translate, continue or read; the keys then act on the picture"),
        ),
        _key("Ctrl+L", QT_TRANSLATE_NOOP("KeySheet", "to the sentence"), *_LOOK),
        _key(
            "Esc",
            QT_TRANSLATE_NOOP(
                "KeySheet", "stop the model; else leave the field, Present, or the chosen cell"
            ),
        ),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Steps"),
        _key("Page Up   Page Down", QT_TRANSLATE_NOOP("KeySheet", "previous, next step"), *_LOOK),
        _key("Home   End", QT_TRANSLATE_NOOP("KeySheet", "first, last step"), "inspector.next_word"),
        _key("Space", QT_TRANSLATE_NOOP("KeySheet", "play and pause"), "inspector.next_word"),
        _key(
            "↑   ↓   Enter",
            QT_TRANSLATE_NOOP("KeySheet", "in the next words: choose one, continue with it"),
            "inspector.next_word",
        ),
        _key("P   Ctrl+P", QT_TRANSLATE_NOOP("KeySheet", "pause or resume the model")),
        _key(
            "←   →",
            QT_TRANSLATE_NOOP("KeySheet", "previous, next step: in a map without a chosen cell"),
            "view.map",
        ),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Runs"),
        _key(
            "Ctrl+B",
            QT_TRANSLATE_NOOP("KeySheet", "branches: the tree of what was written"),
            "drawer.branches",
            "inspector.next_word",
        ),
        _key("Ctrl+K", QT_TRANSLATE_NOOP("KeySheet", "compare with the pinned one"), "drawer.compare"),
        _key(
            "Ctrl+H", QT_TRANSLATE_NOOP("KeySheet", "heads table: what every head does"), "drawer.heads_table"
        ),
        _key("Ctrl+J", QT_TRANSLATE_NOOP("KeySheet", "a file of sentences"), "drawer.sentences"),
        _key(
            "Ctrl+U", QT_TRANSLATE_NOOP("KeySheet", "arithmetic of the chosen cell"), "inspector.arithmetic"
        ),
        _key("Ctrl+I", QT_TRANSLATE_NOOP("KeySheet", "what if the model were changed"), "inspector.what_if"),
        _key("Ctrl+R", QT_TRANSLATE_NOOP("KeySheet", "reset all model changes"), "inspector.what_if"),
        _key("Delete", QT_TRANSLATE_NOOP("KeySheet", "in the tree: delete the branch"), "drawer.branches"),
        _key(
            "Ctrl+Z   Ctrl+Shift+Z   Ctrl+Y",
            QT_TRANSLATE_NOOP("KeySheet", "undo, redo"),
            "drawer.",
            "inspector.what_if",
        ),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Before an audience (F5)"),
        _key(
            "Page Up   Page Down",
            QT_TRANSLATE_NOOP(
                "KeySheet", "before the first and after the last step: previous or next bookmark"
            ),
            "present",
        ),
        _key("N   G", QT_TRANSLATE_NOOP("KeySheet", "the next words, the heads"), "present"),
        _key("1   2   3   4", QT_TRANSLATE_NOOP("KeySheet", "the pages"), "present"),
        _key("O   B", QT_TRANSLATE_NOOP("KeySheet", "models, bookmarks"), "present"),
        _key("R", QT_TRANSLATE_NOOP("KeySheet", "the bookmark's note: away, or back"), "present"),
        _key("T   L", QT_TRANSLATE_NOOP("KeySheet", "theme, language"), "present"),
        _key("X", QT_TRANSLATE_NOOP("KeySheet", "a spotlight around the pointer"), "present"),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Bookmarks"),
        _key("Ctrl+D", QT_TRANSLATE_NOOP("KeySheet", "give this view a name"), "dialog.Bookmark", "learn."),
        _key("F8   Shift+F8", QT_TRANSLATE_NOOP("KeySheet", "next, previous bookmark"), "dialog.Bookmark"),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "What is shown"),
        _key(
            "E   D   C",
            QT_TRANSLATE_NOOP("KeySheet", "encoder self-, decoder self-, cross-attention"),
            *_PICTURE,
        ),
        _key("Ctrl+↑   Ctrl+↓", QT_TRANSLATE_NOOP("KeySheet", "layer"), *_LOOK),
        _key("Ctrl+←   Ctrl+→", QT_TRANSLATE_NOOP("KeySheet", "head"), *_LOOK),
        _key("M", QT_TRANSLATE_NOOP("KeySheet", "mean over heads"), *_PICTURE),
        _key(
            "F   W   A   H",
            QT_TRANSLATE_NOOP("KeySheet", "flow, words, all heads, graph; again: the map"),
            *_PICTURE,
        ),
        _key("V", QT_TRANSLATE_NOOP("KeySheet", "the next of these views"), *_PICTURE),
        _key("S", QT_TRANSLATE_NOOP("KeySheet", "square root scale"), *_PICTURE),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "In the views"),
        _key("←   ↑   →   ↓", QT_TRANSLATE_NOOP("KeySheet", "in the heads: layer and head"), "view.heads"),
        _key(
            "←   ↑   →   ↓",
            QT_TRANSLATE_NOOP("KeySheet", "in the map: the chosen cell; ↑ and ↓ choose one"),
            "view.map",
        ),
        _key(
            "←   ↑   →   ↓",
            QT_TRANSLATE_NOOP("KeySheet", "in flow and words: the chosen token"),
            "view.flow",
            "view.words",
        ),
        _key(
            "Enter",
            QT_TRANSLATE_NOOP("KeySheet", "in all heads: the map of the chosen one"),
            "view.heads",
        ),
        _key(
            "+   −",
            QT_TRANSLATE_NOOP("KeySheet", "in the map: zoom (so does the wheel; drag to move)"),
            "view.map",
        ),
        _key("Shift+arrows", QT_TRANSLATE_NOOP("KeySheet", "in a zoomed map: move the part in view")),
        _key(
            "Ctrl+F   Ctrl+G",
            QT_TRANSLATE_NOOP("KeySheet", "go to a token, by a part of it or its number"),
            "view.",
        ),
        _key(
            "Ctrl+C   Ctrl+Shift+C   Ctrl+Alt+C",
            QT_TRANSLATE_NOOP("KeySheet", "copy the cell's number, its row, the picture"),
            "view.",
        ),
        _key(
            "G   Alt+click",
            QT_TRANSLATE_NOOP("KeySheet", "in a map of cross-attention: gold link of the cell's words"),
            "dialog.Gold",
        ),
    ),
    _group(
        QT_TRANSLATE_NOOP("KeySheet", "Window"),
        _key(
            "Ctrl+Shift+P",
            QT_TRANSLATE_NOOP("KeySheet", "command palette: anything, by its name"),
            "learn.",
            "positions.",
            "train",
            "dialog.Palette",
        ),
        _key("F1", QT_TRANSLATE_NOOP("KeySheet", "the manual, where one is")),
        _key(
            "F5",
            QT_TRANSLATE_NOOP("KeySheet", "Present: one large figure, for a lecture"),
            "positions.",
            "learn.",
            "present",
        ),
        _key(
            "Alt+L   Alt+P   Alt+N",
            QT_TRANSLATE_NOOP("KeySheet", "to Look, to Positions, to Learn"),
            "positions.",
            "learn.",
            "train",
        ),
        _key("Alt+T   Ctrl+T", QT_TRANSLATE_NOOP("KeySheet", "to the Train page"), "train"),
        _key(
            "Ctrl+Page Up   Ctrl+Page Down",
            QT_TRANSLATE_NOOP("KeySheet", "previous, next page"),
            "positions.",
            "learn.",
            "train",
        ),
        _key(
            "Ctrl+E",
            QT_TRANSLATE_NOOP("KeySheet", "export"),
            "positions.",
            "learn.",
            "train",
            "dialog.Export",
        ),
        _key(
            "Ctrl+S   Ctrl+Shift+S",
            QT_TRANSLATE_NOOP("KeySheet", "save the trace, the session"),
            "dialog.Kept",
        ),
        _key(
            "Ctrl+O   Ctrl+Shift+O",
            QT_TRANSLATE_NOOP("KeySheet", "open a model, a trace"),
            "dialog.ModelInfo",
        ),
        _key("Ctrl+1 … Ctrl+9", QT_TRANSLATE_NOOP("KeySheet", "open a recent file")),
        _key("Ctrl+,", QT_TRANSLATE_NOOP("KeySheet", "settings: language, type size, keys, memory")),
        _key("Ctrl+Q", QT_TRANSLATE_NOOP("KeySheet", "quit")),
    ),
)


def keys_at(place: str) -> tuple[Key, ...]:
    """The keys to know at a place, see `viewer.window.manual.places`."""
    rows = (row for group in KEY_TABLE for row in group.rows)
    return tuple(row for row in rows if any(place.startswith(start) for start in row.here))


def all_keys() -> str:
    """The whole table in Markdown, in the language in force."""
    head = QCoreApplication.translate("Manual", "| Keys | What they do |")
    lines = []
    for group in KEY_TABLE:
        lines += [f"### {group.title}", "", head, "| --- | --- |"]
        lines += [f"| {_coded(row)} | {row.words} |" for row in group.rows]
        lines.append("")
    return "\n".join(lines)


def _coded(row: Key) -> str:
    return " ".join(f"`{key}`" for key in row.shown)
