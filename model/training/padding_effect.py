"""Padding effect: what more padding changes in a batch's losses and probabilities, which is nothing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from model.data.batches import Batch
from model.network.transformer import Transformer

_CHUNK = 256  # tokens whose logits over the whole vocabulary exist at a time


@dataclass(frozen=True)
class PaddingEffect:
    """One batch computed twice, the second time with more padding; float32, in evaluation mode.

    Attributes:
        loss, padded_loss: nats per real target token.
        largest_difference: of any log-probability of any next token at any real target token.
    """

    loss: float
    padded_loss: float
    largest_difference: float


def widened(batch: Batch, extra: int, *, source_pad: int, target_pad: int) -> Batch:
    """The batch with `extra` more columns of padding on the right of both sides."""

    def wider(array: NDArray[Any], value: int) -> NDArray[Any]:
        return np.pad(array, ((0, 0), (0, extra)), constant_values=value)

    return Batch(
        wider(batch.source, source_pad),
        wider(batch.target_in, target_pad),
        wider(batch.target_out, target_pad),
        wider(batch.source_mask, False),
        wider(batch.target_mask, False),
        batch.target_tokens,
    )


def padding_effect(
    transformer: Transformer, batch: Batch, extra: int, *, source_pad: int, target_pad: int
) -> PaddingEffect:
    """Compute the batch as training does, and again with `extra` more columns of padding.

    The transformer may be one that is being trained: its mode is put back, no gradient is touched and
    nothing random is drawn.

    Raises:
        HeadscopeError: `writes_in_rounds`: it is not trained so.
    """
    transformer.require_left_to_right()
    wide = widened(batch, extra, source_pad=source_pad, target_pad=target_pad)
    with _evaluating(transformer):
        plain, padded = _hidden(transformer, batch), _hidden(transformer, wide)
        device = plain.device
        gold = torch.from_numpy(batch.target_out[batch.target_mask]).to(device)
        total = torch.zeros(2, dtype=torch.float64, device=device)
        largest = torch.zeros((), device=device)
        for begin in range(0, len(gold), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            both = [transformer.project(hidden[part]).float().log_softmax(-1) for hidden in (plain, padded)]
            picked = [logprobs.gather(1, gold[part, None]).double().sum() for logprobs in both]
            total -= torch.stack(picked)
            largest = torch.maximum(largest, (both[0] - both[1]).abs().amax())
    losses = (total / max(1, len(gold))).tolist()
    return PaddingEffect(losses[0], losses[1], float(largest))


@contextmanager
def _evaluating(transformer: Transformer) -> Iterator[None]:
    """Dropout off and no gradients while inside; the mode it was in comes back."""
    was_training = transformer.training
    transformer.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        transformer.train(was_training)


def _hidden(transformer: Transformer, batch: Batch) -> Tensor:
    """Hidden states [real target tokens, d] of a batch, in the order of its mask."""
    device = transformer.output.weight.device
    # As in training: where nothing is padded, no mask is needed.
    mask = None if batch.source_mask.all() else torch.from_numpy(batch.source_mask).to(device)
    source, target_in = (torch.from_numpy(ids).to(device) for ids in (batch.source, batch.target_in))
    hidden: Tensor = transformer(source, target_in, source_mask=mask)
    return hidden[torch.from_numpy(batch.target_mask).to(device)]
