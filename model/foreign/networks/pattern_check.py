"""`PatternCheck`: whether what a model of `transformers` calls its attentions are patterns.

Shapes: b batch, H heads, q queries, k keys.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from model.errors import HeadscopeError

_FULL, _HALF = 1e-3, 2e-2
"""How far a row's sum may be from 1, computed in single and in half precision."""
_LATER = 1e-6
"""Weight on tokens that come later which is no weight."""


class PatternCheck:
    """Refuses what would make a wrong picture.

    Args:
        model_type: what errors call the model.
        every_row: add up every row each time; models that are proven need it once.
    """

    def __init__(self, model_type: str, *, every_row: bool) -> None:
        self.model_type = model_type
        self._every_row = every_row

    def patterns(
        self,
        found: Sequence[Tensor | None] | None,
        *,
        batch: int,
        queries: int,
        keys: int,
        layers: int | None = None,
        heads: int | None = None,
    ) -> list[Tensor]:
        """The patterns of a stack's layers, float32 [b, H, q, k] each.

        Args:
            layers, heads: how many there must be, if it is known.

        Raises:
            HeadscopeError: `attention_missing`, `attention_shape_unknown` or `attention_rows`.
        """
        if not found or any(not isinstance(one, Tensor) for one in found):
            raise HeadscopeError("attention_missing", model_type=self.model_type)
        given = [one for one in found if isinstance(one, Tensor)]
        wanted = (batch, heads or given[0].shape[1 % given[0].dim()], queries, keys)
        if layers is not None and len(given) != layers:
            raise HeadscopeError("attention_missing", model_type=self.model_type)
        for pattern in given:
            if pattern.shape != wanted:
                raise self._shape(str(tuple(pattern.shape)))
            if self._every_row:
                self.rows(pattern)
        return [pattern.float() for pattern in given]

    def rows(self, pattern: Tensor) -> None:
        """Every row of a pattern [b, H, q, k] has to sum to 1.

        Raises:
            HeadscopeError: `attention_rows`, `model_overflow`.
        """
        allowed = _FULL if pattern.element_size() >= 4 else _HALF
        totals = pattern.float().sum(-1)
        worst = totals.flatten()[(totals - 1).abs().argmax()]
        if not worst.isfinite():
            raise HeadscopeError("model_overflow")
        if not abs(float(worst) - 1) <= allowed:
            raise HeadscopeError("attention_rows", model_type=self.model_type, total=f"{float(worst):.3f}")

    def causal(self, pattern: Tensor) -> None:
        """No row of a decoder's pattern [b, H, n, n] may look at later tokens.

        Raises:
            HeadscopeError: `attention_later`.
        """
        if float(torch.triu(pattern, 1).abs().max()) > _LATER:
            raise HeadscopeError("attention_later", model_type=self.model_type)

    def _shape(self, shape: str) -> HeadscopeError:
        return HeadscopeError("attention_shape_unknown", model_type=self.model_type, shape=shape)
