"""A document as JSON and back; the traces stand in files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.errors import HeadscopeError
from model.trace.trace import Trace
from model.trace.trace_file import open_trace
from viewer.document import edits
from viewer.document.deeds import deeds_of
from viewer.document.document import LONGEST_NAME, LONGEST_NOTE, Bookmark, Document, Pane, ViewOptions
from viewer.document.files.run_json import run_json, run_of
from viewer.document.learn_state import sound_state
from viewer.document.scene import Scene
from viewer.document.selection import Selection


def json_of(document: Document, files: Mapping[str, str]) -> dict[str, Any]:
    """The document's part of `session.json`.

    Args:
        files: name of each run's trace file.
    """
    return {
        "runs": [run_json(run, files[run.id]) for run in document.runs],
        "panes": [_pane_json(pane) for pane in document.panes],
        "active": document.active,
        "view": document.view.to_json(),
        "pinned": document.pinned,
        "bookmarks": [
            {
                "name": mark.name,
                **({} if mark.pane is None else _pane_json(mark.pane)),
                **mark.scene.to_json(),
                **({"note": mark.note} if mark.note else {}),
            }
            for mark in document.bookmarks
        ],
        **({"learn": dict(document.learn)} if document.learn else {}),
        **({"deeds": [deed.to_json() for deed in document.deeds]} if document.deeds else {}),
    }


def trace_names(values: Mapping[str, Any]) -> dict[str, str]:
    """File name of each run's trace, by the run's id.

    Raises:
        ValueError, KeyError, TypeError: not a session's JSON, or a name leads out of the folder.
    """
    names: dict[str, str] = {}
    for run in values["runs"]:
        run_id, name = run["id"], run["trace"]
        if not isinstance(run_id, str) or not isinstance(name, str) or run_id in names:
            raise ValueError("its runs cannot be told apart")
        if not name.endswith(".trace") or set(name) & set("/\\:\0"):
            raise ValueError(f"{name!r} is no name of a trace beside it")
        names[run_id] = name
    return names


def document_of(values: Mapping[str, Any], folder: Path) -> tuple[Document, dict[str, HeadscopeError]]:
    """The inverse of `json_of`; the traces are opened from `folder`, unknown keys ignored.

    Returns:
        The document, and by run why it is not in it: its trace is missing or damaged.

    Raises:
        HeadscopeError: none of the traces can be read.
        ValueError, KeyError, TypeError: the JSON makes no sense.
    """
    names = trace_names(values)
    _check_parents(values["runs"], names)
    traces, unread = _opened({run_id: folder / name for run_id, name in names.items()})
    parents = {run["id"]: run.get("parent") for run in values["runs"]}
    runs = tuple(
        run_of(_adopted(run, parents, unread), traces[run["id"]])
        for run in values["runs"]
        if run["id"] in traces
    )
    panes = tuple(_pane_of(pane, names) for pane in values.get("panes", []))
    marks = tuple(_mark_of(mark, names) for mark in values.get("bookmarks", []))
    active, pinned = values.get("active", 0), values.get("pinned", "")
    if type(active) is not int or not isinstance(pinned, str):
        raise ValueError("its active pane is no number, or its pinned run no name")
    view = ViewOptions.from_json(values.get("view", {}))
    learn = sound_state(values.get("learn"))
    deeds = deeds_of(values.get("deeds"))
    document = Document(runs, panes, view, active, marks, pinned, learn=learn, deeds=deeds)
    return edits.sound(document), unread


def _opened(paths: Mapping[str, Path]) -> tuple[dict[str, Trace], dict[str, HeadscopeError]]:
    """The traces that can be read, and why the others cannot; raises where there are only others."""
    traces: dict[str, Trace] = {}
    unread: dict[str, HeadscopeError] = {}
    for run_id, path in paths.items():
        try:
            traces[run_id] = open_trace(path)
        except HeadscopeError as error:
            unread[run_id] = error
    if unread and not traces:
        raise next(iter(unread.values()))
    return traces, unread


def _adopted(
    run: Mapping[str, Any], parents: Mapping[str, str | None], unread: Mapping[str, HeadscopeError]
) -> Mapping[str, Any]:
    """A run, coming from the nearest one before it that is there."""
    parent = run.get("parent")
    if parent not in unread:
        return run
    while parent is not None and parent in unread:
        parent = parents[parent]
    return {**run, "parent": parent, "branch_step": None, "held": None}


def _check_parents(runs: list[Mapping[str, Any]], names: Mapping[str, str]) -> None:
    """Raise `ValueError` unless every run's line leads to a first one."""
    parents = {run["id"]: run.get("parent") for run in runs}
    known: set[str] = set()
    for run_id in parents:
        line, at = set(), run_id
        while at is not None and at not in known:
            if at not in names:
                raise ValueError(f"run {run_id} comes from one that is not there")
            if at in line:
                raise ValueError(f"run {run_id} comes from itself")
            line.add(at)
            at = parents[at]
        known |= line


def _pane_json(pane: Pane) -> dict[str, Any]:
    return {"run": pane.run_id, "selection": pane.selection.to_json()}


def _mark_of(values: Mapping[str, Any], names: Mapping[str, str]) -> Bookmark:
    note = values.get("note", "")
    if not isinstance(note, str):
        raise ValueError("a bookmark's note is no text")
    pane = _pane_of(values, names) if "run" in values else None
    name = str(values["name"])[:LONGEST_NAME]
    return Bookmark(name, pane, Scene.from_json(values), note[:LONGEST_NOTE])


def _pane_of(values: Mapping[str, Any], names: Mapping[str, str]) -> Pane:
    if values["run"] not in names:
        raise ValueError("a pane shows a run that is not there")
    return Pane(values["run"], Selection.from_json(values["selection"]))
