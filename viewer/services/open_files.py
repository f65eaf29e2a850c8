"""`OpenFiles`: what is open already, so that it comes to the front instead of being opened twice."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from model.errors import HeadscopeError
from viewer.document.document import Run
from viewer.document.files.session_file import stamp_of
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.opening import kind_of, model_folder

Stamp = tuple[tuple[str, int, int], ...]
"""Time of writing and bytes of a file, or of each file right in a folder, by its name there."""


class OpenFiles:
    """Of a session: its model, its own folder, the traces that were opened from files.

    A file that was written since it was opened is another one.
    """

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stamps: dict[str, Stamp] = {}

    def note(self, place: Path, stamp: Stamp) -> None:
        """It is open as it was before it was read, see `stamp_at`."""
        self._stamps[os.path.realpath(place)] = stamp

    def run_of(self, place: Path) -> Run | None:
        """The run of a trace file."""
        if not self._as_noted(place):
            return None
        runs = (run for run in self._session.document.runs if run.provenance.get("source") == RunSource.FILE)
        return next((run for run in runs if _same(str(run.provenance.get("path", "")), place)), None)

    def is_model(self, place: Path) -> bool:
        """Whether the model in use is that of a folder."""
        model = self._session.model
        return model is not None and _same(model.path, place) and self._as_noted(place)

    def is_session(self, place: Path) -> bool:
        """Whether the document in view lies there, changed here or not; an emptied one is not open."""
        home = self._session.homes.of(self._session.document)
        there = bool(home.folder) and bool(self._session.document.runs)
        return there and _same(home.folder, place) and stamp_of(place) == home.stamp

    def has(self, path: str) -> bool:
        """Whether a model, a trace or a session is open here."""
        with contextlib.suppress(HeadscopeError):
            place = Path(path)
            kind = kind_of(place)
            if kind == "model":
                return self.is_model(Path(model_folder(place).path))
            return self.is_session(place) if kind == "session" else self.run_of(place) is not None
        return False

    def _as_noted(self, place: Path) -> bool:
        return self._stamps.get(os.path.realpath(place)) == stamp_at(place)


def _same(one: str, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def stamp_at(place: Path) -> Stamp:
    """What tells a file, or those right in a folder, from what may be written there; empty for none."""
    with contextlib.suppress(OSError):
        if place.is_dir():
            with os.scandir(place) as entries:
                states = [(entry.name, entry.stat()) for entry in entries if entry.is_file()]
        else:
            states = [("", place.stat())]
        return tuple(sorted((name, state.st_mtime_ns, state.st_size) for name, state in states))
    return ()
