"""MapParts: numbers of a map, the tokens along its axes, what its badges own up to."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, replace

import numpy as np

from model.trace.trace import AttentionKind, Trace
from viewer.document.alterations.alteration_text import output_badge, output_factors, set_rows
from viewer.document.document import ViewOptions
from viewer.document.selection import AnyNumbers, Numbers, Selection
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.known import Known, NotRead
from viewer.figures.map.axes import Axes
from viewer.figures.map.damage import damage_badges
from viewer.figures.map.head_grid import Sums
from viewer.figures.map.long_map import AnyMask, AnyMatrix, LongArray, long_arrays, need_scan
from viewer.figures.map.numbers import MULTIPLIED, OVER_LAYERS, SCORES, in_pieces, of_one_head, why_not
from viewer.figures.map.numbers_maps import cells_of, levels_of
from viewer.figures.map.numbers_text import (
    changed_output_badge,
    copies_badge,
    hidden_sum_badge,
    instead_badge,
    no_words_badge,
    numbers_badge,
    placed_badge,
    scale_badge,
    undivided_badge,
    words_badge,
)
from viewer.figures.map.whole_words import are_known, find_words, words_of
from viewer.figures.text import hidden_badge, mean_badge, rows_badge, trace_badges


@dataclass(frozen=True, eq=False)
class MapParts:
    """The cells of a map with their labels, as `MapSpec` has them.

    Attributes:
        share: of the rows' sums that lies on columns left out; None where nothing is left out, or sums say
            nothing.
        complete: whether no token is left out.
        altered: what must be said of changes of the model that touch this map.
        placed: whether what positions add by distance is in the numbers.
        copies: whether what words have that are copied from the source is not in them.
        undivided: whether they are scores that the model does not divide.
    """

    numbers: AnyNumbers
    rows: tuple[AxisLabel, ...]
    columns: tuple[AxisLabel, ...]
    matrix: AnyMatrix
    masked: AnyMask | None
    levels: tuple[float, float]
    share: float | None
    complete: bool
    words: bool
    altered: tuple[str, ...]
    placed: bool = False
    copies: bool = False
    undivided: bool = False


def map_parts(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    numbers: AnyNumbers,
    axes: Axes,
    known: Known | None,
    *,
    lazy: bool = False,
) -> MapParts:
    """Work the parts out; arguments and errors as in `map_figure`."""
    kind, step = selection.kind, selection.step
    cells = cells_of(trace, selection, numbers, axes.grid, known, lazy=lazy)
    rows, altered = _altered_rows(trace, axes.rows, selection, numbers)
    columns, matrix, masked = axes.columns, cells.matrix, cells.masked
    share = None
    if cells.sums is not None:
        share = hidden_share(cells.sums, step_rows(trace, kind, step, rows)[1])
    merging = view.whole_words and not in_pieces(numbers)
    if merging:
        of_words = (trace, kind, step, rows, columns)
        long_axes = isinstance(matrix, LongArray) and rows is axes.rows  # which stay the same
        if lazy and long_axes and not are_known(*of_words):
            what = ("words", id(trace), kind, step, id(rows), id(columns))
            raise NotRead(what, lambda: find_words(*of_words, raw=view.raw_pieces))
        words = words_of(*of_words, raw=view.raw_pieces)
        rows, columns = words.rows, words.columns
        if isinstance(matrix, LongArray):
            long = words.merge_long(matrix.of)
            need_scan(long, lazy=lazy)
            matrix, masked = long_arrays(long)
        else:
            matrix, masked = (
                words.merge(matrix),
                words.merge_mask(None if masked is None else np.asarray(masked)),
            )
    return MapParts(
        numbers,
        rows,
        columns,
        matrix,
        masked,
        levels_of(numbers, matrix, axes.grid, cells.largest),
        share,
        axes.grid.complete,
        merging,
        tuple(altered),
        cells.placed,
        cells.copies,
        cells.undivided,
    )


def map_badges(trace: Trace, selection: Selection, view: ViewOptions, parts: MapParts) -> list[str]:
    """What was averaged, scaled, hidden, merged or altered, and what the numbers are."""
    numbers = parts.numbers
    badges = damage_badges(trace, selection, numbers)
    if numbers is not selection.numbers:
        badges.append(instead_badge(selection.numbers, why_not(trace, selection, selection.numbers)))
    if numbers is not Numbers.WEIGHTS:
        badges += [numbers_badge(trace, selection, numbers), scale_badge(parts.levels)]
        badges += [placed_badge()] if parts.placed else []
        badges += [copies_badge()] if parts.copies else []
        badges += [undivided_badge()] if parts.undivided else []
    elif selection.head is None:
        badges.append(mean_badge(trace.heads(selection.kind)))
    badges += trace_badges(trace, sqrt_scale=view.sqrt_scale and numbers not in SCORES)
    badges += parts.altered
    if parts.words:
        badges.append(words_badge())
    elif view.whole_words:
        badges.append(no_words_badge(numbers))
    if not parts.complete and numbers is Numbers.WEIGHTS and trace.numbers == "pattern":
        badges.append(hidden_badge(parts.share or 0.0))
    elif not parts.complete:
        badges.append(hidden_sum_badge(parts.share))
    return [badge for badge in badges if badge]


def hidden_share(sums: tuple[Sums, Sums], later_from: int | None) -> float:
    """The share, 0 to 1, of the weight in the rows shown that lies on columns left out."""
    full, kept = (float(values[:later_from].sum()) for values in sums)
    return max(0.0, 1.0 - kept / full) if full > 0 else 0.0


def step_rows(
    trace: Trace, kind: AttentionKind, step: int, rows: tuple[AxisLabel, ...]
) -> tuple[int | None, int | None]:
    """The current step's row and the first row after it."""
    if kind is AttentionKind.ENCODER_SELF:
        return None, None
    later = bisect_right(rows, step, key=lambda label: label.index)
    row = later - 1 if later and rows[later - 1].holds(step) else None
    if trace.steps == 0:
        return None, 0
    if not trace.is_causal:
        return row, None
    return row, later


def _altered_rows(
    trace: Trace, rows: tuple[AxisLabel, ...], selection: Selection, numbers: AnyNumbers
) -> tuple[tuple[AxisLabel, ...], list[str]]:
    """The rows, those set by hand marked, and what else was altered of just this map."""
    if numbers in SCORES:
        return rows, []  # rows are set, and outputs multiplied, after these
    kind, layer = selection.kind, selection.layer
    head = selection.head if of_one_head(selection, numbers) else None
    layers = [layer]
    if numbers in (*OVER_LAYERS, *MULTIPLIED):
        layers = list(range(layer + 1 if numbers in MULTIPLIED else trace.layers(kind)))
    if numbers is Numbers.WEIGHTS:
        output = output_badge(trace, kind, layer, head)
    else:
        factors = [output_factors(trace, kind, each) for each in layers]
        changed = any(factor != 1 for each in factors for factor in (each if head is None else [each[head]]))
        output = changed_output_badge(numbers) if changed else ""
    badges = [output] if output else []
    queries = {query for each in layers for query in set_rows(trace, kind, each, head)}
    if not queries:
        return rows, badges
    marked = tuple(replace(row, set_by_hand=True) if row.index in queries else row for row in rows)
    count = sum(row.set_by_hand for row in marked)
    return marked, [*badges, rows_badge(count)] if count else badges
