"""Sampling of the next token: temperature, top-k and top-p, reproducible by seed."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.decoding.candidates import ranked
from model.trace.trace import Floats, Ids

# So many tokens nearly always reach top_p, and to sort all of a large vocabulary takes as long as a step.
_ENOUGH = 1024


class Distribution(NamedTuple):
    """What a token is drawn from.

    Attributes:
        ids: int64 [n], the tokens that can be drawn.
        probabilities: float64 [n], together 1.
        vocab: number of all tokens.
    """

    ids: Tensor
    probabilities: Tensor
    vocab: int

    def logprobs(self, tokens: Ids) -> Floats:
        """Natural log probability float32 [k] of each of `tokens` [k]; minus infinity for one left out."""
        every = np.zeros(self.vocab)
        every[self.ids.numpy(force=True)] = self.probabilities.numpy(force=True)
        with np.errstate(divide="ignore"):
            return np.log(every[tokens]).astype(np.float32)


def filtered(logits: Tensor, *, temperature: float, top_k: int, top_p: float) -> Distribution:
    """The distribution that a token is drawn from.

    First the temperature, then the `top_k` most probable tokens (0: all), then of those the fewest most
    probable ones that together reach `top_p` (Holtzman et al. 2020, "nucleus"); renormalised.

    Args:
        logits: [vocab]; minus infinity for a token that may not be drawn.

    Returns:
        Ids by falling probability, or all in their own order where nothing is left out.
    """
    vocab = len(logits)
    if 0 < top_k < vocab:
        ids = _most_probable(logits, top_k)
        probabilities = _softmax(logits[ids], temperature)
    else:
        ids = torch.arange(vocab, device=logits.device)
        probabilities = _softmax(logits, temperature)
        if top_p < 1.0:
            ids = _most_probable(logits, min(_ENOUGH, vocab))
            if float(probabilities[ids].sum()) < top_p:
                ids = _most_probable(logits, vocab)
            probabilities = probabilities[ids]
    barred = logits[ids] == -torch.inf
    if bool(barred.any()):
        ids, probabilities = ids[~barred], probabilities[~barred]
    if top_p < 1.0:
        before = probabilities.cumsum(-1) - probabilities
        inside = before < top_p
        ids, probabilities = ids[inside], probabilities[inside]
    return Distribution(ids, probabilities / probabilities.sum(), vocab)


def _most_probable(logits: Tensor, count: int) -> Tensor:
    return torch.from_numpy(ranked(logits[None], count)[0]).to(logits.device)


def _softmax(logits: Tensor, temperature: float) -> Tensor:
    # The highest is taken off before dividing: next to a temperature of 0 a quotient could be infinite.
    exact = logits.double()
    return ((exact - exact.max()) / temperature).softmax(-1)


class Sampler:
    """Draws tokens with a generator of its own, so that nothing else in the program disturbs it.

    Attributes:
        settings: temperature, top_k and top_p; two samplers that agree in them draw from the same.
    """

    def __init__(self, *, temperature: float, top_k: int, top_p: float, seed: int) -> None:
        self.settings = (temperature, top_k, top_p)
        self._generator = torch.Generator().manual_seed(seed)

    def distribution(self, logits: Tensor) -> Distribution:
        """What `draw` draws from after logits [vocab]."""
        temperature, top_k, top_p = self.settings
        return filtered(logits, temperature=temperature, top_k=top_k, top_p=top_p)

    def draw(self, distribution: Distribution) -> int:
        """One token id."""
        place = torch.multinomial(distribution.probabilities.cpu(), 1, generator=self._generator)
        return int(distribution.ids[int(place)])
