"""Session folders, `NAME.headscope`: what was looked at, to be looked at again. No weights, no torch.

`session.json` names the traces; they lie beside it under names that are never used twice, and it is
replaced alone, last. So a crash at any moment leaves the session that was there or the new one, and a trace
that lies there already is not written again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
import secrets
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

from model import limits
from model.errors import HeadscopeError
from model.files.files import (
    StrPath,
    building_folder,
    folder_lock,
    read_bytes,
    replace_bytes,
    shown,
    write_chunks,
)
from model.files.tensor_file import is_crowded, parse_json
from model.trace.trace import Trace
from model.trace.trace_file import save_trace, text_in
from model.version import VERSION
from viewer.document import edits
from viewer.document.document import Document, Run
from viewer.document.files.run_json import run_json
from viewer.document.files.session_json import document_of, json_of, trace_names
from viewer.document.files.session_left_out import (
    LEFT_OUT,
    NOTHING,
    LeftOut,
    entries_in,
    returned,
    unsaved,
    wait_for,
    waiting_for,
)
from viewer.document.files.session_patterns import Counted, Unreadable, pattern_bytes
from viewer.document.messages.messages import ModelInfo
from viewer.document.messages.notice import Notice
from viewer.document.run_source import MADE_HERE

FORMAT, FORMAT_VERSION = "headscope-session", 1

SUFFIX = ".headscope"
SESSION = "session.json"

_OWN_NAME = re.compile(r"[0-9a-f]{16}\.trace")

# What `save_trace` says of a trace whose numbers are none, before a byte of it is on the disk.
_SENSELESS = ("trace_values", "trace_invalid")

_MARK = b"\xef\xbb\xbf"  # with which some editors begin a file

Report = Callable[[int, int], None]

# By trace, which cannot change, and by folder: the file that holds it, and its size.
_written: weakref.WeakKeyDictionary[Trace, dict[str, tuple[str, int]]] = weakref.WeakKeyDictionary()
_written_lock = threading.Lock()


@dataclass(frozen=True)
class ModelRef:
    """The model a session was made with.

    Attributes:
        path: its folder, as it was.
        sha256: of the bytes of its `model.safetensors`.
    """

    path: str
    name: str
    sha256: str

    @property
    def there(self) -> bool:
        """Whether there is a folder at its path, whatever the path says."""
        return os.path.isdir(self.path)

    @classmethod
    def of(cls, info: ModelInfo) -> Self:
        """What to remember of a model."""
        return cls(os.path.abspath(info.path), info.name, info.sha256)


@dataclass(frozen=True)
class Outline:
    """What a session holds, told without opening it.

    Attributes:
        runs, made: how many runs there are, and how many of them were made in a window, not opened.
        marked: whether there are bookmarks or gold links.
        model: name of the model it was made with; empty for none.
        text: the first sentence.
    """

    runs: int
    made: int
    marked: bool
    model: str
    text: str


@dataclass(frozen=True)
class Written:
    """A session that was saved: the stamp of what is there now (see `stamp_of`), and what is not in it."""

    stamp: str
    left_out: LeftOut


@dataclass(frozen=True, eq=False)
class SavedSession:
    """A session as it was saved; `model` None when none was open.

    Attributes:
        left_out: what could not be opened.
        stamp: of the file that says so, see `stamp_of`.
    """

    document: Document
    text: str
    model: ModelRef | None
    left_out: LeftOut = NOTHING
    stamp: str = ""

    def notice(self) -> Notice | None:
        """What the user should know: what is not there, or that the model is not where it was."""
        left_out = self.left_out.notice()
        if left_out is not None:
            return left_out
        if self.model is None or self.model.there:
            return None
        values = {"name": self.model.name, "path": self.model.path}
        return Notice("session_model_missing", values, "warning")

    def notice_of(self, opened: ModelInfo) -> Notice | None:
        """The same once its model is open: that it is another one now."""
        if self.model is None or opened.sha256 == self.model.sha256:
            return None
        return Notice("session_model_differs", {"name": opened.name, "path": opened.path}, "warning")


def is_session(path: StrPath) -> bool:
    """Whether `path` looks like a session folder."""
    return os.path.isfile(Path(path) / SESSION)


def outline_of(folder: StrPath) -> Outline | None:
    """What a session holds, its traces not looked at but for the first's text; None if it cannot be read."""
    try:
        values = _values_in(Path(folder) / SESSION)
        names, runs, model = trace_names(values), values["runs"], values.get("model") or {}
        made = [run["id"] for run in runs if run.get("provenance", {}).get("source") in MADE_HERE]
        marked = bool(values.get("bookmarks")) or any(run.get("gold") for run in runs)
        first = [names[run_id] for run_id in (*made, *names)][:1]
        text = "".join(text_in(Path(folder) / name) for name in first) or str(values.get("text", ""))
        return Outline(len(names), len(made), marked, str(model.get("name", "")), text)
    except (HeadscopeError, ValueError, TypeError, KeyError, AttributeError):
        return None


