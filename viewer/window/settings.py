"""`Settings`: what the window remembers between starts, as typed properties."""

from __future__ import annotations

import json
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from platformdirs import user_state_path
from PySide6.QtCore import QByteArray, QLocale, QSettings

from model.errors import HeadscopeError
from model.files.tensor_file import parse_json
from model.train_options import TrainOptions
from viewer.services.settings_store import SettingsStore

MOST_RECENTS = 9
"""Of each kind."""
RECENT_KINDS = ("model", "session", "trace", "sequence")
THEMES = ("system", "light", "dark")
LANGUAGES = ("en", "zh_CN")
TYPE_SIZES = (80, 90, 100, 110, 125, 150)
"""Of the usual size, in per cent."""
DEVICES = ("auto", "cpu", "cuda", "mps")
MOST_THREADS = 256
MEMORY = (256, 1536, 8192)
"""Megabytes for runs and undo: the least, the usual, the most."""


class Settings:
    """Typed access to the remembered choices; a damaged or foreign value reads as the default.

    Args:
        path: an .ini file to use instead of the user's own settings (tests, `--settings`).
    """

    def __init__(self, path: str | None = None) -> None:
        self._store = SettingsStore(partial(_own_settings, path))
        own = None if path is None else Path(path).absolute().parent
        state = own or user_state_path("Headscope", appauthor=False)
        self._kept_sessions, self._windows = state / "sessions", state / "windows"

    @property
    def kept_sessions(self) -> Path:
        """The folder in which sessions are kept safe against a crash; made when one is."""
        return self._kept_sessions

    @property
    def windows(self) -> Path:
        """The folder in which open windows say how they are reached; made when one is."""
        return self._windows

    @property
    def theme(self) -> str:
        """`system`, `light` or `dark`."""
        value = self._text("theme")
        return value if value in THEMES else "system"

    @theme.setter
    def theme(self, value: str) -> None:
        self._store.set_value("theme", value)

    @property
    def language(self) -> str:
        """`en` or `zh_CN`; before a choice was made, what the system speaks."""
        value = self._text("language")
        if value in LANGUAGES:
            return value
        return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"

    @language.setter
    def language(self, value: str) -> None:
        self._store.set_value("language", value)

    @property
    def recents(self) -> list[str]:
        """Paths opened lately, the newest first."""
        return self._texts("recents", len(RECENT_KINDS) * MOST_RECENTS)

    def recent_kind(self, path: str) -> str:
        """One of `RECENT_KINDS`; of a path that an older version remembered, by its name."""
        kind = self._recent_kinds().get(path, "")
        if kind in RECENT_KINDS:
            return kind
        suffix = Path(path).suffix.lower()
        return {".trace": "trace", ".npz": "trace", ".headscope": "session"}.get(suffix, "model")

    def remember_recent(self, path: str, kind: str = "") -> None:
        """Put `path` first among the recents; of each kind a few stay."""
        kinds = {**self._recent_kinds(), path: kind}
        self._store.set_value("recent_kinds", json.dumps(kinds))
        kept: list[str] = []
        counts = Counter[str]()
        for item in (path, *(item for item in self.recents if item != path)):
            counts[self.recent_kind(item)] += 1
            if counts[self.recent_kind(item)] <= MOST_RECENTS:
                kept.append(item)
        self._keep_recents(kept)

    def forget_recent(self, path: str) -> None:
        """Drop a path that can no longer be opened."""
        self._keep_recents([item for item in self.recents if item != path])

    def _keep_recents(self, paths: list[str]) -> None:
        self._store.set_value("recents", paths)
        kinds = {path: kind for path, kind in self._recent_kinds().items() if path in paths and kind}
        self._store.set_value("recent_kinds", json.dumps(kinds))

    def _recent_kinds(self) -> dict[str, str]:
        """As far as they are remembered; version 0.1 knew of none."""
        try:
            kinds = parse_json(self._text("recent_kinds") or "{}")
        except HeadscopeError:
            return {}
        kinds = kinds if isinstance(kinds, dict) else {}
        return {path: kind for path, kind in kinds.items() if isinstance(kind, str)}

    @property
    def commands(self) -> list[str]:
        """What was lately chosen in the command palette, by name, the newest first."""
        return self._texts("commands")

    def remember_command(self, name: str) -> None:
        """Put `name` first among those that were chosen."""
        kept = [item for item in self.commands if item != name]
        self._store.set_value("commands", [name, *kept][:MOST_RECENTS])

    @property
    def type_size(self) -> int:
        """One of `TYPE_SIZES`."""
        value = self._number("type_size", 100)
        return value if value in TYPE_SIZES else 100

    @type_size.setter
    def type_size(self, value: int) -> None:
        self._store.set_value("type_size", value)

    @property
    def threads(self) -> int:
        """Processor threads for models; 0 for as many as there are cores beside the window's."""
        value = self._number("threads", 0)
        return value if 0 <= value <= MOST_THREADS else 0

    @threads.setter
    def threads(self, value: int) -> None:
        self._store.set_value("threads", value)

    @property
    def device(self) -> str:
        """What runs are trained on, one of `DEVICES`."""
        value = self._text("device")
        if value in DEVICES:
            return value
        options = self.train_options  # of a version that had no such setting
        return "auto" if options is None else options.train.device

    @device.setter
    def device(self, value: str) -> None:
        self._store.set_value("device", value)

    @property
    def memory(self) -> int:
        """Megabytes that runs and undo may take."""
        least, usual, most = MEMORY
        value = self._number("memory", usual)
        return value if least <= value <= most else usual

    @memory.setter
    def memory(self, value: int) -> None:
        self._store.set_value("memory", value)

    @property
    def start_folder(self) -> str:
        """The folder in which file dialogs begin; empty for the last used."""
        return self._text("start_folder")

    @start_folder.setter
    def start_folder(self, value: str) -> None:
        self._store.set_value("start_folder", value)

    @property
    def tour_seen(self) -> bool:
        """Whether the tour was offered."""
        return self._flag("tour_seen")

    @tour_seen.setter
    def tour_seen(self, value: bool) -> None:
        self._store.set_value("tour_seen", value)

    @property
    def keys(self) -> dict[str, list[str]]:
        """Keys that were changed, by what they do; those of something may be none."""
        try:
            kept = parse_json(self._text("keys") or "{}")
        except HeadscopeError:
            return {}
        kept = kept if isinstance(kept, dict) else {}
        return {
            name: keys
            for name, keys in kept.items()
            if isinstance(keys, list) and all(isinstance(key, str) for key in keys)
        }

    @keys.setter
    def keys(self, value: dict[str, list[str]]) -> None:
        self._store.set_value("keys", json.dumps(value))

    @property
    def folder(self) -> str:
        """Where file dialogs begin: in the folder chosen for that, the one last used, or the home folder."""
        found = (one for one in (self.start_folder, self._text("folder")) if one and Path(one).is_dir())
        return next(found, str(Path.home()))

    @folder.setter
    def folder(self, value: str) -> None:
        self._store.set_value("folder", value)

    @property
    def export(self) -> dict[str, Any]:
        """What was last chosen in the export dialog, plain values by name; empty if it makes no sense."""
        try:
            values = parse_json(self._text("export"))
        except HeadscopeError:
            return {}
        return values if isinstance(values, dict) else {}

    @export.setter
    def export(self, value: dict[str, Any]) -> None:
        self._store.set_value("export", json.dumps(value))

    @property
    def train_options(self) -> TrainOptions | None:
        """What the last training run was told; None before the first, or if it makes no sense."""
        try:
            values = parse_json(self._text("train_options"))
            return TrainOptions.from_json(values) if isinstance(values, dict) else None
        except (HeadscopeError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
            return None

    @train_options.setter
    def train_options(self, value: TrainOptions) -> None:
        self._store.set_value("train_options", json.dumps(value.to_json()))

    @property
    def unfinished_training(self) -> str:
        """Folder of the last training run that did not come to its end; or ""."""
        return self._text("unfinished_training")

    @unfinished_training.setter
    def unfinished_training(self, value: str) -> None:
        self._store.set_value("unfinished_training", value)

    @property
    def callouts_seen(self) -> bool:
        """Whether the three call-outs of the first start were dismissed."""
        return self._flag("callouts_seen")

    @callouts_seen.setter
    def callouts_seen(self, value: bool) -> None:
        self._store.set_value("callouts_seen", value)

    @property
    def sqrt_scale(self) -> bool:
        """Whether maps are coloured by the square root of the weight."""
        return self._flag("sqrt_scale")

    @sqrt_scale.setter
    def sqrt_scale(self, value: bool) -> None:
        self._store.set_value("sqrt_scale", value)

    @property
    def raw_pieces(self) -> bool:
        """Whether tokens show as the tokenizer writes them."""
        return self._flag("raw_pieces")

    @raw_pieces.setter
    def raw_pieces(self, value: bool) -> None:
        self._store.set_value("raw_pieces", value)

    @property
    def whole_words(self) -> bool:
        """Whether pieces are merged to words."""
        return self._flag("whole_words")

    @whole_words.setter
    def whole_words(self, value: bool) -> None:
        self._store.set_value("whole_words", value)

    @property
    def hide_specials(self) -> bool:
        """Whether start and end tokens are left out of the maps."""
        return self._flag("hide_specials")

    @hide_specials.setter
    def hide_specials(self, value: bool) -> None:
        self._store.set_value("hide_specials", value)

    def state(self, name: str) -> QByteArray:
        """A widget's remembered geometry or layout; empty when there is none."""
        value = self._store.value(f"layout/{name}")
        return value if isinstance(value, QByteArray) else QByteArray()

    def keep_state(self, name: str, value: QByteArray) -> None:
        """Remember a widget's geometry or layout."""
        self._store.set_value(f"layout/{name}", value)

    def sync(self) -> bool:
        """Wait until what was chosen is written down; False if it takes too long: `SettingsStore.sync`."""
        return self._store.sync()

    def _text(self, key: str) -> str:
        value = self._store.value(key, "")
        return value if isinstance(value, str) else ""

    def _texts(self, key: str, most: int = MOST_RECENTS) -> list[str]:
        value = self._store.value(key, [])
        if isinstance(value, str):  # an .ini file gives a list of one back as its item
            value = [value]
        if not isinstance(value, list):
            return []
        return [item for item in value if isinstance(item, str) and item][:most]

    def _number(self, key: str, usual: int) -> int:
        value = self._store.value(key, usual)
        try:
            return int(value) if isinstance(value, str | int) else usual
        except ValueError:
            return usual

    def _flag(self, key: str) -> bool:
        return self._store.value(key, False) in (True, "true", "1", 1)


def _own_settings(path: str | None) -> QSettings:
    if path is None:
        return QSettings("Headscope", "Headscope")
    return QSettings(path, QSettings.Format.IniFormat)
