"""Linking of a pane's views: which tokens the pointer is on, and how a token is chosen."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from model.trace.trace import AttentionKind
from viewer.document.history import Change
from viewer.document.hover import Hovered
from viewer.document.session import Session
from viewer.figures.map.spec import MapSpec

Lit = tuple[int | None, int | None]
DARK: Lit = (None, None)


def lit(session: Session, pane: int, spec: MapSpec) -> Lit:
    """Row and column of a pane's map that the pointer is on, in whatever view of the same run."""
    at, shown = session.hover.at, session.pane(pane)
    if at is None or shown is None or at.run != shown.run_id:
        return DARK
    query, key = at.of_kind(spec.kind)
    return (
        None if query is None else spec.row_of(query),
        None if key is None else spec.column_of(key),
    )


def lit_head(session: Session, pane: int, kind: AttentionKind, layer: int) -> int | None:
    """The head of a pane's layer that the pointer is on; None if it is on none."""
    at, shown = session.hover.at, session.pane(pane)
    return None if at is None or shown is None or at.run != shown.run_id else at.head_in(kind, layer)


def point_at(
    session: Session, pane: int, spec: MapSpec, row: int | None, column: int | None, head: int | None = None
) -> None:
    """Tell all views that the pointer is on a row, a column or a cell of a map; both None: on nothing."""
    shown = session.pane(pane)
    if shown is None or (row is None and column is None):
        session.hover.set(None)
        return
    query = None if row is None else _query(spec, row)
    key = None if column is None else spec.column_labels[column].index
    layer = None if head is None else spec.layer
    session.hover.set(Hovered(shown.run_id, spec.kind, query, key, layer, head))


def choose(session: Session, pane: int, spec: MapSpec, row: int, column: int) -> None:
    """Put the crosshair on a cell of a pane's map, and go to its step."""
    if not (0 <= row < len(spec.row_labels) and 0 <= column < spec.columns):
        return
    query, key = _query(spec, row), spec.column_labels[column].index
    if spec.kind is AttentionKind.ENCODER_SELF:
        session.select(pane, query=query, key=key)
    else:
        session.select(pane, step=query, query=query, key=key)


def _query(spec: MapSpec, row: int) -> int:
    """The query that a row stands for; of a decoder's word the last: an earlier step would part the word."""
    label = spec.row_labels[row]
    return label.index if spec.kind is AttentionKind.ENCODER_SELF else label.last


def adjust_view(session: Session, batch: str, **options: Any) -> None:
    """Change view options; changes of one batch that follow each other are undone together."""
    view = replace(session.view, **options)
    change = Change.VIEW if session.document.runs else None
    session.edit(session.document.but(view=view), change, batch)
