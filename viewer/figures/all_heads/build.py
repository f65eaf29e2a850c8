"""Building the page of all kinds: the page of each, and what is said of all."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace
from viewer.document.document import ViewOptions
from viewer.document.text.place_text import kind_name
from viewer.figures.all_heads.spec import AllHeadsSpec
from viewer.figures.figure import FigureSpec
from viewer.figures.heads.build import heads_figure
from viewer.figures.heads.spec import HeadsSpec
from viewer.figures.map.damage import known_damage
from viewer.figures.text import hidden_badge, provenance_caption, trace_facts


def all_heads_figure(
    trace: Trace,
    step: int,
    view: ViewOptions,
    *,
    provenance: Mapping[str, Any] | None = None,
    lazy: bool = False,
) -> FigureSpec[AllHeadsSpec]:
    """Every head of the trace on one linear scale from 0 to 1 (or, if `view` says so, its square root).

    The weights are read when the picture is drawn (except to state how much of them is hidden).

    Args:
        step: the decoding step in view; rows of the decoder's maps after it are of later steps.
        provenance: as in `map_figure`.
        lazy: as in `heads_figure`.

    Raises:
        HeadscopeError: as `map_figure`.
    """
    pages = [
        heads_figure(trace, kind, step, view, lazy=lazy).body for kind in AttentionKind if kind in trace.kinds
    ]
    ends = [end for page in pages for end in page.levels]
    levels = (min(ends), max(ends)) if ends else (0.0, 1.0)
    if levels[0] < 0:
        levels = (-max(-levels[0], levels[1]), max(-levels[0], levels[1]))
    unknown = lazy and any(page.grid.large and not page.grid.summed for page in pages)
    share = None if unknown else _hidden_share(pages)
    spec = AllHeadsSpec(
        pages=tuple(replace(page, levels=levels) for page in pages),
        title=_title(pages),
        badges=_badges(trace, pages, share, unknown=unknown),
        levels=levels,
        sqrt_scale=view.sqrt_scale,
    )
    facts = trace_facts(trace) | {
        "view": "all_heads",
        "kinds": [str(page.kind) for page in pages],
        "heads": {str(page.kind): [page.layers, page.heads] for page in pages},
        "step": step,
        "scale": "sqrt" if view.sqrt_scale else "linear",
        "hidden_share": share,
        "badges": list(spec.badges),
        "provenance": dict(provenance or {}),
    }
    return FigureSpec(spec, provenance_caption(trace, spec.title, spec.badges, provenance or {}), facts)


def head_name(kind: AttentionKind, layer: int, head: int | None, trace: Trace | None = None) -> str:
    """Which head that is, in words: "Decoder layer 2, head 3, cross-attention" (see `kind_name`)."""
    translate = QCoreApplication.translate
    if kind is AttentionKind.ENCODER_SELF:
        where = translate("AllHeads", "Encoder layer {layer}")
    else:
        where = translate("AllHeads", "Decoder layer {layer}")
    which = translate("AllHeads", "mean over heads")
    if head is not None:
        which = translate("AllHeads", "head {head}").format(head=head + 1)
    text = translate("AllHeads", "{layer}, {head}, {family}")
    return text.format(layer=where.format(layer=layer + 1), head=which, family=kind_name(kind, trace))


def _title(pages: list[HeadsSpec]) -> str:
    """Such as "All heads: encoder 6 × 8, decoder 6 × 8, cross 6 × 8"."""
    translate = QCoreApplication.translate
    names = {
        AttentionKind.ENCODER_SELF: translate("AllHeads", "encoder {layers} × {heads}"),
        AttentionKind.DECODER_SELF: translate("AllHeads", "decoder {layers} × {heads}"),
        AttentionKind.CROSS: translate("AllHeads", "cross {layers} × {heads}"),
    }
    parts = [names[page.kind].format(layers=page.layers, heads=page.heads) for page in pages]
    joined = translate("AllHeads", ", ").join(parts)
    return translate("AllHeads", "All heads: {families}").format(families=joined)


def _badges(trace: Trace, pages: list[HeadsSpec], share: float | None, *, unknown: bool) -> tuple[str, ...]:
    """What each page owns up to, said once; damage and the hidden share of all together."""
    badges = known_damage(trace, trace.kinds)
    for page in pages:
        own = set(known_damage(trace, (page.kind,)))
        own |= set() if page.grid.complete or unknown else {hidden_badge(_sums(page)[0])}
        badges += [badge for badge in page.badges if badge not in badges and badge not in own]
    if share is not None:
        badges.append(hidden_badge(share))
    return tuple(badges)


def _hidden_share(pages: list[HeadsSpec]) -> float | None:
    """The share, 0 to 1, of the weight in the rows shown that lies on hidden columns; None if none can."""
    if all(page.grid.complete for page in pages):
        return None
    full = sum(_sums(page)[1] for page in pages)
    kept = sum(_sums(page)[2] for page in pages)
    return max(0.0, 1.0 - kept / full) if full > 0 else 0.0


def _sums(page: HeadsSpec) -> tuple[float, float, float]:
    """The hidden share of one page, the weight in its rows shown, and how much of that is on kept columns."""
    full, kept = (float(values[: page.later_from].sum()) for values in page.grid.all_row_sums)
    return (max(0.0, 1.0 - kept / full) if full > 0 else 0.0), full, kept
