"""Trace damage: rows that are no attention weights, told in English for files and the command line."""

from __future__ import annotations

from model.trace.trace import Trace


def damage_note(trace: Trace) -> str:
    """What is wrong with the heads that were read, counted from 1; empty where nothing is."""
    found = trace.found_unsound()
    if not found:
        return ""
    (kind, layer, head), first = next(iter(found.items()))
    heads = "1 head" if len(found) == 1 else f"{len(found)} heads"
    where = f"{kind} layer {layer + 1}, head {head + 1}, row {first.row + 1} sums to {first.total:.4g}"
    return f"damaged: rows of {heads} do not sum to 1 ({where})"


def read_all(trace: Trace) -> str:
    """Look at every head of a trace, and say what is wrong as `damage_note` does.

    Raises:
        HeadscopeError: as `model.trace.trace.Patterns` does.
    """
    for kind in trace.kinds:
        for layer in range(trace.layers(kind)):
            trace.unsound(kind, layer, None)
    return damage_note(trace)
