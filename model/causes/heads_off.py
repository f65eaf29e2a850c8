"""Heads off: all heads of a model, and what is measured as ever more of them are switched off. No torch."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import TypeVar

from model.config import Architecture
from model.trace.attention_shape import layers_of
from model.trace.trace import AttentionKind

Head = tuple[AttentionKind, int, int]
"""Kind, layer and head, from 0."""

Measured = TypeVar("Measured")


def all_heads(architecture: Architecture, kinds: Iterable[AttentionKind] = AttentionKind) -> list[Head]:
    """Of these kinds, layer by layer."""
    return [
        (kind, layer, head)
        for kind in kinds
        for layer in range(layers_of(architecture, kind))
        for head in range(architecture.n_heads)
    ]


def as_heads_go(
    order: Sequence[Head],
    counts: Iterable[int],
    measure: Callable[[Sequence[Head]], Generator[None, None, Measured]],
) -> Generator[tuple[int, Measured] | None, None, None]:
    """What is measured with the first so many heads of an order off.

    Yields:
        None where it may be interrupted; a count and what was measured after each.
    """
    for count in counts:
        found = yield from measure(order[:count])
        yield count, found
