"""What our own Transformer knows of positions, as facts."""

from __future__ import annotations

from model.position_facts import NoPositions, PositionFacts, TablePositions
from model.transformer import Transformer


def facts_of(transformer: Transformer) -> tuple[PositionFacts, ...]:
    """The table that both stacks add, or that there is none."""
    rows, a = transformer.positions.rows(), transformer.architecture
    if rows is None:
        return (NoPositions(known=True),)
    table = rows.numpy(force=True).copy()
    table.flags.writeable = False
    if a.positions == "learned":
        return (TablePositions(table, learned=True),)
    return (TablePositions(table, learned=False, base=a.position_base, layout=a.position_layout),)
