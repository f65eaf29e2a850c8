"""Damage: what must be said of pictures whose recorded rows are no attention weights."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind, Trace, Unsound
from viewer.document.selection import AnyNumbers, Selection
from viewer.figures.map.numbers import MULTIPLIED, OVER_LAYERS, SCORES, of_one_head

HeadKey = tuple[AttentionKind, int, int]


def damage_badges(trace: Trace, selection: Selection, numbers: AnyNumbers) -> list[str]:
    """Of the recorded rows that a map's numbers follow from; reads heads that nobody has looked at.

    Raises:
        HeadscopeError: as `model.trace.trace.Patterns` does.
    """
    kind, layer = selection.kind, selection.layer
    if numbers in SCORES:
        return []  # the model works them out anew
    if of_one_head(selection, numbers):
        wrong = trace.unsound(kind, layer, selection.head)
        return [_of_head(each) for each in wrong.values()]
    layers = [layer]
    if numbers in (*OVER_LAYERS, *MULTIPLIED):
        layers = list(range(layer + 1 if numbers in MULTIPLIED else trace.layers(kind)))
    return heads_badges(
        ((kind, each, head), wrong)
        for each in layers
        for head, wrong in trace.unsound(kind, each, None).items()
    )


def known_damage(trace: Trace, kinds: Iterable[AttentionKind]) -> list[str]:
    """Of kinds of which all heads are shown, as far as they were read."""
    wanted = tuple(kinds)
    return heads_badges(
        (place, wrong) for place, wrong in trace.found_unsound().items() if place[0] in wanted
    )


def all_damage(trace: Trace, kinds: Iterable[AttentionKind]) -> list[str]:
    """Of all heads of kinds; reads what nobody has looked at, and raises as `damage_badges`."""
    wanted = tuple(kinds)
    for kind in wanted:
        for layer in range(trace.layers(kind)):
            trace.unsound(kind, layer, None)
    return known_damage(trace, wanted)


def heads_badges(found: Iterable[tuple[HeadKey, Unsound]]) -> list[str]:
    """How many heads have such rows, and which is the first."""
    damaged = list(found)
    if not damaged:
        return []
    (_, layer, head), first = damaged[0]
    if len(damaged) == 1:
        text = QCoreApplication.translate(
            "Figure",
            "damaged: in layer {layer}, head {head}, row {row} sums to {total}, not to 1",
        )
    else:
        text = QCoreApplication.translate(
            "Figure",
            "damaged: rows of {count} heads do not sum to 1 (layer {layer}, head {head}, row {row}: {total})",
        )
    values = {"layer": layer + 1, "head": head + 1, "row": first.row + 1, "total": _sum(first)}
    return [text.format(count=len(damaged), **values)]


def _of_head(wrong: Unsound) -> str:
    if wrong.rows == 1:
        text = QCoreApplication.translate("Figure", "damaged: row {row} sums to {total}, not to 1")
    else:
        text = QCoreApplication.translate(
            "Figure", "damaged: {count} rows do not sum to 1 (row {row}: {total})"
        )
    return text.format(count=wrong.rows, row=wrong.row + 1, total=_sum(wrong))


def _sum(wrong: Unsound) -> str:
    return f"{wrong.total:.4g}"
