"""mixture_loss: the loss of a model that copies words (See et al. 2017, arXiv 1704.04368, equations 6 and 7).

It is taken of the probabilities that the model tells everybody, some hundred tokens at a time: what is held
for the backward pass is worked out again in it.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

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
        gold_nll, even_nll = _Recomputed.apply(  # type: ignore[no-untyped-call]
            transformer, targets[part], dtype, rows[part], *transformer.output.parameters()
        )
        objective = objective + (1 - smoothing) * gold_nll + smoothing * even_nll
        nll = nll + gold_nll.detach()
    count = len(targets) if tokens is None else tokens
    return objective / count, nll / count


class _Recomputed(torch.autograd.Function):
    """`_sums`, of which nothing is held but what goes in.

    As torch's own `checkpoint`, which imports torch's compiler first: 70 MB, and more than a second.
    """

    @staticmethod
    def forward(
        ctx: Any,
        transformer: Transformer,
        gold: Tensor,
        dtype: torch.dtype,
        rows: Tensor,
        *output: Tensor,
    ) -> tuple[Tensor, Tensor]:
        ctx.transformer, ctx.dtype = transformer, dtype
        ctx.save_for_backward(gold, rows, *output)
        return _sums(transformer, rows, gold, dtype)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        gold, rows, *output = ctx.saved_tensors
        inputs = [rows.detach().requires_grad_(rows.requires_grad), *output]
        with torch.enable_grad():
            sums = _sums(ctx.transformer, inputs[0], gold, ctx.dtype)
            # Of one scalar: to be given what each counts for, torch imports its compiler here too.
            total = sums[0] * grads[0] + sums[1] * grads[1]
        wanted = [one for one in inputs if one.requires_grad]
        found = iter(torch.autograd.grad(total, wanted))
        return None, None, None, *(next(found) if one.requires_grad else None for one in inputs)


def _sums(transformer: Transformer, rows: Tensor, gold: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    """Summed over tokens: -log p of the right one, and the mean of -log p over the vocabulary."""
    with autocast(rows.device, dtype):
        logprobs = transformer.project(rows)
    return -logprobs.gather(-1, gold[:, None]).sum(), -logprobs.mean(-1).sum()
