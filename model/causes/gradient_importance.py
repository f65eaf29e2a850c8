"""Gradient importance of heads: how much the loss of a sentence moves with a head's factor.

Michel et al. 2019 (arXiv 1905.10650, section 4.1): I_h = E |∂L(x)/∂ξ_h|, with ξ_h = 1 the factor of head h's
output, here with L(x) the negative log probability of a sentence's target. As in the paper the order follows
I_h divided by the L2 norm of its layer.

Shapes: b rows of a batch, h heads.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from model.bundle.bundle import Bundle
from model.causes.heads_off import Head
from model.causes.pair_batches import PairBatch, PairBatches, pair_logprobs
from model.inspection.backwards import recording
from model.inspection.gradients import differentiable
from model.network.attention import AttentionSite
from model.network.transformer import Transformer

Doubles = npt.NDArray[np.float64]


def gradient_importance(
    bundle: Bundle, pairs: PairBatches, heads: Sequence[Head]
) -> Generator[None, None, Doubles]:
    """I_h of each head, in nats; yields after each batch.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    network = differentiable(bundle).transformer
    totals: dict[AttentionSite, Tensor] = {}
    sites = list(dict.fromkeys(AttentionSite(kind, layer) for kind, layer, _ in heads))
    for batch in pairs.batches:
        for site, found in _of_batch(network, batch, sites).items():
            totals[site] = totals[site] + found if site in totals else found
        yield None
    values = [float(totals[AttentionSite(kind, layer)][head]) for kind, layer, head in heads]
    return np.array(values) / len(pairs.pairs)


def over_layer(importance: Doubles, heads: Sequence[Head]) -> Doubles:
    """Importance divided by its L2 norm over the heads of the same kind and layer; 0 where all are 0."""
    sums: dict[tuple[str, int], float] = {}
    for value, (kind, layer, _) in zip(importance.tolist(), heads, strict=True):
        sums[kind, layer] = sums.get((kind, layer), 0.0) + value**2
    norms = np.sqrt([sums[kind, layer] for kind, layer, _ in heads])
    return np.divide(importance, norms, out=np.zeros_like(importance), where=norms > 0)


def _of_batch(
    network: Transformer, batch: PairBatch, sites: Sequence[AttentionSite]
) -> dict[AttentionSite, Tensor]:
    """[h] sum of |∂L/∂ξ_h| over the rows."""
    n_heads = network.architecture.n_heads
    with recording():
        factors = {
            site: torch.ones(len(batch.places), n_heads, device=network.device, requires_grad=True)
            for site in sites
        }

        def tap(site: AttentionSite, pattern: Tensor) -> Tensor | None:
            factor = factors.get(site)
            return None if factor is None else pattern * factor[:, :, None, None].to(pattern)

        # The rows do not look at each other: the gradient of their sum by a row's own factor is the row's.
        loss = -pair_logprobs(network, batch, tap).sum()
        found = torch.autograd.grad(loss, list(factors.values()))
    return {site: each.double().abs().sum(0).cpu() for site, each in zip(sites, found, strict=True)}