def save_session(
    folder: StrPath,
    document: Document,
    text: str,
    model: ModelRef | None,
    report: Report = lambda done, total: None,
    known: str = "",
) -> Written:
    """Write a session, a new one or over an old one; safe to be called in any thread.

    A run whose trace cannot be read any more, since its file was damaged, does not keep the others from being
    saved; nor do searches that would make a session too large to be opened again, the largest first.

    Args:
        report: is told how many bytes of the patterns are written and how many there are, those that lie
            there already included; whatever it raises ends the saving, and what was there stays.
        known: stamp of the session that may be written over; empty for any.

    Returns:
        The stamp of what is there now, and what is not in it.

    Raises:
        HeadscopeError: no trace can be read; `folder` holds something else, is being written, or the disk
            refuses; `session_changed` when it holds another session than the known one. What was there stays.
    """
    folder = Path(folder)
    with folder_lock(folder):
        over = _is_own(folder)
        if over and known and stamp_of(folder) != known:
            raise HeadscopeError("session_changed", path=shown(folder))
        files = {run.id: _name_of(run.trace, folder if over else None) for run in document.runs}
        writer = _Writer(document.runs, report)
        made = _Made(document, text, model, files, waiting_for(os.path.realpath(folder), document))
        if over:
            _save_over(folder, made, writer)
        else:
            with building_folder(folder) as building:
                made.write_traces(building, writer)
                write_chunks(building / SESSION, [made.data])
        for run in made.saved.runs:
            _remember(run.trace, folder, made.files[run.id])
        wait_for(os.path.realpath(folder), made.left_out)
        return Written(_stamp(made.data), unsaved(document, made.unread, made.searches))


def stamp_of(folder: StrPath) -> str:
    """What tells a session from every other one that may come to lie at its place; empty for none."""
    try:
        return _stamp(read_bytes(Path(folder) / SESSION, limit=limits.SESSION))
    except HeadscopeError:
        return ""


def _stamp(data: bytes) -> str:
    """Names of traces are never used twice: two sessions are equal only if they hold the same."""
    return hashlib.sha256(data).hexdigest()


def open_session(folder: StrPath) -> SavedSession:
    """Read a session; its traces stay in their files until they are asked for.

    Raises:
        HeadscopeError: there is no session, it is damaged, or one of its traces is.
    """
    path = Path(folder) / SESSION
    if not is_session(folder):
        raise HeadscopeError("session_missing", path=shown(folder))
    name = shown(path)
    data = read_bytes(path, limit=limits.SESSION)
    values = _parsed(data)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise HeadscopeError("session_format", path=name)
    version = values.get("version")
    if type(version) is not int or version < 1:
        raise HeadscopeError("session_format", path=name)
    if version > FORMAT_VERSION:
        raise HeadscopeError("session_newer", path=name, version=version)
    try:
        text, model = values.get("text", ""), _model_of(values.get("model"))
        if not isinstance(text, str):
            raise ValueError("its text is no text")
        names = trace_names(values)
        if len(names) > limits.RUNS:
            raise HeadscopeError("session_runs", path=name, count=len(names), most=limits.RUNS)
        back, waiting = returned(values, Path(folder))
        document, unread = document_of({**values, "runs": [*values["runs"], *back]}, Path(folder))
        names |= {run["id"]: run["trace"] for run in back}
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise HeadscopeError("session_invalid", path=name, reason=reason) from None
    for run in document.runs:
        _remember(run.trace, Path(folder), names[run.id])
    missing = [{**run, "reason": str(unread[run["id"]])} for run in values["runs"] if run["id"] in unread]
    wait_for(os.path.realpath(folder), [*waiting, *missing])
    first = next(iter(unread.values()), None)
    left_out = LeftOut(runs=len(unread), error=first, opening=True)
    return SavedSession(document, text, model, left_out, _stamp(data))


