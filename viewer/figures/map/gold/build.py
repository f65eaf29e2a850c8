"""Gold overlay: links over a map of cross-attention, and how well the map agrees with them."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import replace

import numpy as np

from model.alignment.aer import Aer
from model.alignment.hard import RULES, Rule, WordMap, diagonal_links, links_of
from model.alignment.links import Gold, Link, LinkKind
from model.alignment.shares import Places
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind, Trace
from viewer.document.selection import Selection
from viewer.document.text.gold_words import words_of_gold
from viewer.figures.canvas.axis import AxisLabel
from viewer.figures.figure import FigureSpec
from viewer.figures.known import Known
from viewer.figures.map.axes import axes_of
from viewer.figures.map.gold.spec import GoldBox, GoldOverlay
from viewer.figures.map.gold.text import gold_badge, gold_note
from viewer.figures.map.numbers import SCORES, shown_numbers
from viewer.figures.map.numbers_maps import cells_of
from viewer.figures.map.spec import MapSpec
from viewer.figures.text import sentence


def with_gold(
    figure: FigureSpec[MapSpec],
    gold: Gold | None,
    rule: Rule,
    trace: Trace,
    selection: Selection,
    known: Known | None = None,
) -> FigureSpec[MapSpec]:
    """A map with the gold links of its run drawn over it, said in a badge, the caption and the facts.

    It stays as it is where there is nothing to draw: without gold links, in another kind than
    cross-attention, or if they are another sentence's.

    Args:
        figure: what `map_figure` made of `trace`, `selection` and `known`.
    """
    spec = figure.body
    if gold is None or spec.kind is not AttentionKind.CROSS:
        return figure
    try:
        words = words_of_gold(trace, gold)
        gold.check(len(words.source), len(words.target))
        rates = _rates(trace, gold, words, selection, known)
        boxes = _boxes(spec, gold, words, rule)
    except HeadscopeError:
        return figure
    diagonal = Aer.of(diagonal_links(len(words.source), len(words.target)), gold)
    badge = gold_badge(gold, rule, rates.get(rule), one=spec.head is not None, diagonal=diagonal)
    overlay = GoldOverlay(rule, boxes, gold_note(rates, diagonal))
    shown = replace(spec, gold=overlay, badges=(*spec.badges, badge))
    facts = figure.facts | {
        "badges": list(shown.badges),
        "gold": gold.to_json(),
        "alignment_rule": rule,
        "aer": {name: aer.rate for name, aer in rates.items()},
        "diagonal_aer": diagonal.rate,
    }
    caption = f"{figure.caption} {sentence(badge[:1].upper() + badge[1:])}"
    return replace(figure, body=shown, caption=caption, facts=facts)


def shown_matrix(trace: Trace, selection: Selection, known: Known | None = None) -> np.ndarray | None:
    """What a map of cross-attention shows, [T, S] with all its tokens; None for scores, which nobody sums.

    Raises:
        Missing: an answer is needed that is not known.
    """
    numbers = shown_numbers(trace, selection)
    if numbers in SCORES:
        return None
    grid = axes_of(trace, selection.kind, raw=False, hide=False).grid
    return np.asarray(cells_of(trace, selection, numbers, grid, known).matrix)


def _rates(
    trace: Trace, gold: Gold, words: WordMap, selection: Selection, known: Known | None
) -> dict[Rule, Aer]:
    """By rule; none for scores, and none under a rule that the trace cannot have."""
    matrix = shown_matrix(trace, selection, known)
    if matrix is None:
        return {}
    rules = RULES if words.shifted else ("predicts",)
    return {rule: Aer.of(links_of(words.weights(matrix, rule)), gold) for rule in rules}


def _boxes(spec: MapSpec, gold: Gold, words: WordMap, rule: Rule) -> tuple[GoldBox, ...]:
    """The possible links first, so that the sure ones are drawn over them."""
    of_rows, of_columns = _Places(spec.row_labels), _Places(spec.column_labels)
    rows = [of_rows.span(_queries(spec, speaking, rule)) for speaking in words.rows_of(rule)]
    columns = [of_columns.span(keys) for keys in words.keys.by_word[0]]
    boxes = []
    kinds: tuple[tuple[LinkKind, tuple[Link, ...]], ...] = (("possible", gold.possible), ("sure", gold.sure))
    for kind, links in kinds:
        for i, j in links:
            across, down = columns[i], rows[j]
            if across is not None and down is not None:
                boxes.append(GoldBox((i, j), kind, *down, *across))
    return tuple(boxes)


def _queries(spec: MapSpec, speaking: Places, rule: Rule) -> Places:
    """The queries to draw a target word at: of merged rows, `predicts` means the one that its first piece
    comes next of, as its label says; further pieces are predicted by the row that reads the word itself."""
    return speaking[:1] if spec.words and rule == "predicts" else speaking


class _Places:
    """Where the tokens of a trace are along an axis; labels are in ascending order."""

    def __init__(self, labels: tuple[AxisLabel, ...]) -> None:
        self._starts = [label.index for label in labels]
        self._ends = [label.last + 1 for label in labels]

    def span(self, tokens: Places) -> tuple[int, int] | None:
        """From the first place that shows one of the tokens to behind the last; None if none is shown."""
        if not len(tokens):
            return None
        first = bisect_right(self._ends, int(tokens[0]))
        end = bisect_right(self._starts, int(tokens[-1]))
        return (first, end) if first < end else None
