"""Trust figure: a word's log probability as tokens are taken away in the order of a map, and in others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.causes.faithfulness import (
    ALTI,
    FAITHFULNESS,
    MAP,
    MEAN,
    RANDOM,
    REVERSE,
    Faithfulness,
    FaithfulnessOf,
    Fall,
    Ranking,
    mean_ranking,
    row_of,
    side_of,
)
from model.trace.trace import AttentionKind, Trace
from viewer.document.selection import Numbers, Selection
from viewer.document.text.place_text import kind_name
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.plot import Axis
from viewer.figures.causes.logit import shown_word
from viewer.figures.causes.text import method_notes
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Known
from viewer.figures.map.axes import axes_of
from viewer.figures.map.numbers import about, shown_numbers
from viewer.figures.map.numbers_maps import cells_of
from viewer.figures.map.numbers_text import numbers_title
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.spec import SheetSpec
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.figures.text import provenance_caption, trace_badges, trace_facts

_LOWEST = -1e30  # where attention is not allowed: last of all


def trust_question(trace: Trace, selection: Selection, known: Known | None) -> FaithfulnessOf:
    """What is asked of the map that a selection shows, at its step.

    Raises:
        Missing: the map's numbers are not known yet.
        HeadscopeError: as `map_figure`.
    """
    kind, step, numbers = selection.kind, selection.step, shown_numbers(trace, selection)
    axes = axes_of(trace, kind, raw=False, hide=False)
    cells = cells_of(trace, selection, numbers, axes.grid, known)
    matrix = np.asarray(cells.matrix, np.float64)
    if cells.masked is not None:
        matrix = np.where(cells.masked, _LOWEST, matrix)
    chosen = Ranking(MAP, row_of(trace, matrix, kind, step))
    plain = numbers is Numbers.MEAN_LAYERS or trace.numbers != "pattern"
    beside = () if plain else (mean_ranking(trace, kind, step),)
    return FaithfulnessOf(step, side_of(kind), chosen, beside)


def trust_figure(
    trace: Trace,
    selection: Selection,
    answer: Faithfulness,
    *,
    raw: bool = False,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec[SheetSpec]:
    """Curves, and the area over each.

    Args:
        selection: of the map, which the picture names.
        raw: pieces as the tokenizer writes them.
    """
    translate = QCoreApplication.translate
    shown = numbers_title(trace, selection, shown_numbers(trace, selection))
    word = shown_word(trace, answer.step, answer.word_token, raw=raw)
    text = translate("Causes", "Can this map be trusted? {map}, for “{word}”, step {step}")
    title = text.format(map=shown, word=word, step=answer.step + 1)
    badges = _badges(answer, selection, trace)
    own = provenance or {}
    spec = SheetSpec(title, badges, ((_curves(answer),), (_areas(answer),), (_order(trace, answer, raw),)))
    facts = trace_facts(trace) | {
        "view": "trust",
        "map": shown,
        "step": answer.step,
        "word": answer.word_token,
        "areas": {curve.name: curve.area for curve in answer.curves},
        "seed": answer.seed,
        "random_orders": answer.draws,
        "formula": FAITHFULNESS.formula,
        "caveat": FAITHFULNESS.caveat,
        "numbers_source": FAITHFULNESS.source,
        "badges": list(badges),
        "provenance": dict(own),
    }
    caption = provenance_caption(trace, title, badges, own, method_notes(FAITHFULNESS))
    return FigureSpec(spec, caption, facts)


def curve_name(name: str) -> str:
    """What a curve is called."""
    translate = QCoreApplication.translate
    return {
        MAP: translate("Causes", "this map"),
        REVERSE: translate("Causes", "this map, least first"),
        RANDOM: translate("Causes", "random"),
        MEAN: translate("Causes", "mean weights"),
        "gradient_x_input": translate("Causes", "gradient × input"),
        "gradient_l1": translate("Causes", "gradient norm"),
        "taken_away": translate("Causes", "one taken away"),
        ALTI: "ALTI",
    }[name]


def _badges(answer: Faithfulness, selection: Selection, trace: Trace) -> tuple[str, ...]:
    translate = QCoreApplication.translate
    if answer.side == "source":
        taken = translate("Causes", "source tokens taken away: nobody may look at them")
    else:
        taken = translate("Causes", "tokens of the prefix taken away: nobody may look at them")
    random = translate("Causes", "random: mean ± standard deviation of {count} orders, seed {seed}")
    # The title's layer and head are those of two families.
    numbers = shown_numbers(trace, selection)
    ranks = [kind_name(selection.kind, trace)]
    ranks += [] if numbers is Numbers.WEIGHTS else [about(numbers).name]
    found = [", ".join(ranks), taken, random.format(count=answer.draws, seed=answer.seed)]
    if selection.kind is AttentionKind.ENCODER_SELF:
        found.append(translate("Causes", "order: mean over the map's rows"))
    return (*found, *trace_badges(trace, sqrt_scale=False))


def _curves(answer: Faithfulness) -> Curves:
    translate = QCoreApplication.translate
    counts = answer.counts.tolist()
    lines = tuple(
        Line(
            curve_name(curve.name),
            counts,
            curve.logprobs.tolist(),
            _index(curve.name),
            dots=True,
            spread=curve.spread.tolist() if curve.name == RANDOM else (),
        )
        for curve in answer.curves
    )
    low = min(float((curve.logprobs - curve.spread).min()) for curve in answer.curves)
    x = Axis(0, max(1, counts[-1]), translate("Causes", "tokens taken away"), whole=True)
    # A probability is never above 1, whatever a mean and its spread may say.
    y = Axis(1.05 * low, 0.0, translate("Causes", "log probability of the word"))
    return Curves(translate("Causes", "The word's log probability as tokens go"), x, y, lines)


def _order(trace: Trace, answer: Faithfulness, raw: bool) -> Words:
    """The tokens as the map has them taken away."""
    translate = QCoreApplication.translate
    texts = token_texts(answer.tokens, raw=raw, style=trace.token_style, starts=answer.side == "target")
    tokens = tuple(Token(texts[place].marked) for place in answer.curve(MAP).order)
    return Words(
        translate("Causes", "The order of this map: taken away from the first on"), (TokenLine("", tokens),)
    )


def _index(name: str) -> int:
    """The pen of a curve; the grey one is for random orders."""
    order = (MAP, REVERSE, "taken_away", MEAN, "gradient_l1", RANDOM, "gradient_x_input", ALTI)
    return order.index(name)


def _areas(answer: Faithfulness) -> Bars:
    """The area over each curve, largest first."""
    ranked = sorted(answer.curves, key=lambda curve: -curve.area)
    heading = QCoreApplication.translate("Causes", "Area over the curve: mean fall, the larger the faster")
    strong = tuple(place for place, curve in enumerate(ranked) if curve.name == MAP)
    names = [_area_name(curve) for curve in ranked]
    return Bars(heading, names, (BarSeries("", [curve.area for curve in ranked]),), strong=strong)


def _area_name(curve: Fall) -> str:
    name = curve_name(curve.name)
    return f"{name} (± {curve.area_spread:.2f})" if curve.name == RANDOM else name
