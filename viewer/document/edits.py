"""Edits: a document in, a new one out. Nothing raises; what is out of range is clamped."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import Any

import numpy as np

from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import FilePatterns
from viewer.document.document import Document, Pane, Run
from viewer.document.scene import LOOK
from viewer.document.selection import Selection

MOST_PANES = 2
MOST_RUNS = 200
MOST_BYTES = 1 << 30
"""How many runs a document keeps, and bytes of patterns and searches in memory."""

_WEIGHT_BYTES = 4  # float32
_CONSIDERED_BYTES = 320  # measured; a wide search of a long sentence considers hundreds of thousands


def with_run(
    document: Document, run: Run, first: Selection, *, keep_others: bool, pane: int | None = None
) -> Document:
    """The document with a new run; one that had its id makes place for it.

    Args:
        first: what to look at if nothing was looked at before.
        keep_others: False drops the other runs (their bookmarks too).
        pane: the one that shows it, opened if it is the second and not there; None for all panes.
    """
    if document.run(run.parent or "") is None or run.parent == run.id:
        run = run.but(parent=None, branch_step=None)
    replaced = document.run(run.id)
    if not keep_others:
        runs: tuple[Run, ...] = (run.but(parent=None, branch_step=None),)
    elif replaced is None:
        runs = (*document.runs, run)
    else:
        others = _without_parent(document, replaced)
        runs = tuple(run if other.id == run.id else other for other in others)
    if pane == len(document.panes) == 1:
        document = document.but(panes=(document.panes[0], document.panes[0]))
    panes = []
    for index, before in enumerate(document.panes or (Pane(run.id, first),)):
        shown = pane in (None, index) or before.run_id == run.id or not keep_others
        panes.append(Pane(run.id, _carried(document, before, run)) if shown else before)
    return _only_known(document.but(runs=runs, panes=tuple(panes)))


def with_replaced(document: Document, run: Run) -> Document:
    """The document with a run's newer state; a pane that was at its newest token follows while it grows.

    Where it comes from stays as it is if what the newer state says of it is no longer there.
    """
    before = document.run(run.id)
    if before is None:
        return document
    if run.parent is not None and document.run(run.parent) is None:
        run = run.but(parent=before.parent, branch_step=before.branch_step, held=None)
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
    runs = tuple(run for run in _without_parent(document, gone) if run.id != run_id)
    left = _only_known(document.but(runs=runs))
    if not runs:
        return left.but(panes=(), active=0)
    heir = left.run(gone.parent or "") or runs[-1]
    for index, pane in enumerate(document.panes):
        if pane.run_id == run_id:
            left = showing(left, index, heir.id, document)
    return left


def trimmed(
    document: Document, keep: Collection[str] = (), most_runs: int = MOST_RUNS, most_bytes: int = MOST_BYTES
) -> Document:
    """The document within its bounds: the oldest runs go that nothing needs.

    A run is needed while it is made, by a pane, a bookmark or the pin, as the parent of another, or because
    it is among `keep`; and one whose gold links somebody gave stays.
    """
    needed = {*keep, document.pinned, *(pane.run_id for pane in document.panes)}
    needed |= {mark.run_id for mark in document.bookmarks}
    needed |= {run.id for run in document.runs if run.gold is not None}
    runs = list(document.runs)
    sizes = {run.id: run_bytes(run) for run in runs}
    while len(runs) > most_runs or sum(sizes[run.id] for run in runs) > most_bytes:
        parents = {run.parent for run in runs}
        oldest = next(
            (run for run in runs if not run.live and run.id not in needed and run.id not in parents), None
        )
        if oldest is None:
            break
        runs.remove(oldest)
    return document if len(runs) == len(document.runs) else document.but(runs=tuple(runs))


def weight_bytes(trace: Trace) -> int:
    """Bytes that a trace's patterns take in memory; those in a file take none."""
    if isinstance(trace.patterns, FilePatterns):
        return 0
    shapes = filter(None, (trace.patterns.shape(kind) for kind in trace.kinds))
    return sum(_WEIGHT_BYTES * math.prod(shape) for shape in shapes)


def run_bytes(run: Run) -> int:
    """Bytes that a run takes in memory: its patterns, and all that its search considered."""
    return weight_bytes(run.trace) + _CONSIDERED_BYTES * len(run.search)


def differs(before: Document, after: Document) -> bool:
    """Whether more is different than what the panes show of their runs."""
    return (
        tuple(map(id, before.runs)) != tuple(map(id, after.runs))
        or len(before.panes) != len(after.panes)
        or before.view != after.view
        or before.bookmarks != after.bookmarks
        or before.pinned != after.pinned
    )


def showing(document: Document, index: int, run_id: str, before: Document | None = None) -> Document:
    """The document with another run in a pane, looked at in the same way as far as it goes.

    Args:
        before: a document that has the run the pane shows, if this one has it no longer.
    """
    run = document.run(run_id)
    if run is None or not 0 <= index < len(document.panes):
        return document
    pane = document.panes[index]
    return _with_pane(document, index, Pane(run_id, _carried(before or document, pane, run)))


