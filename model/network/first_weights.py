"""First weights: how those of an untrained Transformer are drawn."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable

import torch
from torch import Tensor, nn

from model.config import Architecture, OutputStart

# With the start `even`: how much of ln V the loss may begin above it, in the mean of what is drawn. Smaller
# weights start nearer and learn more slowly.
_ABOVE = 0.04

# Cosine, at most, between what comes out of the stack for a token and the token's own embedding.
_OWN = 0.4


@torch.no_grad()
def draw_weights(
    weights: Iterable[tuple[str, nn.Parameter]],
    embeddings: Collection[Tensor],
    output: Tensor,
    architecture: Architecture,
    generator: torch.Generator | None,
    start: OutputStart,
) -> None:
    """Draw every weight anew; biases become 0, norms the identity, a mix of layers their mean.

    Matrices are Xavier-uniform, embeddings normal with deviation d^-0.5. Where they are the output matrix
    too, logits then have a deviation of 1 and that of the token read is far above the rest, so that the loss
    starts above ln V.

    Args:
        weights: with their names, each once.
        output: the output matrix, which may be one of the embeddings.
        start: `even` draws the output matrix, and what is tied to it, smaller: the first predictions are
            nearly even.
    """
    width = architecture.d_model
    for name, parameter in weights:
        if parameter in embeddings:
            parameter.normal_(0.0, width**-0.5, generator=generator)
        elif name.startswith("memory_mix."):
            parameter.zero_()
        elif parameter.dim() > 1:
            nn.init.xavier_uniform_(parameter, generator=generator)
        else:
            parameter.fill_(1.0 if name.endswith("weight") else 0.0)
    if start == "even":
        vocabulary = architecture.target_vocab
        drawn = width**-0.5 if output in embeddings else math.sqrt(2 / (vocabulary + width))
        output.mul_(min(1.0, even_deviation(vocabulary, width) * width**-0.5 / drawn))


def even_deviation(vocabulary: int, width: int) -> float:
    """The largest deviation of an untrained model's logits with which the loss is near ln V, at most 1.

    Logits of deviation s, one of which (the token that is read, with tied embeddings) stands s sqrt(d) cos
    above the rest, have a mean loss of ln V + s^2/2 + ln(1 + e^(s sqrt(d) cos) / V).
    """
    most = _ABOVE * math.log(max(2, vocabulary))
    low, high = 0.0, 1.0
    for _ in range(30):
        s = (low + high) / 2
        above = s * s / 2 + math.log1p(math.exp(s * math.sqrt(width) * _OWN) / vocabulary)
        low, high = (s, high) if above <= most else (low, s)
    return low
