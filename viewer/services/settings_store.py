"""`SettingsStore`: values by name, kept in `QSettings` and written beside the window. QtCore only."""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QSettings

_log = logging.getLogger(__name__)

_LAST_WRITE_S = 10.0


class SettingsStore:
    """What `QSettings` keeps, at hand at once, while its file is written.

    `QSettings` by itself writes in the thread that changed it, and waits for the disk twice, once of them for
    the lock: a busy or sleeping disk, or a home folder on a network, held the window after a choice of theme.

    Args:
        make: the settings, anew each time; called in either thread.
    """

    def __init__(self, make: Callable[[], QSettings]) -> None:
        self._make = make
        settings = make()
        self._file, self._values = settings.fileName(), _values(settings)
        self._unwritten: dict[str, object] = {}
        # The thread's alone: what was written the last time, as far as Qt tells; what raised an exception.
        self._written: dict[str, object] = {}
        self._failed: dict[str, object] = {}
        self._changing = threading.Lock()  # `_values`, `_unwritten` and `_thread`
        self._thread: threading.Thread | None = None

    def value(self, name: str, usual: object = None) -> object:
        """What is kept under a name: as it was set here, or as the system's kind of file gives it back."""
        return self._values.get(name, usual)

    def set_value(self, name: str, value: object) -> None:
        """Keep a value from now on; it is written soon."""
        with self._changing:
            self._values = {**self._values, name: value}
            self._unwritten[name] = value
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="write-settings", daemon=True)
                self._thread.start()

    def sync(self) -> bool:
        """Wait until all is written, or cannot be; not for ever: a dead network drive is left behind.

        Returns:
            Whether nothing is being written any more; else the process must not end as usual, as that would
            take Qt away under the thread.
        """
        thread = self._thread
        if thread is not None:
            thread.join(_LAST_WRITE_S)
        return thread is None or not thread.is_alive()

    def _work(self) -> None:
        """In a thread of its own, until nothing is unwritten."""
        while True:
            with self._changing:
                values, self._unwritten = self._unwritten, {}
                if not values:
                    self._thread = None
                    return
            values, self._failed = {**self._failed, **values}, {}
            try:
                self._write(values)
            except Exception:  # with what is chosen next it is tried again
                _log.exception("settings were not written")
                self._failed = values

    def _write(self, values: dict[str, object]) -> None:
        _look_at(self._file)
        settings = self._make()
        found = _values(settings)
        # What is not there although it was written, as the disk was full, say, has its turn again.
        values = {**{name: value for name, value in self._written.items() if name not in found}, **values}
        for name, value in values.items():
            settings.setValue(name, value)
        # It is written as the settings go: PySide keeps the interpreter, and so the window, through `sync`,
        # but not through this.
        del settings
        self._written = values
        with self._changing:
            # What other windows wrote is known here, too.
            self._values = {**found, **values, **self._unwritten}


def _look_at(file: str) -> None:
    """Ask the disk what `QSettings` is going to ask it.

    PySide keeps the interpreter while settings are made, Python does not: so whatever the disk takes is over
    by then, and the system answers from memory. Where settings are no file nothing is asked: Windows would
    look for its registry's names on the network.
    """
    if file.startswith("\\\\HKEY_"):
        return
    with suppress(OSError):
        os.stat(os.path.dirname(file))
        os.stat(os.path.dirname(os.path.dirname(file)))
        Path(file).read_bytes()


def _values(settings: QSettings) -> dict[str, object]:
    return {name: settings.value(name) for name in settings.allKeys()}
