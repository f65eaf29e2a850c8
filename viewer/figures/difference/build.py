"""Difference built: B − A of one map of two decodings, aligned by token."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from model.tokens.pairing import Pairing
from model.tokens.words import is_edge
from model.trace.trace import AttentionKind, Trace
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.canvas.matrix import Mask, Matrix
from viewer.figures.difference.alignment import alignment
from viewer.figures.difference.scale import levels_of
from viewer.figures.difference.spec import DifferenceSpec
from viewer.figures.difference.text import (
    aligned_badges,
    both_label,
    difference_badge,
    difference_caption,
    hidden_shares_badge,
    only_label,
    own_badges,
    place_badge,
)
from viewer.figures.figure import FigureSpec
from viewer.figures.map.build import Provenance, map_figure
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import trace_facts

Indices = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Compared:
    """One of the two runs.

    Attributes:
        spec: its own map, nothing hidden, values unscaled.
        selection: its layer and head.
        rows, columns: its query and key at each place of the picture, -1 where it has none.
    """

    trace: Trace
    spec: MapSpec
    selection: Selection
    rows: Indices = field(default_factory=lambda: np.zeros(0, np.int64))
    columns: Indices = field(default_factory=lambda: np.zeros(0, np.int64))

    def has(self) -> Mask:
        """Where it has a cell, [row, column] of the picture."""
        there: Mask = (self.rows >= 0)[:, None] & (self.columns >= 0)[None, :]
        return there

    def weights(self) -> Matrix:
        """Its weights in the picture's places, NaN where it has none."""
        return _placed(np.asarray(self.spec.matrix), self.rows, self.columns, np.float32(np.nan))

    def masked(self) -> Mask:
        """Where it may not attend; False where it has no cell."""
        if self.spec.masked is None:
            return np.zeros((len(self.rows), len(self.columns)), np.bool_)
        mask: Mask = _placed(np.asarray(self.spec.masked), self.rows, self.columns, np.False_)
        return mask


def comparable(first: Trace, second: Trace, kind: AttentionKind) -> bool:
    """Whether both have the kind, with something in it."""
    shapes = [trace.patterns.shape(kind) for trace in (first, second)]
    return all(shape is not None and min(shape) > 0 for shape in shapes)


def difference_figure(
    first: Trace,
    second: Trace,
    selection: Selection,
    view: ViewOptions,
    *,
    provenances: tuple[Provenance | None, Provenance | None] = (None, None),
) -> FigureSpec[DifferenceSpec]:
    """B − A, A `first` and B `second`; whole decodings, whatever step is in view.

    Args:
        selection: of B; A shows the same layer and head, or the nearest it has, which a badge then says.
            A step of -1 marks no row.
        view: the square root, too, is taken of a difference: of its size, its sign kept.
        provenances: of A and of B, as in `map_figure`.

    Raises:
        KeyError, IndexError: B has no such kind, layer or head, or A lacks the kind (see `comparable`).
        HeadscopeError: as `map_figure`.
    """
    kind = selection.kind
    paired = alignment(first, second)
    a, b = _compared(first, selection.within(first), view), _compared(second, selection, view)
    rows = _kept(paired.queries(kind), a.spec.row_labels, b.spec.row_labels, hide=view.hide_specials)
    columns = _kept(paired.keys(kind), a.spec.column_labels, b.spec.column_labels, hide=view.hide_specials)
    a, b = (
        replace(each, rows=_indices(rows, side), columns=_indices(columns, side))
        for side, each in enumerate((a, b))
    )
    spec = _spec(a, b, rows, columns, selection, view)
    hidden = hidden_shares(a, b, view)
    spec = replace(spec, badges=tuple(_badges(a, b, spec, hidden)))
    facts = _facts(a, b, spec, hidden, provenances)
    return FigureSpec(spec, difference_caption(spec, (first, second), provenances), facts)


def _compared(trace: Trace, selection: Selection, view: ViewOptions) -> Compared:
    whole = selection.but(step=trace.steps - 1, query=None, key=None, numbers=Numbers.WEIGHTS)
    spec = map_figure(trace, whole, ViewOptions(raw_pieces=view.raw_pieces)).body
    return Compared(trace, spec, whole)


def _spec(
    a: Compared, b: Compared, rows: Pairing, columns: Pairing, selection: Selection, view: ViewOptions
) -> DifferenceSpec:
    weights = a.weights(), b.weights()
    absent: Mask = ~(a.has() & b.has())
    difference = np.where(absent, np.float32(0), weights[1] - weights[0])
    masked: Mask = a.masked() & b.masked() & ~absent & (difference == 0)
    crosshair = (
        rows.place_of(1, selection.query),
        columns.place_of(1, selection.key),
    )
    elsewhere = (a.selection.layer, a.selection.head) != (selection.layer, selection.head)
    return DifferenceSpec(
        kind=selection.kind,
        layer=selection.layer,
        head=selection.head,
        matrix=difference,
        rows=len(rows.pairs),
        masked=masked if masked.any() else None,
        absent=absent,
        row_labels=_labels(rows, a.spec.row_labels, b.spec.row_labels),
        column_labels=_labels(columns, a.spec.column_labels, b.spec.column_labels),
        row_title=b.spec.row_title,
        column_title=b.spec.column_title,
        title=b.spec.title,
        kind_name=b.spec.kind_name,
        place=b.spec.place,
        step_row=rows.place_of(1, selection.step)
        if selection.kind is not AttentionKind.ENCODER_SELF
        else None,
        sqrt_scale=view.sqrt_scale,
        levels=levels_of(a.trace, b.trace, selection.kind, difference),
        crosshair=None if None in crosshair else crosshair,  # type: ignore[arg-type]
        rows_of=rows,
        columns_of=columns,
        first=weights[0],
        second=weights[1],
        first_place=(a.selection.layer, a.selection.head) if elsewhere else None,
    )


