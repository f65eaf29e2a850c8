"""Changes to a document: a document in, a new one out. Nothing raises; what is out of range is clamped."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from model.trace import AttentionKind, Trace
from viewer.state.document import Document, Pane, Run
from viewer.state.selection import Selection

MOST_PANES = 2


def with_run(document: Document, run: Run, first: Selection, *, keep_others: bool) -> Document:
    """The document with a new run, shown in every pane; one that had its id goes.

    Args:
        first: what to look at if nothing was looked at before.
        keep_others: False drops the other runs (their bookmarks too).
    """
    panes = document.panes or (Pane(run.id, first),)
    shown = tuple(Pane(run.id, _carried(document, pane, run)) for pane in panes)
    others = tuple(other for other in document.runs if other.id != run.id) if keep_others else ()
    runs = (*others, run)
    kept = {other.id for other in runs}
    bookmarks = tuple(mark for mark in document.bookmarks if mark.pane.run_id in kept)
    return document.but(runs=runs, panes=shown, bookmarks=bookmarks)


def with_replaced(document: Document, run: Run) -> Document:
    """The document with a run's newer state; a pane that was at its newest token follows while it grows."""
    before = document.run(run.id)
    if before is None:
        return document
    runs = tuple(run if other.id == run.id else other for other in document.runs)
    panes = []
    for pane in document.panes:
        if pane.run_id == run.id:
            selection = pane.selection
            if before.live and selection.step == before.trace.steps - 1:
                selection = selection.but(step=run.trace.steps - 1)
            pane = Pane(run.id, selection.within(run.trace))
        panes.append(pane)
    return document.but(runs=runs, panes=tuple(panes))


def without_run(document: Document, run_id: str) -> Document:
    """The document without a run; panes that showed it show its parent, else the newest run left."""
    gone = document.run(run_id)
    if gone is None:
        return document
    runs = tuple(
        run.but(parent=gone.parent) if run.parent == run_id else run
        for run in document.runs
        if run.id != run_id
    )
    bookmarks = tuple(mark for mark in document.bookmarks if mark.pane.run_id != run_id)
    left = document.but(runs=runs, bookmarks=bookmarks)
    if not runs:
        return left.but(panes=(), active=0)
    heir = left.run(gone.parent or "") or runs[-1]
    for index, pane in enumerate(document.panes):
        if pane.run_id == run_id:
            left = showing(left, index, heir.id)
    return left


def showing(document: Document, index: int, run_id: str) -> Document:
    """The document with another run in a pane, looked at in the same way as far as it goes."""
    run = document.run(run_id)
    if run is None or not 0 <= index < len(document.panes):
        return document
    pane = document.panes[index]
    return _with_pane(document, index, Pane(run_id, _carried(document, pane, run)))


def selecting(document: Document, index: int, **changes: Any) -> Document:
    """The document with fields of a pane's `Selection` changed."""
    if not 0 <= index < len(document.panes):
        return document
    pane = document.panes[index]
    run = document.run(pane.run_id)
    assert run is not None
    before = pane.selection
    # The cell of one family is no cell of another: their axes are different tokens.
    if changes.get("kind", before.kind) != before.kind:
        changes = {"query": None, "key": None, **changes}
    return _with_pane(document, index, Pane(pane.run_id, before.but(**changes).within(run.trace)))


def with_second_pane(document: Document, selection: Selection | None) -> Document:
    """The document with a second pane, active, on the run of the first; as it is if there are two."""
    if not document.panes or len(document.panes) >= MOST_PANES:
        return document
    first = document.panes[0]
    opened = document.but(panes=(first, first), active=1)
    changes = {} if selection is None else vars(selection)
    return selecting(opened, 1, **changes)


def without_pane(document: Document, index: int) -> Document:
    """The document without one of its two panes."""
    if len(document.panes) < MOST_PANES or not 0 <= index < len(document.panes):
        return document
    return document.but(panes=tuple(p for i, p in enumerate(document.panes) if i != index), active=0)


def sound(document: Document) -> Document:
    """The nearest document whose panes show what its runs have."""
    if not document.runs:
        return document.but(panes=(), active=0, bookmarks=())
    panes = tuple(_sound_panes(document)) or (
        Pane(document.runs[-1].id, Selection.opening(None, document.runs[-1].trace)),
    )
    ids = {run.id for run in document.runs}
    bookmarks = tuple(mark for mark in document.bookmarks if mark.pane.run_id in ids)
    active = min(max(0, document.active), len(panes) - 1)
    return document.but(panes=panes, active=active, bookmarks=bookmarks)


def _sound_panes(document: Document) -> Iterable[Pane]:
    for pane in document.panes[:MOST_PANES]:
        run = document.run(pane.run_id)
        if run is not None:
            yield Pane(run.id, pane.selection.within(run.trace))


def _carried(document: Document, pane: Pane, run: Run) -> Selection:
    """A pane's selection taken over to another run: at the newest token of one that is still decoded."""
    before = document.run(pane.run_id)
    selection = pane.selection
    if before is not None and not _same_axes(before.trace, run.trace, selection.kind):
        selection = selection.but(query=None, key=None)
    if run.live:
        selection = selection.but(step=run.trace.steps - 1)
    return selection.within(run.trace)


def _same_axes(one: Trace, other: Trace, kind: AttentionKind) -> bool:
    return one.query_tokens(kind) == other.query_tokens(kind) and one.key_tokens(kind) == other.key_tokens(
        kind
    )


def _with_pane(document: Document, index: int, pane: Pane) -> Document:
    panes = tuple(pane if i == index else other for i, other in enumerate(document.panes))
    return document.but(panes=panes)
