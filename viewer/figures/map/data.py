"""Data of a map: its own numbers, or the weights of a trace that it shows."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.document.selection import Numbers
from viewer.figures.asking import check_map
from viewer.figures.kind import Writing
from viewer.figures.map.build import map_figure
from viewer.figures.map.damage import all_damage, damage_badges
from viewer.figures.map.table import write_map_csv
from viewer.figures.map.weights_table import Table, write_tables
from viewer.figures.request import ExportRequest, Source
from viewer.figures.text import trace_badges

Heads = tuple[tuple[int, int | None], ...]


def write_csv(writing: Writing) -> None:
    """The cells of a map whose numbers are not simply those of the trace, else the trace's weights."""
    request = writing.request
    if request.selection.numbers is not Numbers.WEIGHTS or request.options.whole_words:
        spec = writing.build(request).body
        write_map_csv(spec, writing.path)
        return
    check_map(writing.source, request)
    selection = request.selection
    table = weights_table(
        writing.source, request, selection.kind, ((selection.layer, selection.head),), every=False
    )
    write_tables(writing.source.need_trace(), [table], writing.path)


def weights_table(
    source: Source, request: ExportRequest, kind: AttentionKind, heads: Heads, *, every: bool
) -> Table:
    """The weights of a kind that a figure shows.

    Args:
        every: every head of the kind is shown.
    """
    trace, selection = source.need_trace(), request.selection.but(kind=kind, numbers=Numbers.WEIGHTS)
    options = replace(request.options, whole_words=False)
    # The rows and columns of any one map: those of all maps of the kind are the same.
    step = trace.steps - 1 if request.step is None else request.step
    layer, head = heads[0]
    spec = map_figure(trace, selection.but(layer=layer, head=head, step=step), options).body
    notes = all_damage(trace, (kind,)) if every else damage_badges(trace, selection, Numbers.WEIGHTS)
    notes += trace_badges(trace, sqrt_scale=False)
    if spec.rows < len(trace.query_tokens(kind)) or spec.columns < len(trace.key_tokens(kind)):
        notes.append(
            QCoreApplication.translate("Export", "special tokens are left out, nothing is renormalised")
        )
    # Before its first step a decoding shows a row and a column that it does not have yet.
    queries, keys = len(trace.query_tokens(kind)), len(trace.key_tokens(kind))
    return Table(
        kind=kind,
        heads=heads,
        queries=[label.index for label in spec.row_labels[: spec.shown_rows] if label.index < queries],
        keys=[label.index for label in spec.column_labels if label.index < keys],
        notes="; ".join(notes),
    )
