"""Building a map: what it shows for a selection and the view's options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeVar

from model.trace.trace import Trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.document.text.place_text import kind_name
from viewer.figures.figure import Body, FigureSpec
from viewer.figures.known import Known
from viewer.figures.map.axes import axes_of
from viewer.figures.map.numbers import SCORES, about, layer_and_head, of_one_head, shown_numbers
from viewer.figures.map.numbers_text import numbers_facts, numbers_place, numbers_title
from viewer.figures.map.parts import MapParts, map_badges, map_parts, step_rows
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import (
    column_title,
    provenance_caption,
    row_title,
    title_line,
    trace_facts,
)

Provenance = Mapping[str, Any]


class Traced(Body, Protocol):
    """A picture of a trace's weights."""

    @property
    def kind_name(self) -> str:
        """Such as "cross-attention"."""

    @property
    def sqrt_scale(self) -> bool:
        """Whether colours are by the square root."""


T = TypeVar("T", bound=Traced)


def map_figure(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    *,
    provenance: Provenance | None = None,
    known: Known | None = None,
    lazy: bool = False,
) -> FigureSpec[MapSpec]:
    """The numbers that a selection asks for; where they do not exist, the weights, which a badge says.

    Args:
        provenance: facts about where the trace came from, added to the figure's own.
        known: answers beyond the trace, which some numbers need.
        lazy: do not wait for a long map to be read.

    Raises:
        Missing: an answer is needed that is not known.
        NotRead: only where `lazy`: the map is long, and not read yet.
        KeyError, IndexError: the trace has no such kind, layer or head (see `Selection.within`).
        HeadscopeError: `trace_values`: the trace file's numbers are no attention weights.
    """
    kind, layer = selection.kind, selection.layer
    numbers = shown_numbers(trace, selection)
    head = selection.head if of_one_head(selection, numbers) else None
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    parts = map_parts(trace, selection, view, numbers, axes, known, lazy=lazy)
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
        kind_name=kind_name(kind, trace),
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
    return traced_figure(spec, trace, facts, selection.step, parts.share, provenance or {}, spec.notes)


def _crosshair(parts: MapParts, selection: Selection) -> tuple[int, int] | None:
    query, key = selection.query, selection.key
    if query is None or key is None:
        return None
    row = next((r for r, label in enumerate(parts.rows) if label.holds(query)), None)
    column = next((c for c, label in enumerate(parts.columns) if label.holds(key)), None)
    return None if row is None or column is None else (row, column)


def traced_figure(
    spec: T,
    trace: Trace,
    facts: dict[str, Any],
    step: int,
    share: float | None,
    provenance: Provenance,
    notes: Sequence[str] = (),
) -> FigureSpec[T]:
    """The picture of a trace with its caption and facts."""
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
    caption = provenance_caption(
        trace, title_line(spec.title, spec.kind_name), spec.badges, provenance, notes
    )
    return FigureSpec(spec, caption, facts)
