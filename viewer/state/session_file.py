"""Session folders, `NAME.headscope`: what was looked at, to be looked at again. No weights, no torch.

`session.json` names the traces; they lie beside it under names that are never used twice, and it is
replaced alone, last. So a crash at any moment leaves the session that was there or the new one, and a trace
that lies there already is not written again.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import math
import os
import re
import secrets
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

from model.errors import HeadscopeError
from model.files import StrPath, building_folder, folder_lock, read_bytes, replace_bytes, shown, write_chunks
from model.tensor_file import parse_json
from model.trace import AttentionKind, Floats, Patterns, Trace
from model.trace_file import save_trace, text_in
from model.version import VERSION
from viewer.state.document import MADE_HERE, Document, Run
from viewer.state.messages import ModelInfo
from viewer.state.notice import Notice
from viewer.state.session_json import document_of, json_of, trace_names

FORMAT, FORMAT_VERSION = "headscope-session", 1

SUFFIX = ".headscope"
SESSION = "session.json"

_OWN_NAME = re.compile(r"[0-9a-f]{16}\.trace")
_LONGEST = 1 << 29  # more than all searches take for which `edits.MOST_BYTES` has room

_MARK = b"\xef\xbb\xbf"  # with which some editors begin a file
_WEIGHT_BYTES = 4  # float32

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


@dataclass(frozen=True, eq=False)
class SavedSession:
    """A session as it was saved; `model` None when none was open.

    Attributes:
        stamp: of the file that says so, see `stamp_of`.
    """

    document: Document
    text: str
    model: ModelRef | None
    stamp: str = ""

    def notice(self) -> Notice | None:
        """What the user should know: that the model is not where it was."""
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
        values = parse_json(read_bytes(Path(folder) / SESSION, limit=_LONGEST).removeprefix(_MARK))
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
) -> str:
    """Write a session, a new one or over an old one; safe to be called in any thread.

    Args:
        report: is told how many bytes of the patterns are written and how many there are, those that lie
            there already included; whatever it raises ends the saving, and what was there stays.
        known: stamp of the session that may be written over; empty for any.

    Returns:
        The stamp of what is there now.

    Raises:
        HeadscopeError: `folder` holds something else, is being written, or the disk refuses;
            `session_changed` when it holds another session than the known one. What was there stays.
    """
    folder = Path(folder)
    with folder_lock(folder):
        over = _is_own(folder)
        if over and known and stamp_of(folder) != known:
            raise HeadscopeError("session_changed", path=shown(folder))
        files = {run.id: _name_of(run.trace, folder if over else None) for run in document.runs}
        data = _serialized(document, text, model, files)
        if len(data) > _LONGEST:  # it could not be opened again: the translations are worth more
            bare = document.but(runs=tuple(run.but(search=()) for run in document.runs))
            data = _serialized(bare, text, model, files)
        writer = _Writer(document.runs, report)
        if over:
            _save_over(folder, document.runs, files, data, writer)
        else:
            with building_folder(folder) as building:
                for run in document.runs:
                    writer.write(run.trace, building / files[run.id])
                write_chunks(building / SESSION, [data])
        for run in document.runs:
            _remember(run.trace, folder, files[run.id])
        return _stamp(data)


def stamp_of(folder: StrPath) -> str:
    """What tells a session from every other one that may come to lie at its place; empty for none."""
    try:
        return _stamp(read_bytes(Path(folder) / SESSION, limit=_LONGEST))
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
    data = read_bytes(path, limit=_LONGEST)
    values = parse_json(data.removeprefix(_MARK)) if len(data) <= _LONGEST else None
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
        document = document_of(values, Path(folder))
        names = trace_names(values)
    except (ValueError, TypeError, KeyError, AttributeError, OverflowError) as error:
        reason = " ".join(str(error).split()) or type(error).__name__
        raise HeadscopeError("session_invalid", path=name, reason=reason) from None
    for run in document.runs:
        _remember(run.trace, Path(folder), names[run.id])
    return SavedSession(document, text, model, _stamp(data))


def _name_of(trace: Trace, folder: Path | None) -> str:
    """The name of the file of a trace: of the one that `folder` has of it, else a new one."""
    if folder is not None:
        with _written_lock:
            name, size = _written.get(trace, {}).get(os.path.realpath(folder), ("", -1))
        with contextlib.suppress(OSError):
            if name and os.stat(folder / name).st_size == size:
                return name
    return f"{secrets.token_hex(8)}.trace"  # as `_OWN_NAME`


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
        values = parse_json(read_bytes(path, limit=_LONGEST).removeprefix(_MARK))
    if not isinstance(values, dict) or values.get("format") != FORMAT:
        raise HeadscopeError("folder_exists", path=shown(folder))
    return True


class _Writer:
    """Writes the traces of some runs, telling how far it is."""

    def __init__(self, runs: Iterable[Run], report: Report) -> None:
        self._report = report
        self._sizes = {id(run.trace): _pattern_bytes(run.trace) for run in runs}
        self._total, self._done = sum(self._sizes.values()), 0
        self._report(0, self._total)

    def write(self, trace: Trace, path: Path) -> None:
        """Write a trace, unless it lies there; or make another name of a file that holds it elsewhere."""
        if not path.exists() and not _linked(trace, path):
            save_trace(replace(trace, patterns=_Counted(trace.patterns, self._wrote)), path)
        else:
            self._wrote(self._sizes[id(trace)])

    def _wrote(self, size: int) -> None:
        self._done += size
        self._report(self._done, self._total)


class _Counted:
    """Patterns that say how many bytes of them were read; see `model.trace.Patterns`."""

    def __init__(self, patterns: Patterns, read: Callable[[int], None]) -> None:
        self._patterns = patterns
        self._read = read
        self.shape, self.pattern = patterns.shape, patterns.pattern

    def layer(self, kind: AttentionKind, layer: int) -> Floats:
        """See `model.trace.Patterns`."""
        weights = self._patterns.layer(kind, layer)
        self._read(weights.nbytes)
        return weights


def _pattern_bytes(trace: Trace) -> int:
    shapes = filter(None, map(trace.patterns.shape, trace.kinds))
    return sum(_WEIGHT_BYTES * math.prod(shape) for shape in shapes)


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


def _save_over(
    folder: Path, runs: tuple[Run, ...], files: Mapping[str, str], data: bytes, writer: _Writer
) -> None:
    known = {*(_named_traces(folder) or ()), *files.values()}
    # And what a writer left that was killed before it could name it.
    with contextlib.suppress(OSError):
        known |= set(filter(_OWN_NAME.fullmatch, os.listdir(folder)))
    try:
        for run in runs:
            writer.write(run.trace, folder / files[run.id])
        replace_bytes(folder / SESSION, data)
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
        data = read_bytes(folder / SESSION, limit=_LONGEST)
        return list(trace_names(parse_json(data.removeprefix(_MARK))).values())
    except (HeadscopeError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _serialized(document: Document, text: str, model: ModelRef | None, files: Mapping[str, str]) -> bytes:
    values = {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "created_by": f"headscope {VERSION}",
        "model": None if model is None else vars(model),
        "text": text,
        **json_of(document, files),
    }
    return (json.dumps(values, ensure_ascii=True, allow_nan=False) + "\n").encode()


def _model_of(values: Any) -> ModelRef | None:
    if values is None:
        return None
    fields = [values[name] for name in ("path", "name", "sha256")]
    if not all(isinstance(field, str) for field in fields):
        raise ValueError("its model is not described")
    return ModelRef(*fields)
