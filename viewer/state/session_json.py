"""A document as JSON and back; the traces stand in files of their own."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from model.trace_file import open_trace
from viewer.state import edits
from viewer.state.document import Bookmark, Document, Pane, Run, ViewOptions
from viewer.state.selection import Selection


def json_of(document: Document, files: Mapping[str, str]) -> dict[str, Any]:
    """The document's part of `session.json`.

    Args:
        files: name of each run's trace file.
    """
    return {
        "runs": [
            {
                "id": run.id,
                "parent": run.parent,
                "trace": files[run.id],
                "provenance": run.provenance,
                "alterations": list(run.alterations),
            }
            for run in document.runs
        ],
        "panes": [_pane_json(pane) for pane in document.panes],
        "active": document.active,
        "view": document.view.to_json(),
        "bookmarks": [{"name": mark.name, **_pane_json(mark.pane)} for mark in document.bookmarks],
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


def document_of(values: Mapping[str, Any], folder: Path) -> Document:
    """The inverse of `json_of`; the traces are opened from `folder`, unknown keys ignored.

    Raises:
        HeadscopeError: a trace is missing or damaged.
        ValueError, KeyError, TypeError: the JSON makes no sense.
    """
    names = trace_names(values)
    runs = tuple(_run_of(run, names, folder) for run in values["runs"])
    panes = tuple(_pane_of(pane, names) for pane in values.get("panes", []))
    marks = tuple(Bookmark(str(mark["name"]), _pane_of(mark, names)) for mark in values.get("bookmarks", []))
    active = values.get("active", 0)
    if type(active) is not int:
        raise ValueError("its active pane is no number")
    view = ViewOptions.from_json(values.get("view", {}))
    return edits.sound(Document(runs, panes, view, active, marks))


def _run_of(values: Mapping[str, Any], names: Mapping[str, str], folder: Path) -> Run:
    parent = values.get("parent")
    if parent is not None and parent not in names:
        raise ValueError(f"run {values['id']} comes from one that is not there")
    provenance, alterations = values.get("provenance", {}), values.get("alterations", [])
    if not isinstance(provenance, dict) or not isinstance(alterations, list):
        raise ValueError(f"where run {values['id']} comes from is not described")
    trace = open_trace(folder / names[values["id"]])
    return Run(values["id"], trace, parent, provenance, tuple(alterations))


def _pane_json(pane: Pane) -> dict[str, Any]:
    return {"run": pane.run_id, "selection": pane.selection.to_json()}


def _pane_of(values: Mapping[str, Any], names: Mapping[str, str]) -> Pane:
    if values["run"] not in names:
        raise ValueError("a pane shows a run that is not there")
    return Pane(values["run"], Selection.from_json(values["selection"]))
