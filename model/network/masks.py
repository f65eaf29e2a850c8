"""Masks of attention: which keys a query may attend to (paper, sections 3.2.1 and 3.2.3).

A mask is boolean and True where attention is allowed. `AttentionMask` is the same thing prepared once a
pass for every layer: a bias added to the scores, and the rows that see nothing at all.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor


@dataclass(frozen=True, eq=False)
class AttentionMask:
    """A boolean mask ready to be added to attention scores.

    Attributes:
        bias: 0 where allowed, the dtype's lowest number where not; broadcasts to [batch, head, query, key].
        blind: True for rows without a single visible key, None when there is no such row. Softmax would
            spread such a row evenly; it must be zeros.
    """

    bias: Tensor
    blind: Tensor | None

    @classmethod
    def of(cls, allowed: Tensor, dtype: torch.dtype) -> AttentionMask:
        """Prepare `allowed` (bool, [batch or 1, 1, query or 1, key])."""
        bias = torch.zeros(allowed.shape, dtype=dtype, device=allowed.device)
        bias.masked_fill_(~allowed, torch.finfo(dtype).min)
        blind = ~allowed.any(dim=-1, keepdim=True)
        return cls(bias, blind if bool(blind.any()) else None)


def causal_mask(queries: int, keys: int, device: torch.device | None = None) -> Tensor:
    """True where key position <= query position, [queries, keys]; the last query sees every key.

    With a cache there are fewer queries than keys: the queries are the last ones.
    """
    return torch.ones(queries, keys, dtype=torch.bool, device=device).tril_(keys - queries)
