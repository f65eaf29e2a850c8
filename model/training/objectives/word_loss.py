"""word_loss: what a model's predictions cost, whichever way it makes its words."""

from __future__ import annotations

import torch
from torch import Tensor

from model.network.transformer import Transformer
from model.training.loss import smoothed_loss
from model.training.objectives.copying import mixture_loss


def word_loss(
    transformer: Transformer,
    hidden: Tensor,
    targets: Tensor,
    smoothing: float,
    tokens: float | None = None,
    *,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor]:
    """The objective to differentiate and the plain cross-entropy, nats per target token.

    Args:
        hidden: [n, ·] of the tokens, as `Transformer.forward` returns them.
        targets, smoothing, tokens: see `model.training.loss.smoothed_loss`.
        dtype: of matrix products.
    """
    if transformer.architecture.copying:
        return mixture_loss(transformer, hidden, targets, smoothing, tokens, dtype=dtype)
    output = transformer.output
    return smoothed_loss(hidden.to(dtype), output.weight, output.bias, targets, smoothing, tokens)