def _name_of(trace: Trace, folder: Path | None) -> str:
    """The name of the file of a trace: of the one that `folder` has of it, else a new one."""
    if folder is not None:
        with _written_lock:
            name, size = _written.get(trace, {}).get(os.path.realpath(folder), ("", -1))
        with contextlib.suppress(OSError):
            if name and os.stat(folder / name).st_size == size:
                return name
    return f"{secrets.token_hex(8)}.trace"  # as `_OWN_NAME`


def _place_of(trace: Trace, folder: Path) -> str:
    """The name that the file of a trace has or had in a folder; empty where it never lay there."""
    with _written_lock:
        return _written.get(trace, {}).get(os.path.realpath(folder), ("", -1))[0]


def _is_own(folder: Path) -> bool:
    """Whether a session lies there that may be saved over.

    Raises:
        HeadscopeError: what lies there under its name is another program's, leads elsewhere, or is damaged
            and may still be mended: it is not written over.
    """
    path = folder / SESSION
    if not os.path.lexists(path):
        return False
    values: Any = None
    if not path.is_symlink() and path.is_file():
        values = _values_in(path)
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise HeadscopeError("folder_exists", path=shown(folder))
    return True


class _Writer:
    """Writes the traces of some runs, telling how far it is."""

    def __init__(self, runs: Iterable[Run], report: Report) -> None:
        self._report = report
        self._sizes = {id(run.trace): pattern_bytes(run.trace) for run in runs}
        self._total, self._done = sum(self._sizes.values()), 0
        self._report(0, self._total)

    def write(self, trace: Trace, path: Path) -> None:
        """Write a trace, unless it lies there; or make another name of a file that holds it elsewhere.

        Raises:
            Unreadable: it cannot be read, whatever the disk says that it is written to.
        """
        if not path.exists() and not _linked(trace, path):
            try:
                save_trace(replace(trace, patterns=Counted(trace.patterns, self._wrote)), path)
            except HeadscopeError as error:
                if error.code in _SENSELESS:
                    raise Unreadable(error) from None
                raise
        else:
            self._wrote(self._sizes[id(trace)])

    def _wrote(self, size: int) -> None:
        self._done += size
        self._report(self._done, self._total)


def _linked(trace: Trace, path: Path) -> bool:
    """Whether a file that holds the trace in another session has another name now."""
    with _written_lock:
        known = list(_written.get(trace, {}).items())
    for folder, (name, size) in known:
        with contextlib.suppress(OSError):
            # The file itself: another name of a link would lead astray from here.
            file = os.path.realpath(os.path.join(folder, name))
            if os.stat(file).st_size == size:
                os.link(file, path)
                return True
    return False


def _remember(trace: Trace, folder: Path, name: str) -> None:
    with contextlib.suppress(OSError), _written_lock:
        size = os.stat(folder / name).st_size
        _written.setdefault(trace, {})[os.path.realpath(folder)] = (name, size)


def _save_over(folder: Path, made: _Made, writer: _Writer) -> None:
    known = {*(_named_traces(folder) or ()), *made.files.values()}
    # And what a writer left that was killed before it could name it.
    with contextlib.suppress(OSError):
        known |= set(filter(_OWN_NAME.fullmatch, os.listdir(folder)))
    try:
        made.write_traces(folder, writer)
        replace_bytes(folder / SESSION, made.data)
    finally:
        # Which of the two sessions is there now is asked of the disk: a failure may have come after the
        # renaming. Nothing is removed that it names, nor when it cannot be read.
        named = _named_traces(folder)
        for name in () if named is None else known.difference(named):
            # One that is in use cannot be removed everywhere; nothing names it any more.
            with contextlib.suppress(OSError):
                os.unlink(folder / name)


