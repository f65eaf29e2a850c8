"""mixture_loss: the loss of a model that copies words (See et al. 2017, arXiv 1704.04368, equations 6 and 7).

It is taken of the probabilities that the model tells everybody, some hundred tokens at a time: what is held
for the backward pass is worked out again in it.
"""

from __future__ import annotations

import torch
from torch import Tensor
from torch.utils.checkpoint import checkpoint

from model.network.precision import autocast
from model.network.transformer import Transformer
from model.training.loss import CHUNK


def mixture_loss(
    transformer: Transformer,
    rows: Tensor,
    targets: Tensor,
    smoothing: float,
    tokens: float | None = None,
    *,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor]:
    """Mean loss in nats per target token, with and without smoothing; see `model.training.loss`.

    Args:
        rows: [n, ·] as `Transformer.decode` returns them.
        dtype: of matrix products.
    """
    objective, nll = rows.new_zeros(()), rows.new_zeros(())
    # A rank without a token to predict has all gradients too: zeros.
    for start in range(0, max(1, len(targets)), CHUNK):
        part = slice(start, start + CHUNK)
        gold_nll, even_nll = checkpoint(
            _sums,
            transformer,
            rows[part],
            targets[part],
            dtype,
            use_reentrant=False,
            preserve_rng_state=False,
        )
        objective = objective + (1 - smoothing) * gold_nll + smoothing * even_nll
        nll = nll + gold_nll.detach()
    count = len(targets) if tokens is None else tokens
    return objective / count, nll / count


def _sums(transformer: Transformer, rows: Tensor, gold: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Summed over tokens: -log p of the right one, and the mean of -log p over the vocabulary."""
    with autocast(rows.device, dtype):
        logprobs = transformer.project(rows)
    return -logprobs.gather(-1, gold[:, None]).sum(), -logprobs.mean(-1).sum()
