"""Building a page of heads of one kind."""

from __future__ import annotations

from typing import Any

from model.questions.causes.logit import LogitParts
from model.trace.exploration import Importance
from model.trace.trace import AttentionKind, Trace
from viewer.document.document import ViewOptions
from viewer.document.text.place_text import kind_name
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.attribution import (
    attribution_badges,
    attribution_facts,
    attribution_levels,
    attribution_worth,
)
from viewer.figures.heads.importance import importance_levels, importance_worth
from viewer.figures.heads.spec import HeadsSpec, Worth
from viewer.figures.map.axes import axes_of
from viewer.figures.map.build import Provenance, traced_figure
from viewer.figures.map.damage import known_damage
from viewer.figures.map.numbers_text import hidden_sum_badge, pieces_badge
from viewer.figures.map.parts import hidden_share, step_rows
from viewer.figures.text import (
    heads_title,
    hidden_badge,
    importance_badge,
    trace_badges,
)


def heads_figure(
    trace: Trace,
    kind: AttentionKind,
    step: int,
    view: ViewOptions,
    *,
    provenance: Provenance | None = None,
    importance: Importance | None = None,
    attribution: LogitParts | None = None,
    lazy: bool = False,
) -> FigureSpec[HeadsSpec]:
    """All heads of a kind on one scale, in pieces; arguments and errors as in `map_figure`.

    The weights are read when the picture is drawn (except to state how much of them is hidden): what a badge
    says of damaged heads is what is known by then (see `viewer.figures.map.damage.all_damage`).

    Args:
        importance: what the heads are worth to this translation; drawn instead of their weights if
            `view.importance` says so, on one scale for all kinds.
        attribution: what they wrote for a word of the step; drawn if `view.attribution` says so, where the
            heads of the kind write to the decoder's stream.
        lazy: do not read all heads of a long input to say how much of them is hidden; once they are read
            (`HeadGrid.summed`), build the figure again.
    """
    axes = axes_of(trace, kind, raw=view.raw_pieces, hide=view.hide_specials)
    step_row, later_from = step_rows(trace, kind, step, axes.rows)
    shape = (axes.grid.layers, axes.grid.heads)
    worth, levels, said, facts = _coloured(trace, kind, view, importance, attribution)
    if worth is not None and worth.values.shape != shape:
        worth, said = None, []
    badges = known_damage(trace, (kind,)) if worth is None else []
    badges += trace_badges(trace, sqrt_scale=view.sqrt_scale and worth is None)
    share = None
    if worth is not None:
        badges += said
    elif not axes.grid.complete:
        if not lazy or not axes.grid.large or axes.grid.summed:
            share = hidden_share(axes.grid.all_row_sums, later_from)
        badges.append(hidden_sum_badge(None) if share is None else hidden_badge(share))
    if view.whole_words and worth is None:
        badges.append(pieces_badge())
    spec = HeadsSpec(
        kind=kind,
        grid=axes.grid,
        rows=len(axes.rows),
        columns=len(axes.columns),
        title=heads_title(kind, axes.grid.layers, axes.grid.heads),
        kind_name=kind_name(kind, trace),
        badges=tuple(badges),
        step_row=step_row,
        later_from=later_from,
        sqrt_scale=view.sqrt_scale and worth is None,
        levels=axes.grid.levels if worth is None else levels,
        worth=worth,
    )
    about: dict[str, Any] = {"view": "heads", "kind": str(kind), **({} if worth is None else facts)}
    return traced_figure(spec, trace, about, step, share, provenance or {})


_Coloured = tuple[Worth | None, tuple[float, float], list[str], dict[str, Any]]


def _coloured(
    trace: Trace,
    kind: AttentionKind,
    view: ViewOptions,
    importance: Importance | None,
    attribution: LogitParts | None,
) -> _Coloured:
    """What the page is coloured by instead of weights: numbers, scale, badges, facts; None for nothing."""
    if view.importance and importance is not None and kind in importance.change:
        values = importance.change[kind]
        facts = {"importance": values.tolist(), "importance_logprob": importance.logprob}
        return importance_worth(kind, values), importance_levels(importance), [importance_badge()], facts
    if view.attribution and not view.importance and attribution is not None:
        written = attribution.by_head()
        if kind in written:
            facts = attribution_facts(attribution, kind)
            worth = attribution_worth(trace, attribution, kind)
            return worth, attribution_levels(attribution), attribution_badges(trace, attribution), facts
    return None, (0.0, 1.0), [], {}
