"""`OpenFiles`: what is open already, so that it comes to the front instead of being opened twice."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from model.errors import HeadscopeError
from viewer.document.files.session_file import SESSION, stamp_of
from viewer.document.run_source import RunSource
from viewer.document.session import Session
from viewer.opening import Found, Stamp, kind_of, meant, model_at, model_folder, read_place, stamp_at

_OPEN = "open"


@dataclass(frozen=True, eq=False)
class AlreadyOpen:
    """What is open as it lies there.

    Attributes:
        kind: one of `kind_of`.
        name: for a person.
        path: of the model in use, or of the place of the document in view, as the window has it; else empty.
        run: id of the run of a trace file; else empty.
        model: what a model brings along, where it was read anew; else None.
    """

    kind: str
    name: str
    path: str = ""
    run: str = ""
    model: Found | None = None

    def stays(self, session: Session) -> bool:
        """Whether it is open still: the window went on while the disk was asked."""
        if self.kind == "model":
            return session.model is not None and session.model.path == self.path
        if self.kind == "session":
            return session.homes.of(session.document).folder == self.path
        return session.document.run(self.run) is not None


@dataclass(frozen=True, eq=False)
class Opened:
    """What a window had open at a moment. In any thread: all of it looks at the disk, near or far.

    Attributes:
        model: folder of the model in use; empty for none.
        session: folder and stamp of the document in view; empty for one without a place, or without runs.
        runs: id and path of each run that was opened from a file.
        stamps: of what was opened, by the path that was given.
    """

    model: str
    session: tuple[str, str]
    runs: tuple[tuple[str, str], ...]
    stamps: Mapping[str, Stamp]

    def run_of(self, place: Path) -> str:
        """Id of the run of a trace file; empty for none."""
        if not self.runs or not self._as_noted(place):
            return ""
        real = os.path.realpath(place)
        return next((name for name, path in self.runs if os.path.realpath(path) == real), "")

    def is_model(self, folder: Path) -> bool:
        """Whether the model in use is that of a folder."""
        return same_place(self.model, folder) and self._as_noted(folder)

    def is_session(self, place: Path) -> bool:
        """Whether the document in view lies there, changed here or not; an emptied one is not open."""
        folder, stamp = self.session
        return same_place(folder, place) and stamp_of(place) == stamp

    def has(self, place: Path) -> AlreadyOpen | None:
        """Whether a model, a trace or a session is open; None if it is not.

        Raises:
            HeadscopeError: there is nothing, or a model's config.json makes no sense.
        """
        kind = kind_of(place)
        if kind == "model":
            folder = model_folder(place)
            if self.is_model(Path(folder.path)):
                return AlreadyOpen(kind, folder.name, self.model)
        elif kind == "session":
            if self.is_session(place):
                return AlreadyOpen(kind, place.stem, self.session[0])
        elif run := self.run_of(place):
            return AlreadyOpen(kind, place.name, run=run)
        return None

    def read(self, path: Path) -> Found | AlreadyOpen:
        """What is to be shown of a path.

        Raises:
            HeadscopeError: there is nothing, or it cannot be read.
        """
        place = meant(path)
        there = self.has(place)
        if there is None:
            return read_place(place)
        return replace(there, model=model_at(place)) if there.kind == "model" else there

    def _as_noted(self, place: Path) -> bool:
        """Whether it is as it was when it was opened: what was written since is another one."""
        real, stamp = os.path.realpath(place), stamp_at(place)
        return any(known == stamp and os.path.realpath(path) == real for path, known in self.stamps.items())


class OpenFiles:
    """Of a session: its model, its own folder, the traces that were opened from files."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._stamps: dict[str, Stamp] = {}

    def note(self, place: Path, stamp: Stamp) -> None:
        """It is open as it was before it was read, see `stamp_at`."""
        self._stamps[os.path.abspath(place)] = stamp

    def now(self, *, model: bool = True) -> Opened:
        """What is open, to be compared with what lies on the disk; this asks no disk.

        Args:
            model: whether the model in use counts; not while another is being loaded.
        """
        session = self._session
        info, home = session.model, session.homes.of(session.document)
        runs = [run for run in session.document.runs if run.provenance.get("source") == RunSource.FILE]
        return Opened(
            model="" if info is None or not model else info.path,
            session=(home.folder, home.stamp) if session.document.runs else ("", ""),
            runs=tuple((run.id, str(run.provenance.get("path", ""))) for run in runs),
            stamps=dict(self._stamps),
        )

    def has(self, place: Path) -> bool:
        """Whether a model, a trace or a session is open here; asks the disk."""
        try:
            return self.now().has(place) is not None
        except HeadscopeError:
            return False


def asking(path: str) -> tuple[str, str]:
    """What is asked for by a path, whoever asks: twice one right after the other it is opened once."""
    return _OPEN, os.path.abspath(path)


def is_asked_for(place: Path, what: Hashable) -> bool:
    """Whether what is waited for (see `asking`) is this place; asks the disk."""
    if not isinstance(what, tuple) or what[0] != _OPEN:
        return False
    return same_place(str(meant(Path(what[1]))), place)


def name_of(path: str) -> str:
    """What a path is called while it is read."""
    place = Path(os.path.abspath(path))
    return (place.parent if place.name == SESSION else place).name or path


def same_place(one: str, other: Path) -> bool:
    """Whether two paths lead to one place, by whatever links; asks the disk. No place is the same as none."""
    return bool(one) and os.path.realpath(one) == os.path.realpath(other)
