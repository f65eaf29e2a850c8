"""Building a flow: the maps of its heads, and what its badges own up to."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.trace.trace import Trace
from model.work import result_of
from viewer.document.document import ViewOptions
from viewer.document.selection import Numbers, Selection
from viewer.figures.canvas.cells import remembered
from viewer.figures.figure import FigureSpec
from viewer.figures.flow.lines import Reached, reached, scale_end
from viewer.figures.flow.spec import MOST_LINES, FlowSpec
from viewer.figures.flow.text import crowd_badge, heads_of_layer_title, threshold_badge, widths_badge
from viewer.figures.known import Known, NotRead
from viewer.figures.map.build import map_figure
from viewer.figures.map.chosen import emphasised
from viewer.figures.map.long_map import LongArray
from viewer.figures.map.numbers import SCORES, about
from viewer.figures.map.numbers_text import scale_badge
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import hidden_badge, provenance_caption, title_line


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
    lazy: bool = False,
) -> FigureSpec[FlowSpec]:
    """The lines of one or several heads of a layer.

    Width and opacity of a line grow with its weight on one scale from 0 to 1; lines below `view.threshold`
    are left out and the share of the weight that this hides is said, nothing is renormalised.

    Args:
        provenance, known, lazy: as in `map_figure`.

    Raises:
        as `map_figure`.
    """
    figures = _maps(trace, selection, view, provenance, known, lazy)
    maps = tuple(figure.body for figure in figures)
    first = maps[0]
    hidden_share = _hidden_share(figures)
    found = _reached(maps, view.threshold, lazy=lazy)
    share = found.hidden
    crowded = found.count > MOST_LINES
    badges = _map_badges(figures, hidden_share, scale_end(maps))
    sqrt = view.sqrt_scale and first.numbers not in SCORES
    if sqrt:
        badges.append(widths_badge())
    if share is not None:
        cut = view.threshold * scale_end(maps)
        badges.append(threshold_badge(cut, share, first, of_shown=hidden_share is not None))
    if crowded:
        badges.append(crowd_badge(found.count))
    spec = FlowSpec(
        maps=maps,
        threshold=view.threshold,
        reached=found,
        title=_title(trace, maps),
        kind_name=first.kind_name,
        row_title=first.row_title,
        column_title=first.column_title.removesuffix("→").rstrip(),
        badges=tuple(badges),
        chosen=emphasised(first, incoming=view.incoming, always=crowded),
        only_chosen=crowded,
        sqrt_scale=sqrt,
    )
    facts = _facts(figures[0], spec, hidden_share)
    line = title_line(spec.title, spec.kind_name)
    return FigureSpec(
        spec, provenance_caption(trace, line, spec.badges, provenance or {}, first.notes), facts
    )


def _reached(maps: tuple[MapSpec, ...], threshold: float, *, lazy: bool) -> Reached:
    """The lines; those of long maps are kept with the first of these."""
    long = maps[0].matrix
    if not isinstance(long, LongArray):
        return result_of(reached(maps, threshold))
    known: dict[Hashable, Reached] = remembered(long.of, "flow", dict)
    heads = tuple(spec.head for spec in maps)
    what = (threshold, maps[0].levels, maps[0].shown_rows, heads)
    if what not in known:

        def read() -> Iterator[None]:
            found = yield from reached(maps, threshold)
            known.clear()
            known[what] = found

        if lazy:
            raise NotRead((long.of, *what), read)
        for _ in read():
            pass
    return known[what]


def _maps(
    trace: Trace,
    selection: Selection,
    view: ViewOptions,
    provenance: Mapping[str, Any] | None,
    known: Known | None,
    lazy: bool,
) -> list[FigureSpec[MapSpec]]:
    """A map of each chosen head; one alone where the numbers are not a single head's."""
    plain = replace(view, sqrt_scale=False)
    figures: list[FigureSpec[MapSpec]] = []
    for head in chosen_heads(selection, trace.heads(selection.kind)):
        chosen = selection.but(head=head)
        figures.append(map_figure(trace, chosen, plain, provenance=provenance, known=known, lazy=lazy))
        if figures[0].body.head is None:
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


def _facts(figure: FigureSpec[MapSpec], spec: FlowSpec, hidden_share: float | None) -> dict[str, Any]:
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


def _hidden_share(figures: list[FigureSpec[MapSpec]]) -> float | None:
    """The share of the weight on hidden tokens: the rows of all heads hold the same weight."""
    shares = [figure.facts.get("hidden_share") for figure in figures]
    known = [share for share in shares if share is not None]
    return sum(known) / len(known) if known else None


def _map_badges(figures: list[FigureSpec[MapSpec]], hidden_share: float | None, high: float) -> list[str]:
    """What each map owns up to, said once; the hidden share and the scale of all together."""
    badges: list[str] = []
    for figure in figures:
        spec, own = figure.body, figure.facts.get("hidden_share")
        low = -high if spec.levels[0] < 0 else 0.0
        instead = {scale_badge(spec.levels): scale_badge((low, high))}
        if own is not None:
            instead[hidden_badge(own)] = hidden_badge(hidden_share or 0.0)
        for badge in spec.badges:
            badge = instead.get(badge, badge)
            if badge not in badges:
                badges.append(badge)
    return badges
