"""FlowSpec: queries and keys in two columns, a line for each weight of one or several heads of a layer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.trace import AttentionKind, Trace
from viewer.state.chosen import emphasised, strongest_column, strongest_row
from viewer.state.document import ViewOptions
from viewer.state.figure import AxisLabel, CellState, FigureSpec, MapSpec
from viewer.state.figure_builder import map_figure
from viewer.state.figure_text import hidden_badge, provenance_caption, title_line
from viewer.state.flow_lines import Lines, hidden_by, lines_of, scale_end
from viewer.state.flow_text import crowd_badge, heads_of_layer_title, threshold_badge, widths_badge
from viewer.state.numbers import SCORES, Known, about
from viewer.state.numbers_text import scale_badge
from viewer.state.selection import Numbers, Selection

MOST_LINES = 3000
"""More than these would be one grey area, and slow: only those of the chosen token are drawn."""
_READ_OUT = 3


@dataclass(frozen=True, eq=False)
class FlowSpec:
    """Lines between queries (left) and keys (right).

    Attributes:
        maps: the weights of each head drawn; one where they are a mean or another aggregate of heads. All
            have the same tokens.
        threshold: lines of less weight are left out, as a share of the scale's end.
        hidden_share: the share, 0 to 1, of the weight shown that lies on lines left out; None if none can.
        chosen: the row or the column whose lines are emphasised, the other None; both None: all alike.
        only_chosen: there are too many lines, only those of the chosen token are drawn.
        sqrt_scale: width and opacity by the square root of the weight.
    """

    maps: tuple[MapSpec, ...]
    threshold: float
    hidden_share: float | None
    title: str
    family: str
    row_title: str
    column_title: str
    badges: tuple[str, ...] = ()
    chosen: tuple[int | None, int | None] = (None, None)
    only_chosen: bool = False
    sqrt_scale: bool = False

    @property
    def first(self) -> MapSpec:
        """The map that says what all of them have in common."""
        return self.maps[0]

    @property
    def kind(self) -> AttentionKind:
        """The family."""
        return self.first.kind

    @property
    def layer(self) -> int:
        """The layer, from 0."""
        return self.first.layer

    @property
    def heads(self) -> tuple[int | None, ...]:
        """The heads drawn; None for a mean or another aggregate."""
        return tuple(spec.head for spec in self.maps)

    @property
    def row_labels(self) -> tuple[AxisLabel, ...]:
        """Queries from top to bottom."""
        return self.first.row_labels

    @property
    def column_labels(self) -> tuple[AxisLabel, ...]:
        """Keys from top to bottom."""
        return self.first.column_labels

    @property
    def rows(self) -> int:
        """Number of queries, later steps included."""
        return self.first.rows

    @property
    def columns(self) -> int:
        """Number of keys."""
        return self.first.columns

    @property
    def high(self) -> float:
        """The number of the widest line; 1 for weights."""
        return scale_end(self.maps)

    @property
    def signed(self) -> bool:
        """Whether some numbers may be below 0: drawn dashed."""
        return self.first.levels[0] < 0

    @cached_property
    def lines(self) -> Lines:
        """All lines that reach the threshold, whether or not there are too many to draw."""
        return lines_of(self.maps, self.threshold)

    def of_tokens(self, row: int | None, column: int | None) -> Lines:
        """The lines of a query, of a key, or (both given) between the two."""
        lines = self.lines
        mask = np.ones(len(lines), np.bool_)
        if row is not None:
            mask &= lines.row == row
        if column is not None:
            mask &= lines.column == column
        return lines.where(mask)

    def drawn(self) -> Lines:
        """The lines that a picture shows."""
        if not self.only_chosen:
            return self.lines
        row, column = self.chosen
        if row is None and column is None:
            return self.lines.where(np.zeros(len(self.lines), np.bool_))
        return self.of_tokens(row, column)

    def sentence_at(self, row: int, column: int, place: int | None = None) -> str:
        """The map's sentence of a cell: of one of the maps, or of the one with the largest number there."""
        return self.map_of(row, column, place).sentence_at(row, column)

    def map_of(self, row: int, column: int, place: int | None = None) -> MapSpec:
        """One of the maps: the one at `place`, or that with the largest number in a cell."""
        return self.maps[self._strongest_map(row, column) if place is None else place]

    def sentence_of(self, row: int | None, column: int | None) -> str:
        """The map's sentence of a token's strongest line; empty where it has no number."""
        found = self.sentences_of(row, column)
        return found[0] if found else ""

    def sentences_of(self, row: int | None, column: int | None) -> list[str]:
        """The map's sentences of a token's strongest cells, whether or not they reach the threshold."""
        if row is not None and column is not None:
            return [self.sentence_at(row, column)]
        cells = []
        for place, spec in enumerate(self.maps):
            for r, c in _cells_of(spec, row, column):
                if spec.state_at(r, c) is CellState.SHOWN:
                    cells.append((abs(float(spec.matrix[r, c])), place, r, c))
        cells.sort(key=lambda cell: (-cell[0], *cell[1:]))
        if cells:
            return [self.sentence_at(r, c, place) for _, place, r, c in cells[:_READ_OUT]]
        if row is not None and self.columns:
            return [self.first.sentence_at(row, 0)]
        return []

    def partner(self, row: int | None, column: int | None) -> tuple[int, int] | None:
        """The cell of a token's strongest weight in the first map; its first cell where it has none."""
        if not self.rows or not self.columns:
            return None
        if row is not None:
            best = strongest_column(self.first, row) if row < self.first.shown_rows else None
            return row, best or 0
        if column is not None:
            return strongest_row(self.first, column) or 0, column
        return None

    def _strongest_map(self, row: int, column: int) -> int:
        if row >= self.first.shown_rows:
            return 0
        values = [abs(float(spec.matrix[row, column])) for spec in self.maps]
        return max(range(len(values)), key=values.__getitem__)


