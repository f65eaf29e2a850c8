"""`SettingsStore`: values by name, kept in `QSettings` and written beside the window. QtCore only."""

from __future__ import annotations

import threading
from collections.abc import Callable

from PySide6.QtCore import QSettings

_LAST_WRITE_S = 10.0


class SettingsStore:
    """What `QSettings` keeps, at hand at once, whatever its file is at.

    `QSettings` by itself writes in the thread that changed it, and waits for the disk twice, once of them for
    the lock: a busy or sleeping disk, or a home folder on a network, held the window after a choice of theme.

    Args:
        make: the settings, anew each time; called in either thread.
    """

    def __init__(self, make: Callable[[], QSettings]) -> None:
        self._make = make
        self._values = _values(make())
        self._unwritten: dict[str, object] = {}
        self._failed: dict[str, object] = {}  # what could not be written; the thread's alone
        self._changing = threading.Lock()  # `_values`, `_unwritten` and `_thread`
        self._thread: threading.Thread | None = None

    def value(self, name: str, usual: object = None) -> object:
        """What is kept under a name: as it was set, or as the system's kind of file gives it back."""
        return self._values.get(name, usual)

    def set_value(self, name: str, value: object) -> None:
        """Keep a value from now on; it is written soon."""
        with self._changing:
            self._values[name] = self._unwritten[name] = value
            if self._thread is None:
                self._thread = threading.Thread(target=self._write, name="write-settings", daemon=True)
                self._thread.start()

    def sync(self) -> None:
        """Wait until all is written, or cannot be; not for ever: a dead network drive is left behind."""
        thread = self._thread
        if thread is not None:
            thread.join(_LAST_WRITE_S)

    def _write(self) -> None:
        """In a thread of its own, until nothing is unwritten."""
        while True:
            with self._changing:
                values, self._unwritten = self._unwritten, {}
                if not values:
                    self._thread = None
                    return
            settings = self._make()
            values = {**self._failed, **values}
            for name, value in values.items():
                settings.setValue(name, value)
            # It is written as the settings go: PySide keeps the interpreter, and so the window, through
            # `sync`, but not through this.
            del settings
            found = _values(self._make())
            self._failed = {name: value for name, value in values.items() if name not in found}
            with self._changing:
                # What other windows wrote meanwhile is known here, too.
                self._values = {**found, **self._failed, **self._unwritten}


def _values(settings: QSettings) -> dict[str, object]:
    return {name: settings.value(name) for name in settings.allKeys()}
