"""Copying: what is copied from the source instead of generated (See et al. 2017, arXiv 1704.04368).

A word may be generated from the vocabulary, or copied from where the decoder attends to:

    p(w) = [g + (1 - g) r] softmax(logits)(w) + (1 - g) sum of a_i over the places i where w stands

with a the mean over heads of the last decoder layer's cross-attention as it is used, and the gate g (their
p_gen, section 2.2) = sigmoid(v · [c; s; x] + b): c the mean of the encoder's output weighted by a, s the
decoder's output, x what entered the decoder. Special tokens are generated, never copied: what a spends on
them, r in all, counts for generating. So it does when a sums to less than 1 (a head that is switched off):
all is divided by its sum.

What it takes travels with tensors that others pass on as they are. The encoder's output carries the source
ids as one more channel; behind the decoder's output each row carries the logit of g, a, and the ids that
stand there, from which `Transformer.project` makes the logarithm of p.

Shapes: b batch, S source tokens, T target tokens, d d_model, V vocabulary.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from model.config import FIRST_WORD
from model.network.attention import AttentionSite, Tap
from model.network.carrying import carrying_of
from model.trace.trace import AttentionKind

_STEEPEST = 80.0  # exp of it is a float32


class CopyParts(NamedTuple):
    """What a row of a copying decoder consists of.

    Attributes:
        state: [..., d].
        gate: [..., 1] the logit of g.
        pointer: [..., S] a; ids: int64 [..., S] what stands there.
    """

    state: Tensor
    gate: Tensor
    pointer: Tensor
    ids: Tensor

    @property
    def words(self) -> Tensor:
        """bool [..., S]: what may be copied."""
        return self.ids >= FIRST_WORD


class PointerTap:
    """Keeps the last cross-attention pattern as it is used; itself a `Tap`.

    Args:
        tap: what else sees patterns, and may replace them.

    Attributes:
        pattern: [b, head, T, S].
    """

    pattern: Tensor

    def __init__(self, tap: Tap | None) -> None:
        self._tap = tap
        self.carrying = carrying_of(tap)

    def __call__(self, site: AttentionSite, pattern: Tensor) -> Tensor | None:
        """See `model.network.attention.Tap`."""
        replaced = None if self._tap is None else self._tap(site, pattern)
        if site.kind is AttentionKind.CROSS:
            self.pattern = pattern if replaced is None else replaced
        return replaced


def with_ids(memory: Tensor, source: Tensor) -> Tensor:
    """[b, S, d + 1] of the encoder's output [b, S, d] and the ids [b, S] that it read."""
    # float32 holds ids up to 2^24 exactly; narrower types do not.
    return torch.cat([memory, source[..., None].to(torch.promote_types(memory.dtype, torch.float32))], -1)


def copy_rows(
    gate: nn.Linear, state: Tensor, entered: Tensor, pattern: Tensor, read: Tensor, ids: Tensor
) -> Tensor:
    """Rows [b, T, d + 1 + 2 S] of the decoder's output.

    Args:
        gate: v and b.
        state: [b, T, d] the decoder's output; entered: [b, T, d] what entered it.
        pattern: [b, head, T, S], of the last cross-attention as it is used.
        read: [b or 1, S, d] what that cross-attention reads; ids: [b or 1, S] of the source, as floats.
    """
    dtype = read.dtype
    pointer = pattern.to(dtype).mean(1)
    logit = gate(torch.cat([pointer @ read, state.to(dtype), entered.to(dtype)], -1)).to(dtype)
    return torch.cat([state.to(dtype), logit, pointer, ids[:, None].expand_as(pointer)], -1)


def copy_parts(rows: Tensor, d_model: int) -> CopyParts:
    """The parts of rows [..., d + 1 + 2 S]."""
    places = (rows.shape[-1] - d_model - 1) // 2
    state, gate, pointer, ids = torch.split(rows, [d_model, 1, places, places], -1)
    return CopyParts(state, gate, pointer, ids.long())


def mixed(logits: Tensor, parts: CopyParts) -> Tensor:
    """log p [..., V] from what is generated, logits [..., V]; up to a constant where a does not sum to 1."""
    logits = logits.to(parts.gate.dtype)
    spent = parts.pointer.masked_fill(parts.words, 0.0).sum(-1, keepdim=True)
    generating = _log_added(F.logsigmoid(parts.gate), F.logsigmoid(-parts.gate), spent)
    copied = torch.zeros_like(logits).scatter_add(-1, parts.ids, parts.pointer.masked_fill(~parts.words, 0.0))
    return _log_added(generating + logits.log_softmax(-1), F.logsigmoid(-parts.gate), copied)


def copy_shares(parts: CopyParts) -> Tensor:
    """[...] how much of the next token's probability is copied, 0 to 1."""
    pointer = parts.pointer
    words = pointer.masked_fill(~parts.words, 0.0).sum(-1)
    generating, copying = parts.gate[..., 0].sigmoid(), (-parts.gate[..., 0]).sigmoid()
    return copying * words / (generating + copying * pointer.sum(-1))


def _log_added(logarithm: Tensor, factor: Tensor, share: Tensor) -> Tensor:
    """log(exp(logarithm) + exp(factor) share); its gradient by the share is right at 0, too."""
    there = share > 0
    both = torch.logaddexp(logarithm, factor + torch.where(there, share, 1.0).log())
    slope = (factor - logarithm).clamp(max=_STEEPEST).exp()
    return torch.where(there, both, logarithm + share.masked_fill(there, 0.0) * slope)
