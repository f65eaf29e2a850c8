"""Position facts: what our own Transformer knows of positions."""

from __future__ import annotations

import torch

from model.network.embeddings import sinusoidal_table
from model.network.transformer import Transformer
from model.positions.position_facts import NoPositions, PositionFacts, TablePositions, stored_table


def facts_of(transformer: Transformer) -> tuple[PositionFacts, ...]:
    """The table that both stacks add, or that there is none."""
    rows, a = transformer.positions.rows(), transformer.architecture
    if rows is None:
        return (NoPositions(known=True),)
    table = rows.numpy(force=True).copy()
    table.flags.writeable = False
    if a.positions == "learned":
        return (stored_table(table),)
    # Marian's files may hold them, rounded.
    computed = sinusoidal_table(*rows.shape, base=a.position_base, layout=a.position_layout)
    stored = not torch.equal(rows.cpu(), computed)
    return (TablePositions(table, False, a.position_base, a.position_layout, stored=stored),)