def _cells_of(spec: MapSpec, row: int | None, column: int | None) -> list[tuple[int, int]]:
    if row is not None:
        return [(row, c) for c in range(spec.columns)] if row < spec.shown_rows else []
    if column is not None:
        return [(r, column) for r in range(spec.shown_rows)]
    return []


def chosen_heads(selection: Selection, heads: int) -> tuple[int | None, ...]:
    """The heads that a flow draws, ascending; (None,) for the mean over all of them."""
    if selection.head is None:
        return (None,)
    return tuple(sorted({head for head in (selection.head, *selection.more_heads) if 0 <= head < heads}))


def flow_figure(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    *,
    provenance: Mapping[str, Any] | None = None,
    known: Known | None = None,
) -> FigureSpec:
    """The lines of one or several heads of a layer.

    Width and opacity of a line grow with its weight on one scale from 0 to 1; lines below `view.threshold`
    are left out and the share of the weight that this hides is said, nothing is renormalised.

    Args:
        provenance, known: as in `map_figure`.

    Raises:
        as `map_figure`.
    """
    figures = _maps(trace, selection, view, provenance, known)
    maps = tuple(_map(figure) for figure in figures)
    first = maps[0]
    hidden_share = _hidden_share(figures)
    share = hidden_by(maps, view.threshold)
    lines = lines_of(maps, view.threshold)
    crowded = len(lines) > MOST_LINES
    badges = _map_badges(figures, hidden_share, scale_end(maps))
    sqrt = view.sqrt_scale and first.numbers not in SCORES
    if sqrt:
        badges.append(widths_badge())
    if share is not None:
        cut = view.threshold * scale_end(maps)
        badges.append(threshold_badge(cut, share, first, of_shown=hidden_share is not None))
    if crowded:
        badges.append(crowd_badge(len(lines)))
    spec = FlowSpec(
        maps=maps,
        threshold=view.threshold,
        hidden_share=share,
        title=_title(trace, maps),
        family=first.family,
        row_title=first.row_title,
        column_title=first.column_title.removesuffix("→").rstrip(),
        badges=tuple(badges),
        chosen=emphasised(first, incoming=view.incoming, always=crowded),
        only_chosen=crowded,
        sqrt_scale=sqrt,
    )
    facts = _facts(figures[0], spec, hidden_share)
    line = title_line(spec.title, spec.family)
    return FigureSpec(
        spec, provenance_caption(trace, line, spec.badges, provenance or {}, first.notes), facts
    )


def _maps(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    provenance: Mapping[str, Any] | None,
    known: Known | None,
) -> list[FigureSpec]:
    """A map of each chosen head; one alone where the numbers are not a single head's."""
    plain = replace(view, sqrt_scale=False)
    figures: list[FigureSpec] = []
    for head in chosen_heads(selection, trace.heads(selection.kind)):
        chosen = selection.but(head=head)
        figures.append(map_figure(trace, chosen, plain, provenance=provenance, known=known))
        if _map(figures[0]).head is None:
            break
    return figures


def _title(trace: Trace, maps: tuple[MapSpec, ...]) -> str:
    """The map's; of several heads, one that names them."""
    first = maps[0]
    if len(maps) == 1:
        return first.title
    heads = [spec.head for spec in maps if spec.head is not None]
    count, layers = trace.heads(first.kind), trace.layers(first.kind)
    title = heads_of_layer_title(first.kind, first.layer, layers, heads, count)
    if first.numbers is Numbers.WEIGHTS:
        return title
    text = QCoreApplication.translate("Figure", "{title}, {numbers}")
    return text.format(title=title, numbers=about(first.numbers).name.lower())


def _facts(figure: FigureSpec, spec: FlowSpec, hidden_share: float | None) -> dict[str, Any]:
    """The first map's, and what is the flow's own; a list of heads where there are several."""
    facts = dict(figure.facts) | {
        "view": "flow",
        "scale": "sqrt" if spec.sqrt_scale else "linear",
        "hidden_share": hidden_share,
        "threshold": spec.threshold,
        "threshold_hidden_share": spec.hidden_share,
        "only_chosen": spec.only_chosen,
        "badges": list(spec.badges),
    }
    if len(spec.maps) > 1:
        facts["head"] = list(spec.heads)
    return facts


def _map(figure: FigureSpec) -> MapSpec:
    assert isinstance(figure.body, MapSpec)
    return figure.body


def _hidden_share(figures: list[FigureSpec]) -> float | None:
    """The share of the weight on hidden tokens: the rows of all heads hold the same weight."""
    shares = [figure.facts.get("hidden_share") for figure in figures]
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _map_badges(figures: list[FigureSpec], hidden_share: float | None, high: float) -> list[str]:
    """What each map owns up to, said once; the hidden share and the scale of all together."""
    badges: list[str] = []
    for figure in figures:
        spec, own = _map(figure), figure.facts.get("hidden_share")
        low = -high if spec.levels[0] < 0 else 0.0
        instead = {scale_badge(spec.levels): scale_badge((low, high))}
        if own is not None:
            instead[hidden_badge(own)] = hidden_badge(hidden_share or 0.0)
        for badge in spec.badges:
            badge = instead.get(badge, badge)
            if badge not in badges:
                badges.append(badge)
    return badges