def selecting(document: Document, index: int, **changes: Any) -> Document:
    """The document with fields of a pane's `Selection` changed."""
    if not 0 <= index < len(document.panes):
        return document
    pane = document.panes[index]
    run = document.run(pane.run_id)
    assert run is not None
    before = pane.selection
    # The cell of one kind is no cell of another: their axes are different tokens.
    if changes.get("kind", before.kind) != before.kind:
        changes = {"query": None, "key": None, **changes}
    elif "step" in changes and "query" not in changes and _is_at_step(before):
        changes["query"] = min(max(0, changes["step"]), run.trace.steps - 1)
    # What was compared at one step is no choice of another.
    if changes.get("step", before.step) != before.step:
        changes = {"word": "", "rival": "", **changes}
    # Another head alone, unless it is said what is drawn beside it.
    if "head" in changes and changes["head"] != before.head:
        changes = {"more_heads": (), **changes}
    return _with_pane(document, index, Pane(pane.run_id, before.but(**changes).within(run.trace)))


def _is_at_step(selection: Selection) -> bool:
    """Whether the crosshair is on the current step's row, and goes on with it."""
    return selection.kind is not AttentionKind.ENCODER_SELF and selection.query == selection.step


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


def differences(before: Document, after: Document) -> Iterable[tuple[str, tuple[Any, ...]]]:
    """The signals of `Session` that say what is different, in their order, with their arguments.

    Of another document, whose runs are others whatever their ids, only those in view are told one by one.
    """
    older = {run.id: run for run in before.runs}
    grown = [run.id for run in after.runs if older.get(run.id, run) is not run]
    another = before.origin != after.origin
    if [*older] != [run.id for run in after.runs] or (another and grown):
        yield "runs_changed", ()
    shown = {pane.run_id for pane in after.panes}
    for run_id in grown:
        if not another or run_id in shown:
            yield "run_grew", (run_id,)
    if (len(before.panes), before.active) != (len(after.panes), after.active):
        yield "panes_changed", ()
    for index, pane in enumerate(after.panes):
        older_panes = before.panes[index : index + 1]
        if older_panes != (pane,):
            yield "pane_changed", (index,)
            if not older_panes or not _only_turned(older_panes[0], pane):
                yield "pane_moved", (index,)
    for name in ("view", "pinned", "bookmarks"):
        if getattr(before, name) != getattr(after, name):
            yield f"{name}_changed", ()


def _only_turned(before: Pane, after: Pane) -> bool:
    """Whether nothing but layer, heads and cell are others: what a person changes most often."""
    was, now = before.selection, after.selection
    turned = was.but(layer=now.layer, head=now.head, more_heads=now.more_heads, query=now.query, key=now.key)
    return before.run_id == after.run_id and turned == now


def sound(document: Document) -> Document:
    """The nearest document whose panes show what its runs have, and whose runs come from each other."""
    runs = tuple(_sound_run(document, run) for run in document.runs)
    document = _only_known(document.but(runs=runs))
    if not runs:
        return document.but(panes=(), active=0)
    panes = tuple(_sound_panes(document)) or (Pane(runs[-1].id, Selection.opening(None, runs[-1].trace)),)
    active = min(max(0, document.active), len(panes) - 1)
    return document.but(panes=panes, active=active)


def _sound_run(document: Document, run: Run) -> Run:
    parent = document.run(run.parent or "")
    if parent is None:
        unbound = run.parent is None and run.branch_step is None and run.held is None
        return run if unbound else run.but(parent=None, branch_step=None, held=None)
    if run.held is not None and len(run.held) != parent.trace.steps:
        return run.but(held=None)
    return run


def _only_known(document: Document) -> Document:
    """The document without the bookmarks and the pin of runs that it does not have.

    A bookmark of another page than Look, where the run is not all there is to see, stays without it.
    """
    ids = {"", *(run.id for run in document.runs)}
    marks = tuple(
        mark if mark.run_id in ids else replace(mark, pane=None)
        for mark in document.bookmarks
        if mark.run_id in ids or mark.scene.page != LOOK
    )
    return document.but(bookmarks=marks, pinned=document.pinned if document.pinned in ids else "")


def _without_parent(document: Document, gone: Run) -> Iterable[Run]:
    """The runs, those that came from `gone` now coming from its parent: they left it where tokens differ."""
    parent = document.run(gone.parent or "")
    for run in document.runs:
        if run.parent != gone.id:
            yield run
        elif parent is None or run.branch_step is None:
            yield run.but(parent=gone.parent, branch_step=None, held=None)
        else:
            yield run.but(parent=parent.id, branch_step=_shared(run.trace, parent.trace), held=None)


def _shared(one: Trace, other: Trace) -> int:
    """How many tokens two translations begin with alike."""
    length = min(one.steps, other.steps)
    differ = np.flatnonzero(one.tgt_out_ids[:length] != other.tgt_out_ids[:length])
    return int(differ[0]) if len(differ) else length


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
