"""Figures from a trace: what the map and the page of heads show for a selection and the view's options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from model.trace import AttentionKind, Trace
from viewer.state.alteration_text import output_badge, set_rows
from viewer.state.document import ViewOptions
from viewer.state.exploring import Importance
from viewer.state.figure import AxisLabel, FigureSpec, HeadsSpec, MapSpec
from viewer.state.figure_axes import Axes, axes_of
from viewer.state.figure_text import (
    column_title,
    family_name,
    heads_title,
    hidden_badge,
    importance_badge,
    map_place,
    map_title,
    mean_badge,
    provenance_caption,
    row_title,
    rows_badge,
    title_line,
    trace_badges,
    trace_facts,
)
from viewer.state.head_grid import Sums
from viewer.state.importance_text import importance_levels
from viewer.state.selection import Selection

Provenance = Mapping[str, Any]


def map_figure(
    trace: Trace, selection: Selection, view: ViewOptions, *, provenance: Provenance | None = None
) -> FigureSpec:
    """One head, or the mean over a layer's heads.

    Args:
        provenance: facts about where the trace came from, added to the figure's own.

    Raises:
        KeyError, IndexError: the trace has no such family, layer or head (see `Selection.within`).
        HeadscopeError: `trace_values`: the trace file's numbers are no attention weights.
    """
    kind, layer, head = selection.kind, selection.layer, selection.head
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    matrix, masked = axes.grid.map(layer, head)
    step_row, later_from = _step_rows(trace, kind, selection.step, axes.rows)
    heads = trace.heads(kind)
    badges = [mean_badge(heads)] if head is None else []
    badges += trace_badges(trace, sqrt_scale=view.sqrt_scale)
    rows, head_badges = _altered_map(trace, axes.rows, selection)
    badges += head_badges
    share = None
    if not axes.grid.complete:
        share = hidden_share(axes.grid.row_sums(layer, head), later_from)
        badges.append(hidden_badge(share))
    spec = MapSpec(
        kind=kind,
        layer=layer,
        head=head,
        matrix=matrix,
        rows=len(rows),
        masked=masked,
        row_labels=rows,
        column_labels=axes.columns,
        row_title=row_title(kind),
        column_title=column_title(kind, causal=not trace.is_round),
        title=map_title(kind, layer, trace.layers(kind), head, heads),
        family=family_name(kind),
        place=map_place(kind, layer, head, heads),
        badges=tuple(badges),
        step_row=step_row,
        later_from=later_from,
        sqrt_scale=view.sqrt_scale,
        levels=axes.grid.levels,
        crosshair=_crosshair(axes, selection),
    )
    facts = {"view": "heatmap", "kind": str(kind), "layer": layer, "head": "mean" if head is None else head}
    return _figure(spec, trace, facts, selection.step, share, provenance or {})


def heads_figure(
    trace: Trace,
    kind: AttentionKind,
    step: int,
    view: ViewOptions,
    *,
    provenance: Provenance | None = None,
    importance: Importance | None = None,
) -> FigureSpec:
    """All heads of a family on one scale; arguments and errors as in `map_figure`.

    The weights are read when the picture is drawn (except to state how much of them is hidden).

    Args:
        importance: what the heads are worth to this translation; drawn instead of their weights if
            `view.importance` says so, on one scale for all families.
    """
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    step_row, later_from = _step_rows(trace, kind, step, axes.rows)
    worth = importance.change.get(kind) if importance is not None and view.importance else None
    if worth is not None and worth.shape != (axes.grid.layers, axes.grid.heads):
        worth = None
    badges = trace_badges(trace, sqrt_scale=view.sqrt_scale and worth is None)
    share = None
    if worth is not None:
        badges.append(importance_badge())
    elif not axes.grid.complete:
        share = hidden_share(axes.grid.all_row_sums, later_from)
        badges.append(hidden_badge(share))
    spec = HeadsSpec(
        kind=kind,
        grid=axes.grid,
        rows=len(axes.rows),
        columns=len(axes.columns),
        title=heads_title(kind, axes.grid.layers, axes.grid.heads),
        family=family_name(kind),
        badges=tuple(badges),
        step_row=step_row,
        later_from=later_from,
        sqrt_scale=view.sqrt_scale and worth is None,
        levels=axes.grid.levels if worth is None else importance_levels(importance),
        importance=worth,
    )
    facts: dict[str, Any] = {"view": "heads", "kind": str(kind)}
    if worth is not None and importance is not None:
        facts |= {"importance": worth.tolist(), "importance_logprob": importance.logprob}
    return _figure(spec, trace, facts, step, share, provenance or {})


def hidden_share(sums: tuple[Sums, Sums], later_from: int | None) -> float:
    """The share, 0 to 1, of the weight in the rows shown that lies on columns left out."""
    full, kept = (float(values[:later_from].sum()) for values in sums)
    return max(0.0, 1.0 - kept / full) if full > 0 else 0.0


def _altered_map(
    trace: Trace, rows: tuple[AxisLabel, ...], selection: Selection
) -> tuple[tuple[AxisLabel, ...], list[str]]:
    """The rows, those set by hand marked, and what else was altered of just this map."""
    kind, layer, head = selection.kind, selection.layer, selection.head
    output = output_badge(trace, kind, layer, head)
    badges = [output] if output else []
    queries = set_rows(trace, kind, layer, head)
    if not queries:
        return rows, badges
    marked = tuple(replace(row, set_by_hand=True) if row.index in queries else row for row in rows)
    count = sum(row.set_by_hand for row in marked)
    return marked, [*badges, rows_badge(count)] if count else badges


def _step_rows(
    trace: Trace, kind: AttentionKind, step: int, rows: tuple[AxisLabel, ...]
) -> tuple[int | None, int | None]:
    """The current step's row and the first row after it."""
    if kind is AttentionKind.ENCODER_SELF:
        return None, None
    row = next((place for place, label in enumerate(rows) if label.index == step), None)
    if trace.steps == 0:
        return None, 0
    if trace.is_round:
        return row, None
    return row, sum(label.index <= step for label in rows)


def _crosshair(axes: Axes, selection: Selection) -> tuple[int, int] | None:
    if selection.query is None or selection.key is None:
        return None
    row = next((r for r, label in enumerate(axes.rows) if label.index == selection.query), None)
    column = next((c for c, label in enumerate(axes.columns) if label.index == selection.key), None)
    return None if row is None or column is None else (row, column)


def _figure(
    spec: MapSpec | HeadsSpec,
    trace: Trace,
    facts: dict[str, Any],
    step: int,
    share: float | None,
    provenance: Provenance,
) -> FigureSpec:
    """The picture with its caption and facts."""
    facts |= trace_facts(trace) | {
        "step": step,
        "scale": "sqrt" if spec.sqrt_scale else "linear",
        "hidden_share": share,
        "badges": list(spec.badges),
        "provenance": dict(provenance),
    }
    caption = provenance_caption(trace, title_line(spec.title, spec.family), spec.badges, provenance)
    return FigureSpec(spec, caption, facts)
