"""Shown keys: what tooltips, menus and the key sheet call a key, after somebody has given it another.

Their sentences name the keys that are given at first, as `Ctrl+E`; here stands which took their places.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

NO_KEY = "–"
_BRACKETED = re.compile(r"[(（][^()（）]*[)）]$")
_NAMES = {"PgUp": "Page Up", "PgDown": "Page Down", "Left": "←", "Up": "↑", "Right": "→", "Down": "↓"}
_now: dict[str, str] = {}
_before_audience: dict[str, str] = {}


def written(key: str) -> str:
    """A key as the window writes it, such as "Ctrl+↑", of how Qt does, "Ctrl+Up"."""
    *modifiers, last = key.split("+") if not key.endswith("+") else [*key[:-1].split("+")[:-1], "+"]
    if last == "Space":
        last = QCoreApplication.translate("KeySheet", "Space")
    return "+".join((*modifiers, _NAMES.get(last, last)))


def follow(now: Mapping[str, str], before_audience: Mapping[str, str]) -> None:
    """Say which keys have others in their places, as Qt writes both; empty for none.

    Args:
        before_audience: those that mean something there alone.
    """
    for held, changes in ((_now, now), (_before_audience, before_audience)):
        held.clear()
        held.update(changes)


def key_now(key: str, *, audience: bool = False) -> str:
    """The key that does what `key`, as it is written, does at first."""
    for default, now in (_before_audience if audience else _now).items():
        if key in (written(default), default):
            return written(now) if now else NO_KEY
    return key


def keyed(text: str) -> str:
    """A sentence of the window that ends in its keys in brackets, with the keys in force."""
    if not _now:
        return text
    return _BRACKETED.sub(lambda found: keys_within(found[0]), text)


def keys_within(text: str, *, audience: bool = False) -> str:
    """A text about keys with those in force in the places of the first ones."""
    changes = {
        written(default): written(now) if now else NO_KEY
        for default, now in (_before_audience if audience else _now).items()
    }
    if not changes:
        return text
    keys = "|".join(re.escape(key) for key in sorted(changes, key=len, reverse=True))
    return re.sub(rf"(?<![A-Za-z+])(?:{keys})(?![A-Za-z+])", lambda found: changes[found[0]], text)