def _kept(
    pairing: Pairing, first: tuple[AxisLabel, ...], second: tuple[AxisLabel, ...], *, hide: bool
) -> Pairing:
    """The pairs to show: those with a token that is shown in one of the runs."""
    if not hide:
        return pairing
    kept = tuple(
        (i, j)
        for i, j in pairing.pairs
        if (i is not None and _is_kept(first[i])) or (j is not None and _is_kept(second[j]))
    )
    return replace(pairing, pairs=kept)


def _is_kept(label: AxisLabel) -> bool:
    return not is_edge((label.predicted or label.token).raw)


def _labels(
    pairing: Pairing, first: tuple[AxisLabel, ...], second: tuple[AxisLabel, ...]
) -> tuple[AxisLabel, ...]:
    labels = []
    for place, (i, j) in enumerate(pairing.pairs):
        if i is not None and j is not None:
            label = both_label(first[i], second[j], replaced=pairing.is_replaced((i, j)))
        elif i is not None:
            label = only_label(first[i], 0)
        else:
            assert j is not None
            label = only_label(second[j], 1)
        labels.append(replace(label, index=place))
    return tuple(labels)


def _badges(a: Compared, b: Compared, spec: DifferenceSpec, hidden: tuple[float, float] | None) -> list[str]:
    badges = [difference_badge(), *own_badges(a.spec.badges, b.spec.badges)]
    if spec.first_place is not None:
        badges.append(place_badge(a.spec.place, b.spec.place))
    badges += aligned_badges(spec, a.trace, b.trace)
    if hidden is not None:
        badges.append(hidden_shares_badge(*hidden))
    return badges


def hidden_shares(a: Compared, b: Compared, view: ViewOptions) -> tuple[float, float] | None:
    """The share of each run's weight, in its rows shown, on columns left out; None if none is."""
    if not view.hide_specials:
        return None
    kept = [(each.rows[each.rows >= 0], each.columns[each.columns >= 0]) for each in (a, b)]
    shapes = [(len(rows), len(columns)) for rows, columns in kept]
    if shapes == [a.spec.matrix.shape, b.spec.matrix.shape]:
        return None
    shares = []
    for each, (rows, columns) in zip((a, b), kept, strict=True):
        shown = each.spec.matrix[rows]
        whole = float(shown.sum(dtype=np.float64))
        part = float(shown[:, columns].sum(dtype=np.float64))
        shares.append(max(0.0, 1.0 - part / whole) if whole > 0 else 0.0)
    return shares[0], shares[1]


def _facts(
    a: Compared,
    b: Compared,
    spec: DifferenceSpec,
    hidden: tuple[float, float] | None,
    provenances: tuple[Provenance | None, Provenance | None],
) -> dict[str, Any]:
    """What the caption says, as data that counts from 0."""
    facts: dict[str, Any] = {
        "view": "difference",
        "kind": str(spec.kind),
        "numbers": "difference: b - a",
        "scale": "sqrt" if spec.sqrt_scale else "linear",
        "aligned_by": "id" if alignment(a.trace, b.trace).by_id else "text",
        "rows": [list(pair) for pair in spec.rows_of.pairs],
        "columns": [list(pair) for pair in spec.columns_of.pairs],
        "rows_replaced": [spec.rows_of.is_replaced(pair) for pair in spec.rows_of.pairs],
        "columns_replaced": [spec.columns_of.is_replaced(pair) for pair in spec.columns_of.pairs],
        "badges": list(spec.badges),
    }
    for name, each, share, provenance in zip("ab", (a, b), hidden or (None, None), provenances, strict=True):
        head = each.selection.head
        facts[name] = trace_facts(each.trace) | {
            "layer": each.selection.layer,
            "head": "mean" if head is None else head,
            "hidden_share": share,
            "provenance": dict(provenance or {}),
        }
    return facts


def _indices(pairing: Pairing, side: int) -> Indices:
    return np.array([-1 if pair[side] is None else pair[side] for pair in pairing.pairs], np.int64)


def _placed(
    values: npt.NDArray[Any], rows: Indices, columns: Indices, missing: np.generic
) -> npt.NDArray[Any]:
    """`values` on the picture's places, `missing` where there is no row or no column (index -1)."""
    there = (rows >= 0)[:, None] & (columns >= 0)[None, :]
    taken: npt.NDArray[Any] = np.where(there, values[np.ix_(rows, columns)], missing)
    return taken
