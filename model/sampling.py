"""Drawing the next token: temperature, top-k and top-p, reproducible by seed."""

from __future__ import annotations

import torch
from torch import Tensor

from model.candidates import ranked


def filtered(logits: Tensor, *, temperature: float, top_k: int, top_p: float) -> tuple[Tensor, Tensor]:
    """The distribution that a token is drawn from.

    First the temperature, then the `top_k` most probable tokens (0: all), then of those the fewest most
    probable ones that together reach `top_p` (Holtzman et al. 2020, "nucleus"); renormalised.

    Args:
        logits: [vocab].

    Returns:
        Ids int64 [n] by falling probability (all ids in order where nothing is left out) and their
        probabilities float64 [n].
    """
    vocab = len(logits)
    if 0 < top_k < vocab or top_p < 1.0:
        ids = torch.from_numpy(ranked(logits[None], min(top_k or vocab, vocab))[0]).to(logits.device)
    else:
        ids = torch.arange(vocab, device=logits.device)
    kept = logits[ids].double()
    # The highest is taken off before dividing: next to a temperature of 0 a quotient could be infinite.
    probabilities = ((kept - kept.max()) / temperature).softmax(-1)
    if top_p < 1.0:
        before = probabilities.cumsum(-1) - probabilities
        inside = before < top_p
        ids, probabilities = ids[inside], probabilities[inside]
    return ids, probabilities / probabilities.sum()


class Sampler:
    """Draws tokens with a generator of its own, so that nothing else in the program disturbs it."""

    def __init__(self, *, temperature: float, top_k: int, top_p: float, seed: int) -> None:
        self.temperature = temperature
        self.top_k = top_k
        self.top_p = top_p
        self._generator = torch.Generator().manual_seed(seed)

    def draw(self, logits: Tensor) -> int:
        """One token id from logits [vocab]."""
        ids, probabilities = filtered(
            logits, temperature=self.temperature, top_k=self.top_k, top_p=self.top_p
        )
        place = torch.multinomial(probabilities.cpu(), 1, generator=self._generator)
        return int(ids[int(place)])
