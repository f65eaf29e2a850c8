"""Figures from a trace: what the map and the page of heads show for a selection and the view's options."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from model.trace import AttentionKind, Trace
from viewer.state.damage_text import known_damage
from viewer.state.document import ViewOptions
from viewer.state.exploring import Importance
from viewer.state.figure import FigureSpec, HeadsSpec, MapSpec
from viewer.state.figure_axes import axes_of
from viewer.state.figure_text import (
    column_title,
    family_name,
    heads_title,
    hidden_badge,
    importance_badge,
    provenance_caption,
    row_title,
    title_line,
    trace_badges,
    trace_facts,
)
from viewer.state.importance_text import importance_levels
from viewer.state.map_parts import MapParts, hidden_share, map_badges, map_parts, step_rows
from viewer.state.numbers import SCORES, Known, about, layer_and_head, of_one_head, shown_numbers
from viewer.state.numbers_text import numbers_facts, numbers_place, numbers_title, pieces_badge
from viewer.state.selection import Numbers, Selection

Provenance = Mapping[str, Any]


def map_figure(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    *,
    provenance: Provenance | None = None,
    known: Known | None = None,
) -> FigureSpec:
    """The numbers that a selection asks for; where they do not exist, the weights, which a badge says.

    Args:
        provenance: facts about where the trace came from, added to the figure's own.
        known: answers beyond the trace, which some numbers need.

    Raises:
        Missing: an answer is needed that is not known.
        KeyError, IndexError: the trace has no such family, layer or head (see `Selection.within`).
        HeadscopeError: `trace_values`: the trace file's numbers are no attention weights.
    """
    kind, layer = selection.kind, selection.layer
    numbers = shown_numbers(trace, selection)
    head = selection.head if of_one_head(selection, numbers) else None
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    parts = map_parts(trace, selection, view, numbers, axes, known)
    step_row, later_from = step_rows(trace, kind, selection.step, parts.rows)
    said = about(numbers, one_head=head is not None)
    plain = numbers is Numbers.WEIGHTS and head is not None
    spec = MapSpec(
        kind=kind,
        layer=layer,
        head=head,
        matrix=parts.matrix,
        rows=len(parts.rows),
        masked=parts.masked,
        row_labels=parts.rows,
        column_labels=parts.columns,
        row_title=row_title(kind, trace),
        column_title=column_title(kind, trace),
        title=numbers_title(trace, selection, numbers),
        family=family_name(kind, trace),
        place=numbers_place(trace, selection, numbers),
        badges=tuple(map_badges(trace, selection, view, parts)),
        step_row=step_row,
        later_from=later_from,
        sqrt_scale=view.sqrt_scale and numbers not in SCORES,
        levels=parts.levels,
        crosshair=_crosshair(parts, selection),
        numbers=numbers,
        quantity=said.quantity or ("" if trace.numbers == "pattern" else trace.numbers),
        words=parts.words,
        notes=() if plain else said.sentences,
    )
    layer_name, head_name = layer_and_head(layer, head, numbers)
    facts = {"view": "heatmap", "kind": str(kind), "layer": layer_name, "head": head_name}
    if parts.words:
        facts["whole_words"] = True
    if not plain:
        facts |= numbers_facts(spec, said)
    return _figure(spec, trace, facts, selection.step, parts.share, provenance or {})


def heads_figure(
    trace: Trace,
    kind: AttentionKind,
    step: int,
    view: ViewOptions,
    *,
    provenance: Provenance | None = None,
    importance: Importance | None = None,
) -> FigureSpec:
    """All heads of a family on one scale, in pieces; arguments and errors as in `map_figure`.

    The weights are read when the picture is drawn (except to state how much of them is hidden): what a badge
    says of damaged heads is what is known by then (see `viewer.state.damage_text.all_damage`).

    Args:
        importance: what the heads are worth to this translation; drawn instead of their weights if
            `view.importance` says so, on one scale for all families.
    """
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    step_row, later_from = step_rows(trace, kind, step, axes.rows)
    worth = importance.change.get(kind) if importance is not None and view.importance else None
    if worth is not None and worth.shape != (axes.grid.layers, axes.grid.heads):
        worth = None
    badges = known_damage(trace, (kind,)) if worth is None else []
    badges += trace_badges(trace, sqrt_scale=view.sqrt_scale and worth is None)
    share = None
    if worth is not None:
        badges.append(importance_badge())
    elif not axes.grid.complete:
        share = hidden_share(axes.grid.all_row_sums, later_from)
        badges.append(hidden_badge(share))
    if view.whole_words and worth is None:
        badges.append(pieces_badge())
    spec = HeadsSpec(
        kind=kind,
        grid=axes.grid,
        rows=len(axes.rows),
        columns=len(axes.columns),
        title=heads_title(kind, axes.grid.layers, axes.grid.heads),
        family=family_name(kind, trace),
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


def _crosshair(parts: MapParts, selection: Selection) -> tuple[int, int] | None:
    query, key = selection.query, selection.key
    if query is None or key is None:
        return None
    row = next((r for r, label in enumerate(parts.rows) if label.holds(query)), None)
    column = next((c for c, label in enumerate(parts.columns) if label.holds(key)), None)
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
    facts = (
        trace_facts(trace)
        | facts
        | {
            "step": step,
            "scale": "sqrt" if spec.sqrt_scale else "linear",
            "hidden_share": share,
            "badges": list(spec.badges),
            "provenance": dict(provenance),
        }
    )
    notes = spec.notes if isinstance(spec, MapSpec) else ()
    caption = provenance_caption(trace, title_line(spec.title, spec.family), spec.badges, provenance, notes)
    return FigureSpec(spec, caption, facts)
