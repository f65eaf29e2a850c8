"""`Pass`: one pass over a batch, and what an objective or a penalty makes of it.

Shapes: b pairs, S source tokens, T target tokens, n real target tokens of the batch.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn

from model.config import TrainConfig
from model.network.attention import AttentionSite
from model.network.precision import autocast
from model.network.transformer import Transformer


class Inputs(NamedTuple):
    """A batch of pairs on the device.

    Attributes:
        source: [b, S]; mask: [b, S], True for real tokens, None where nothing is padded.
        target_in: [b, T], the start token first.
        real: [n] places of the real target tokens among the b * T; gold: [n] what is right there.
        target_mask: [b, T], True for the real ones, None where nothing is padded.
    """

    source: Tensor
    mask: Tensor | None
    target_in: Tensor
    real: Tensor
    gold: Tensor
    target_mask: Tensor | None = None


@dataclass(frozen=True, eq=False)
class Pass:
    """One batch on its way through the model.

    Attributes:
        call: the model, or what shares its step among ranks; called as `Transformer.forward`.
        transformer: the model itself.
        tokens: what sums over tokens are divided by (more than n where the batch is a part of a larger one).
        step: optimizer steps done before this one.
        dtype: of matrix products.
        generator: what is drawn is drawn from it, so that a resumed run draws the same.
        patterns: where a penalty wants them, what each site's softmax gave, [b, head, query, key], with
            gradients; filled by `hidden`.
    """

    call: nn.Module
    transformer: Transformer
    inputs: Inputs
    tokens: float
    step: int
    config: TrainConfig
    dtype: torch.dtype
    generator: torch.Generator
    patterns: dict[AttentionSite, Tensor] | None = None

    def hidden(self, target_in: Tensor | None = None) -> Tensor:
        """States of the real target tokens [n, d_model] in the compute dtype; for `word_loss`.

        With a copy mechanism they carry more, in float32; see `model.network.copying`.

        Args:
            target_in: [b, T] what the decoder reads instead of the batch's own.
        """
        read = self.inputs.target_in if target_in is None else target_in
        keep = None if self.patterns is None else self.patterns.__setitem__
        with autocast(read.device, self.dtype):
            masks = {"source_mask": self.inputs.mask, "target_mask": self.inputs.target_mask}
            hidden = self.call(self.inputs.source, read, **masks, tap=keep)
        chosen: Tensor = hidden.flatten(0, 1).index_select(0, self.inputs.real)
        return chosen if self.transformer.architecture.copying else chosen.to(self.dtype)


Objective = Callable[[Pass], tuple[Tensor, Tensor]]
"""From a pass to what is differentiated and the plain cross-entropy in nats a token, both scalars."""

Penalty = Callable[[Pass], Tensor]
"""What is added to the objective, a scalar; called after the objective."""
