"""guided_attention: a penalty on cross-attention that leaves the diagonal, or that goes backwards.

Tachibana et al. 2018 (arXiv 1710.08969, section 4.1) for speech, where text is read from left to right:
W[t, s] = 1 − exp(−(t/T − s/S)² / 2g²), and what is added is the mean of W ⊙ A.

Shapes: b pairs, h heads, T target and S source tokens.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from model.config import Guide
from model.trace.trace import AttentionKind
from model.training.objectives.objective import Pass


def guided_attention(a_pass: Pass) -> Tensor:
    """The penalty, weighted as the run is told: a mean over real target tokens, guided heads and layers.

    Where `guide_heads` is above 0, the first so many heads of each decoder layer are guided, the others free.
    """
    config, inputs = a_pass.config, a_pass.inputs
    assert a_pass.patterns is not None
    rows = torch.zeros(inputs.target_in.numel(), device=inputs.real.device)
    rows[inputs.real] = 1.0
    rows = rows.view_as(inputs.target_in)
    if a_pass.transformer.architecture.in_rounds:  # its decoder reads the targets themselves, and no start
        rows = rows[:, 1:]
    sources = torch.full((len(rows),), inputs.source.shape[1], device=rows.device)
    if inputs.mask is not None:
        sources = inputs.mask.sum(1)
    lengths = rows.sum(1), sources
    cost = _COSTS[config.guide]
    found = []
    for site, pattern in a_pass.patterns.items():
        if site.kind is AttentionKind.CROSS:
            guided = pattern[:, : config.guide_heads or None].float()
            found.append((cost(guided, lengths, config.guide_width) * rows[:, None]).sum() / guided.shape[1])
    return config.guide_weight * torch.stack(found).mean() / max(a_pass.tokens, 1e-9)


def penalty_map(targets: float, sources: float, rows: int, columns: int, width: float) -> Tensor:
    """W [rows, columns] of the diagonal of `targets` by `sources` tokens, both counted from 0."""
    return _off_diagonal(torch.tensor([targets]), torch.tensor([sources]), rows, columns, width)[0]


def _off_diagonal(targets: Tensor, sources: Tensor, rows: int, columns: int, width: float) -> Tensor:
    """W [b, T, S] of pairs with so many tokens each."""
    t = torch.arange(rows, device=targets.device)[None, :, None] / targets.clamp_min(1)[:, None, None]
    s = torch.arange(columns, device=targets.device)[None, None] / sources.clamp_min(1)[:, None, None]
    return 1.0 - torch.exp(-((t - s) ** 2) / (2 * width**2))


def _diagonal(pattern: Tensor, lengths: tuple[Tensor, Tensor], width: float) -> Tensor:
    """[b, h, T] the weight of each row far from the diagonal."""
    penalty = _off_diagonal(*lengths, pattern.shape[2], pattern.shape[3], width)
    return (pattern * penalty[:, None]).sum(-1)


def _monotonic(pattern: Tensor, lengths: tuple[Tensor, Tensor], width: float) -> Tensor:
    """[b, h, T] how far the mean place that a row reads lies before the last row's, by source length."""
    places = torch.arange(pattern.shape[3], device=pattern.device, dtype=pattern.dtype)
    mean = (pattern @ places) / lengths[1].clamp_min(1)[:, None, None]
    back = (mean[:, :, :-1] - mean[:, :, 1:]).clamp_min(0)
    return torch.nn.functional.pad(back, (1, 0))


Cost = Callable[[Tensor, tuple[Tensor, Tensor], float], Tensor]
_COSTS: dict[Guide, Cost] = {"diagonal": _diagonal, "monotonic": _monotonic}