def _named_traces(folder: Path) -> list[str] | None:
    """The traces that the session there names; None if it cannot be read."""
    try:
        values = _values_in(folder / SESSION)
        return [*trace_names(values).values(), *(entry["trace"] for entry in entries_in(values))]
    except (HeadscopeError, ValueError, TypeError, KeyError, AttributeError):
        return None


class _Made:
    """A session on its way to the disk.

    Attributes:
        files: name of each run's trace file.
        unread: by run, why its trace cannot be read.
        saved: the document without these runs.
        left_out: their places, and those of runs that were left out before.
        searches: how many searches are left out.
    """

    def __init__(
        self,
        document: Document,
        text: str,
        model: ModelRef | None,
        files: Mapping[str, str],
        waiting: tuple[dict[str, Any], ...],
    ) -> None:
        self.files = dict(files)
        self.unread: dict[str, HeadscopeError] = {}
        self.saved = self._document = document
        self.left_out = waiting
        self.searches = 0
        self._text, self._model = text, model

    def write_traces(self, folder: Path, writer: _Writer) -> None:
        """Write them all; raises as `save_session`, also where none of them can be read."""
        for run in self._document.runs:
            try:
                writer.write(run.trace, folder / self.files[run.id])
            except Unreadable as failure:
                self.unread[run.id] = failure.error
                # Its place is where its file was, be it gone or damaged: it may be put back.
                self.files[run.id] = _place_of(run.trace, folder) or self.files[run.id]
        if self.unread and len(self.unread) == len(self._document.runs):
            raise next(iter(self.unread.values()))
        for run in self._document.runs:
            if run.id in self.unread:
                entry = {**run_json(run, self.files[run.id]), "reason": str(self.unread[run.id])}
                self.left_out = (*self.left_out, entry)
                self.saved = edits.without_run(self.saved, run.id)

    @cached_property
    def data(self) -> bytes:
        """The bytes of `session.json`; without the largest searches where it could not be opened again."""
        data = _serialized(self.saved, self._text, self._model, self.files, self.left_out)
        largest = sorted(self.saved.runs, key=lambda run: -len(run.search))
        while _is_large(data) and self.searches < len(largest):
            self.searches = min(len(largest), 1 + 2 * self.searches)
            bare = {run.id for run in largest[: self.searches]}
            runs = tuple(run.but(search=()) if run.id in bare else run for run in self.saved.runs)
            data = _serialized(self.saved.but(runs=runs), self._text, self._model, self.files, self.left_out)
        return data


def _is_large(data: bytes) -> bool:
    return len(data) > limits.SESSION or is_crowded(data, limits.SESSION_VALUES)


def _values_in(path: Path) -> Any:
    """The JSON of a session; None if it is none. Raises `HeadscopeError` if it cannot be read."""
    return _parsed(read_bytes(path, limit=limits.SESSION))


def _parsed(data: bytes) -> Any:
    return parse_json(data.removeprefix(_MARK), most=limits.SESSION_VALUES)


def _serialized(
    document: Document,
    text: str,
    model: ModelRef | None,
    files: Mapping[str, str],
    left_out: tuple[dict[str, Any], ...],
) -> bytes:
    values = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "created_by": f"headscope {VERSION}",
        "model": None if model is None else vars(model),
        "text": text,
        **json_of(document, files),
        **({LEFT_OUT: list(left_out)} if left_out else {}),
    }
    return (json.dumps(values, ensure_ascii=True, allow_nan=False) + "\n").encode()


def _model_of(values: Any) -> ModelRef | None:
    if values is None:
        return None
    fields = [values[name] for name in ("path", "name", "sha256")]
    if not all(isinstance(field, str) for field in fields):
        raise ValueError("its model is not described")
    return ModelRef(*fields)
