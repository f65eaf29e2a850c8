"""masked: hidden target tokens predicted from the ones left and the source, and how many there are.

Conditional masked language model (Ghazvininejad et al. 2019, arXiv 1904.09324, section 2): of each target a
number of tokens, evenly drawn from 1 to all, is replaced by the start token, which stands for "not yet
written"; only those are predicted.

Shapes: b pairs, S source tokens, T target tokens (no start, no end), m hidden ones of the batch.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from model.network.attention import Tap
from model.network.precision import autocast
from model.network.transformer import Transformer
from model.training.objectives.objective import Inputs, Pass
from model.training.objectives.word_loss import word_loss


class Hidden(NamedTuple):
    """A batch with target tokens hidden.

    Attributes:
        read: [b, T] what the decoder reads.
        real: [b, T], False for padding; lengths: [b] how many are not.
        places: [b, T], True where a token is hidden; gold: [m] what stood there.
    """

    read: Tensor
    real: Tensor
    lengths: Tensor
    places: Tensor
    gold: Tensor


def hide(inputs: Inputs, generator: torch.Generator) -> Hidden:
    """Draw how many tokens of each target to hide, and which."""
    rows, columns = inputs.target_in.shape
    device = inputs.target_in.device
    there = torch.zeros(rows * columns, dtype=torch.bool, device=device)
    there[inputs.real] = True
    # Of the tokens to predict one is the end token, which a predicted length makes needless.
    lengths = (there.view(rows, columns).sum(1) - 1).clamp_min(0)
    targets = inputs.target_in[:, 1:]
    real = torch.arange(columns - 1, device=device) < lengths[:, None]
    count = (torch.rand(rows, generator=generator, device=device) * lengths).long() + 1
    drawn = torch.rand(rows, columns - 1, generator=generator, device=device).masked_fill(~real, 2.0)
    places = (drawn.argsort(1).argsort(1) < count[:, None]) & real
    return Hidden(
        targets.masked_fill(places, int(inputs.target_in[0, 0])), real, lengths, places, targets[places]
    )


def masked(a_pass: Pass) -> tuple[Tensor, Tensor]:
    """Label-smoothed cross-entropy of hidden tokens and that of the length; and both without smoothing."""
    patterns = a_pass.patterns
    return masked_loss(
        a_pass.call,
        a_pass.transformer,
        a_pass.inputs,
        hide(a_pass.inputs, a_pass.generator),
        smoothing=a_pass.config.label_smoothing,
        tokens=a_pass.tokens,
        dtype=a_pass.dtype,
        tap=None if patterns is None else patterns.__setitem__,
    )


def masked_loss(
    call: torch.nn.Module,
    transformer: Transformer,
    inputs: Inputs,
    hidden: Hidden,
    *,
    smoothing: float,
    tokens: float,
    dtype: torch.dtype,
    tap: Tap | None = None,
) -> tuple[Tensor, Tensor]:
    """The objective and the plain cross-entropy, in nats a target token.

    Of n tokens (n + 1) / 2 are hidden on the average: divided by half of all target tokens, end tokens
    included, their loss is a mean. The length counts as what it stands for, one end token.

    Args:
        call: the model, or what shares its step among ranks.
        tokens: all target tokens, end tokens included, also of batches that share the step.
    """
    memory: list[Tensor] = []
    with autocast(inputs.source.device, dtype):
        states = call(
            inputs.source,
            hidden.read,
            source_mask=inputs.mask,
            target_mask=hidden.real,
            see_memory=memory.append,
            tap=tap,
        )
        logits = transformer.length_logits(memory[0], inputs.mask)
    chosen = states[hidden.places]
    objective, nll = word_loss(transformer, chosen, hidden.gold, smoothing, tokens / 2, dtype=dtype)
    told = hidden.lengths > 0
    length = F.cross_entropy(logits[told].float(), hidden.lengths[told] - 1, reduction="sum") / tokens
    return objective + length, nll + length.detach()
