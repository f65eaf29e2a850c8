"""Score figure: why a query looks at a key: groups of parts, and the pairs of parts with most effect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.causes.parts import GROUPS
from model.questions.causes.scores import SCORES, ScoreParts
from model.trace.trace import AttentionKind, Trace
from viewer.document.text.place_text import kind_name, map_place
from viewer.document.text.token_text import token_texts
from viewer.figures.causes.text import group_name, method_notes, part_name, sum_badge
from viewer.figures.figure import FigureSpec
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.waterfall import Waterfall
from viewer.figures.text import provenance_caption, title_line, trace_badges, trace_facts

MOST = 12
"""Pairs that have a bar of their own."""

_UNREAD = 2  # the first of `GROUPS`, word and position: what is there before any layer


def score_figure(
    trace: Trace, answer: ScoreParts, *, provenance: Mapping[str, Any] | None = None
) -> FigureSpec[SheetSpec]:
    """The map of groups, whose corner is that of words and positions, and the waterfall of pairs."""
    translate = QCoreApplication.translate
    title = score_title(trace, answer)
    badges = [sum_badge(), *trace_badges(trace, sqrt_scale=False)]
    if answer.forbidden:
        badges.insert(
            1, translate("Causes", "attention is not allowed here: the softmax never sees this score")
        )
    if answer.placed is not None:
        text = translate("Causes", "positions add {value} to this score by distance, which is no part of it")
        badges.insert(1, text.format(value=f"{answer.placed:+.3f}".replace("-", "−")))
    own = provenance or {}
    spec = SheetSpec(title, tuple(badges), ((group_map(answer), ranked_pairs(answer)),))
    asked = answer.asked
    facts = trace_facts(trace) | {
        "view": "scores",
        "kind": str(asked.kind),
        "layer": asked.layer,
        "head": asked.head,
        "query": asked.query,
        "key": asked.key,
        "score": answer.score,
        "formula": SCORES.formula,
        "caveat": SCORES.caveat,
        "numbers_source": SCORES.source,
        "badges": badges,
        "provenance": dict(own),
    }
    return FigureSpec(spec, provenance_caption(trace, title, spec.badges, own, method_notes(SCORES)), facts)


def score_title(trace: Trace, answer: ScoreParts) -> str:
    """Such as "Decoder layer 2, head 3, cross-attention: why “chat” looks at “cat”"."""
    asked = answer.asked
    starts = asked.kind is not AttentionKind.ENCODER_SELF
    query = token_texts(trace.query_tokens(asked.kind), style=trace.token_style, starts=starts)[asked.query]
    key = token_texts(
        trace.key_tokens(asked.kind),
        style=trace.token_style,
        starts=asked.kind is AttentionKind.DECODER_SELF,
    )[asked.key]
    text = QCoreApplication.translate("Causes", "{place}: why “{query}” looks at “{key}”")
    place = title_line(
        map_place(asked.kind, asked.layer, asked.head, trace.heads(asked.kind)), kind_name(asked.kind, trace)
    )
    return text.format(place=place, query=query.marked, key=key.marked)


def group_map(answer: ScoreParts) -> Part:
    """Groups of the query's parts against those of the key's, on a scale that is symmetric about 0."""
    translate = QCoreApplication.translate
    values = answer.grouped().astype(np.float32)
    there = [
        [place for place, group in enumerate(GROUPS) if any(part.group == group for part in parts)]
        for parts in (answer.query_parts, answer.key_parts)
    ]
    values = values[np.ix_(*there)]
    most = float(np.abs(values).max(initial=0.0)) or 1.0
    return Grid(
        translate("Causes", "Query parts × key parts"),
        values,
        [group_name(GROUPS[place]) for place in there[0]],
        [group_name(GROUPS[place]) for place in there[1]],
        (-most, most),
        decimals=1 if most >= 1 else 2,
        row_title=translate("Causes", "query"),
        column_title=translate("Causes", "key"),
        corner=(sum(place < _UNREAD for place in there[0]), sum(place < _UNREAD for place in there[1])),
    )


def ranked_pairs(answer: ScoreParts) -> Part:
    """The pairs with most effect, and what all add up to."""
    translate = QCoreApplication.translate
    text = translate("Causes", "{query} × {key}")
    largest = answer.ranked(MOST)  # of thousands, whose names would take longer than a frame
    pairs = [(text.format(query=part_name(a), key=part_name(b)), value) for a, b, value in largest]
    others = answer.products.size - len(pairs)
    rest = answer.total - sum(value for _, value in pairs)
    heading = translate("Causes", "Largest pairs (query × key)")
    return Waterfall.with_rest(heading, pairs, others, rest, translate("Causes", "score q·k / √d"))
