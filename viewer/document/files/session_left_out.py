"""Session runs left out: those whose traces cannot be read, searches too large to be saved.

A run that is left out keeps its place in `session.json` under `left_out`: all that stands there of a run, and
`reason`. While its trace lies in the session's folder neither is removed by a saving over, and when the trace
can be read again the run is back.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.trace.trace_file import open_trace
from viewer.document.document import Document
from viewer.document.files.run_json import run_of
from viewer.document.messages.notice import Notice, error_sentence
from viewer.document.run_names import run_names

LEFT_OUT = "left_out"

_MOST = 200

# By folder: what the session that was opened or saved there could not be opened or saved with.
_waiting: dict[str, tuple[dict[str, Any], ...]] = {}
_waiting_lock = threading.Lock()


@dataclass(frozen=True)
class LeftOut:
    """What is not in a session.

    Attributes:
        name: of the first run that is left out; empty if none is, or nothing is known of it but its file.
        runs: how many there are.
        error: why the first one is.
        searches: of how many runs the search was too large.
        opening: it was opened; else saved.
    """

    name: str = ""
    runs: int = 0
    error: HeadscopeError | None = None
    searches: int = 0
    opening: bool = False

    def notice(self) -> Notice | None:
        """What the user should know; None where nothing is left out."""
        if self.error is not None:
            reason = error_sentence(self.error).rstrip(".。")
            values = {"count": self.runs, "name": self.name, "reason": reason}
            return Notice("runs_unopened" if self.opening else "runs_unsaved", values, "warning")
        if self.searches:
            return Notice("searches_unsaved", {"count": self.searches}, "warning")
        return None


NOTHING = LeftOut(opening=True)


def unsaved(document: Document, unread: Mapping[str, HeadscopeError], searches: int) -> LeftOut:
    """What was left out of a document that was saved.

    Args:
        unread: by run, why its trace cannot be read.
    """
    if not unread:
        return LeftOut(searches=searches)
    first = next(iter(unread))
    return LeftOut(run_names(document).get(first, ""), len(unread), unread[first], searches)


def entries_in(values: Mapping[str, Any]) -> tuple[dict[str, Any], ...]:
    """The runs that a session's JSON says are left out; whatever else stands there is no matter."""
    found = values.get(LEFT_OUT)
    listed = found[:_MOST] if isinstance(found, list) else []
    named = (entry for entry in listed if isinstance(entry, dict) and isinstance(entry.get("id"), str))
    return tuple(entry for entry in named if is_beside(entry.get("trace")))


def is_beside(name: object) -> bool:
    """Whether it is the name of a trace in the session's own folder."""
    return isinstance(name, str) and name.endswith(".trace") and not set(name) & set("/\\:\0")


def returned(
    values: Mapping[str, Any], folder: Path
) -> tuple[list[dict[str, Any]], tuple[dict[str, Any], ...]]:
    """The runs that were left out and whose traces can be read now, and those that wait on."""
    known = {run["id"] for run in values["runs"]}
    back: list[dict[str, Any]] = []
    waiting: list[dict[str, Any]] = []
    for entry in entries_in(values):
        if entry["id"] in known:
            continue
        known.add(entry["id"])
        try:
            trace = open_trace(folder / entry["trace"])
            parent = entry.get("parent")
            run = {**entry, "parent": parent if parent in known else None}
            run_of(run, trace)  # what nobody has looked at since must not spoil the rest
        except (HeadscopeError, ValueError, TypeError, KeyError, AttributeError, OverflowError):
            waiting.append(entry)
        else:
            back.append(run)
    return back, tuple(waiting)


def wait_for(folder: str, entries: Iterable[Mapping[str, Any]]) -> None:
    """Keep these runs' places in the session of a folder, in all savings over it from now on."""
    with _waiting_lock:
        _waiting[folder] = tuple(dict(entry) for entry in entries)[:_MOST]


def waiting_for(folder: str, document: Document) -> tuple[dict[str, Any], ...]:
    """What waits in a folder for its trace, without the runs that the document has."""
    with _waiting_lock:
        entries = _waiting.get(folder, ())
    present = {run.id for run in document.runs}
    return tuple(e for e in entries if e["id"] not in present and (Path(folder) / e["trace"]).exists())
