"""Embeddings of tokens, and positional encoding (paper, sections 3.4 and 3.5)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from model.config import Architecture, PositionLayout
from model.errors import HeadscopeError


def sinusoidal_table(
    positions: int, d_model: int, *, base: float = 10000.0, layout: PositionLayout = "interleaved"
) -> Tensor:
    """PE(pos, 2i) = sin(pos / base^(2i/d_model)) and PE(pos, 2i+1) = cos(the same): [positions, d_model].

    Layout `halves` holds all sines, then all cosines. The table is float32, its angles are computed in
    float64: at position 1000 a float32 angle is already off in the fifth digit.
    """
    frequency = torch.exp(torch.arange(0, d_model, 2, dtype=torch.float64) * (-math.log(base) / d_model))
    angle = torch.arange(positions, dtype=torch.float64)[:, None] * frequency
    parts = (angle.sin(), angle.cos())
    table = torch.stack(parts, dim=-1).flatten(1) if layout == "interleaved" else torch.cat(parts, dim=1)
    return table.float()


class PositionalEncoding(nn.Module):
    """Adds to each token vector the vector of its position: sinusoidal, learned, or nothing.

    The state holds `weight` [max_positions, d_model] only when positions are learned.
    """

    weight: nn.Parameter | None
    table: Tensor | None

    def __init__(self, architecture: Architecture) -> None:
        super().__init__()
        self.max_positions = architecture.max_positions
        learned = architecture.positions == "learned"
        shape = (architecture.max_positions, architecture.d_model)
        self.weight = nn.Parameter(torch.empty(shape)) if learned else None
        table = None
        if architecture.positions == "sinusoidal":
            table = sinusoidal_table(
                *shape, base=architecture.position_base, layout=architecture.position_layout
            )
        self.register_buffer("table", table, persistent=False)

    def rows(self) -> Tensor | None:
        """The encoding itself, [max_positions, d_model]; None for a model without positions."""
        return self.weight if self.weight is not None else self.table

    def check_length(self, length: int) -> None:
        """Raise `HeadscopeError` when `length` positions are more than the model has."""
        if length > self.max_positions:
            raise HeadscopeError("too_long", tokens=length, limit=self.max_positions)

    def forward(self, x: Tensor, position_ids: Tensor | slice) -> Tensor:
        """x [batch, length, d_model] + rows at position_ids ([length], [batch, length], or neighbours).

        Where a position id is -1, nothing is added.
        """
        rows = self.rows()
        if rows is None:
            return x
        if isinstance(position_ids, slice):
            return x + rows[position_ids]
        absent = (position_ids < 0)[..., None]
        return x + rows[position_ids.clamp_min(0)].masked_fill(absent, 0.0)
