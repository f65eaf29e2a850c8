"""Weights of all heads of kinds, as CSV."""

from __future__ import annotations

from collections.abc import Sequence

from model.trace.trace import AttentionKind
from viewer.figures.kind import Writing
from viewer.figures.map.data import weights_table
from viewer.figures.map.weights_table import write_tables


def write_weights(writing: Writing, kinds: Sequence[AttentionKind]) -> None:
    """Write the weights of every head of some kinds under each other, up to the step in view."""
    trace = writing.source.need_trace()
    tables = [
        weights_table(
            writing.source,
            writing.request,
            kind,
            tuple((layer, head) for layer in range(trace.layers(kind)) for head in range(trace.heads(kind))),
            every=True,
        )
        for kind in kinds
    ]
    write_tables(trace, tables, writing.path)
