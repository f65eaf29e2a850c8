"""Loss: label-smoothed cross-entropy (paper, section 5.4), without ever holding all logits.

With some thousand tokens a batch and some thousand pieces, the logits and what autograd keeps of them are
the largest tensors of a training step. Here they exist a few hundred tokens at a time, and their gradient
is worked out at once, while they are in the processor's cache.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from model.network.products.large import turned_product

CHUNK = 512


class _SmoothedLoss(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
        hidden: Tensor,
        weight: Tensor,
        bias: Tensor | None,
        targets: Tensor,
        smoothing: float,
        tokens: float,
    ) -> tuple[Tensor, Tensor]:
        n, vocabulary = len(targets), weight.shape[0]
        matrix = weight.to(hidden.dtype)
        grad_hidden = torch.empty_like(hidden)
        # Turned, as its parts come fastest.
        grad_turned = weight.new_zeros(weight.shape[1], vocabulary)
        grad_bias = None if bias is None else torch.zeros_like(bias)
        gold_nll, norms = weight.new_zeros(()), weight.new_zeros(())
        # One buffer for all chunks: fresh memory a chunk costs more in page faults than the arithmetic.
        softmax_buffer = weight.new_empty(min(n, CHUNK), vocabulary)
        for start in range(0, n, CHUNK):
            part = slice(start, min(start + CHUNK, n))
            gold = targets[part, None]
            logits = turned_product(hidden[part], matrix)
            if bias is not None:
                logits += bias
            softmax = softmax_buffer[: len(gold)]
            # In place where the dtypes differ: `dtype=` would convert into fresh memory.
            exact = logits if logits.dtype == softmax.dtype else softmax.copy_(logits)
            torch.softmax(exact, -1, out=softmax)
            # The largest probability is exp(top - log_norm) and never underflows.
            log_norm = logits.amax(-1, keepdim=True).to(weight.dtype) - softmax.amax(-1, keepdim=True).log()
            gold_nll += (log_norm - logits.gather(1, gold)).sum()
            norms += log_norm.sum()
            softmax.scatter_add_(1, gold, softmax.new_full(gold.shape, smoothing - 1.0))
            if grad_bias is not None:
                grad_bias += softmax.sum(0)
            grad = softmax if logits.dtype == softmax.dtype else logits.copy_(softmax)
            grad_hidden[part] = turned_product(grad, matrix.t())
            grad_turned += turned_product(hidden[part].t(), grad.t())
        # What smoothing asks of every token alike needs no pass over the logits.
        mean_row, total_hidden = weight.mean(0), hidden.sum(0, dtype=weight.dtype)
        even_nll = norms - total_hidden @ mean_row
        grad_hidden -= (smoothing * mean_row).to(hidden.dtype)
        grad_turned -= (smoothing / vocabulary * total_hidden)[:, None]
        grad_weight = grad_turned.t().contiguous()
        if bias is not None and grad_bias is not None:
            even_nll -= n * bias.mean()
            grad_bias -= smoothing * n / vocabulary
        nll, objective = gold_nll, (1 - smoothing) * gold_nll + smoothing * even_nll
        for gradient in (grad_hidden, grad_weight, grad_bias):
            if gradient is not None:
                gradient /= tokens
        ctx.save_for_backward(grad_hidden, grad_weight, grad_bias)
        ctx.mark_non_differentiable(nll)
        return objective / tokens, nll.div_(tokens)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        grad_hidden, grad_weight, grad_bias = ctx.saved_tensors
        scale = grads[0]
        return (
            grad_hidden * scale.to(grad_hidden.dtype),
            grad_weight * scale,
            None if grad_bias is None else grad_bias * scale,
            None,
            None,
            None,
        )


def smoothed_loss(
    hidden: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    targets: Tensor,
    smoothing: float,
    tokens: float | None = None,
) -> tuple[Tensor, Tensor]:
    """Mean loss in nats per target token, with and without smoothing.

    Args:
        hidden: [n, d_model], the compute dtype; logits are hidden @ weight.T + bias, normalised in float32.
        weight: [vocabulary, d_model] float32.
        targets: int64 [n].
        smoothing: mass spread evenly over the whole vocabulary, the right token included.
        tokens: what the sums over tokens are divided by, where these n (0 or more) are a part of a larger
            batch; n when absent.

    Returns:
        The objective to differentiate and the plain cross-entropy, both scalars in float32.
    """
    objective, nll = _SmoothedLoss.apply(  # type: ignore[no-untyped-call]
        hidden, weight, bias, targets, smoothing, len(targets) if tokens is None else tokens
    )
    return objective, nll
