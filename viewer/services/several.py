"""`OpenSeveral`: opens files that are dropped together, as far as they go together, and says the rest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from model.errors import HeadscopeError
from viewer.document.document import Run
from viewer.document.history import Change
from viewer.document.messages.notice import Notice, sentence
from viewer.document.session import Session
from viewer.document.text.input_text import input_text
from viewer.document.text.lists import clauses, names
from viewer.opening import Found, is_text, kind_of, may_be_text, read_place
from viewer.services.conductor import Conductor
from viewer.services.decodings import make_room
from viewer.services.open_files import Opened

_NAMED = 3  # more would make the sentence wider than the window


@dataclass
class Several:
    """The files of a drop, sorted.

    Attributes:
        model, session, sequence, text: the first of each, empty for none.
        traces: all of them, in the order of their names.
        refused: of each other path why it is not opened, a code of `model.errors` with its values.
    """

    model: str = ""
    session: str = ""
    sequence: str = ""
    text: str = ""
    traces: list[str] = field(default_factory=list)
    refused: dict[str, tuple[str, dict[str, object]]] = field(default_factory=dict)

    @property
    def places(self) -> list[str]:
        """Folders of which one is opened, in the order in which that goes."""
        return [path for path in (self.session, self.sequence, self.model) if path]

    def refuse(self, path: str, error: HeadscopeError) -> None:
        """It could not be opened."""
        self.refused[path] = error.code, dict(error.values)


def sorted_out(paths: Sequence[str]) -> Several:
    """What can be opened together: one model, one session or time-lapse, one text, any number of traces."""
    several = Several()
    for path in sorted(dict.fromkeys(paths), key=lambda path: (Path(path).name.casefold(), path)):
        try:
            kind = "text" if is_text(Path(path)) else kind_of(Path(path))
        except HeadscopeError as error:
            several.refuse(path, error)
            continue
        if kind == "trace":
            several.traces.append(path)
        elif getattr(several, kind) or (kind in ("session", "sequence") and _is_shown(several)):
            several.refused[path] = f"one_{kind}", {}
        else:
            setattr(several, kind, path)
    return several


def _is_shown(several: Several) -> bool:
    """A session and a time-lapse each take the window."""
    return bool(several.session or several.sequence)


def refusals(several: Several) -> str:
    """What was not opened and why, in the language in force."""
    return clauses(
        f"{Path(path).name}: {sentence(code, values).rstrip('.。')}"
        for path, (code, values) in several.refused.items()
    )


@dataclass(frozen=True, eq=False)
class _Read:
    """What was read of a drop.

    Attributes:
        found: of each path that is opened and was not open: what was read, or why it could not be.
        runs: ids of the traces that are open already, by path.
    """

    several: Several
    found: dict[str, Found | HeadscopeError]
    runs: dict[str, str]


def _read(paths: Sequence[str], known: Opened) -> _Read:
    """What lies at some paths; in any thread."""
    several = sorted_out(paths)
    if _is_no_drop(paths, several):
        return _Read(several, {}, {})
    runs = {path: run for path in several.traces if (run := known.run_of(Path(path)))}
    found: dict[str, Found | HeadscopeError] = {}
    for path in several.places + [path for path in several.traces if path not in runs]:
        try:
            found[path] = read_place(Path(path))
        except HeadscopeError as error:
            found[path] = error
    return _Read(several, found, runs)


def _is_no_drop(paths: Sequence[str], several: Several) -> bool:
    """Whether a single thing was only called like a text: it is opened as from a menu."""
    return len(paths) == 1 and not several.text


def _named(paths: Sequence[str]) -> str:
    """The first of some files, for a person."""
    shown = [Path(path).name for path in paths[:_NAMED]]
    return names(shown + ["…"] * (len(paths) > _NAMED))


def _given(found: Found | HeadscopeError) -> Found:
    """What was read; raises what it could not be read for."""
    if isinstance(found, HeadscopeError):
        raise found
    return found


class OpenSeveral(QObject):
    """Opens what was dropped.

    Signals:
        sentences_asked: the sentences of this file are to be translated.
        compare_asked: two runs are to be seen beside each other; one of them is pinned.
    """

    sentences_asked = Signal(str)
    compare_asked = Signal()

    def __init__(self, session: Session, conductor: Conductor, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session, self._conductor = session, conductor

    def open(self, paths: list[str]) -> None:
        """Open all that can be opened together; one notice says what was not, and why.

        Of several traces the first is in view, of two the second is pinned beside it.
        """
        if len(paths) == 1 and not may_be_text(Path(paths[0])):
            self._conductor.open_path(paths[0])
            return
        self._conductor.note_text()
        self._conductor.readings.ask(tuple(paths), partial(self._open_now, paths))

    def _open_now(self, paths: list[str]) -> None:
        self._session.set_notice(None)
        self._conductor.readings.read(
            _named(paths),
            partial(_read, paths, self._conductor.files.now()),
            partial(self._show_read, paths),
            lambda error: self._session.set_notice(Notice.of(error)),
        )

    def _show_read(self, paths: list[str], read: _Read) -> None:
        several = read.several
        if _is_no_drop(paths, several):
            self._conductor.open_path(paths[0])
            return
        for place in several.places:
            try:
                self._conductor.show(_given(read.found[place]), example=not several.traces)
            except HeadscopeError as error:
                several.refuse(place, error)
        self._show(self._runs(read))
        if several.text:
            self.sentences_asked.emit(several.text)
        if several.refused:
            total = len(set(paths))
            values = {"count": total - len(several.refused), "total": total, "files": refusals(several)}
            self._session.set_notice(Notice("opened_partly", values, "warning"))

    def _runs(self, read: _Read) -> list[Run]:
        """The traces as runs; those that are open already as they are."""
        runs = []
        for path in read.several.traces:
            try:
                if path in read.runs:
                    run = self._session.document.run(read.runs[path])
                    if run is None:  # not any more
                        self._conductor.open_path(path)
                        continue
                else:
                    given = _given(read.found[path])
                    self._conductor.keep(given)
                    run = given.content
                runs.append(run)
                self._conductor.remember(path, "trace")
            except HeadscopeError as error:
                self._conductor.forget(path)
                read.several.refuse(path, error)
        return runs

    def _show(self, runs: list[Run]) -> None:
        """All of them are one step back."""
        if not runs:
            return
        self._conductor.cancel()
        first, session = runs[0], self._session
        with session.one_change(Change.OPEN):
            fresh = [run for run in runs if session.document.run(run.id) is not run]
            if fresh:
                session.add_runs([(run, self._conductor.opening_of(run)) for run in fresh])
            session.show_run(first.id)
            make_room(session, first.id)
            if len(runs) == 2:
                session.pin(runs[1].id)
        session.set_text(input_text(first.trace))
        self._conductor.look_asked.emit()
        if len(runs) == 2:
            QTimer.singleShot(0, self, self.compare_asked.emit)  # once it was seen: both take their time
