"""Gradients by attention weights of a model that `transformers` runs, by backpropagation through all of it.

What `model.inspection.gradients` says holds here too: a gradient is that of the weight as it is recorded,
everything after it computed anew, and 0 where attention is not allowed.

Shapes: L layers, H heads, Q queries, K keys, T steps.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np
import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.foreign.inside.tapping import Sight
from model.inspection.backwards import check_size, recording
from model.inspection.hooked.hooked_pass import segments_of
from model.inspection.hooked.readings import HookedReader
from model.network.attention import AttentionSite
from model.questions.answers import Gradients
from model.questions.questions import GradientOf
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats


def hooked_gradients(question: GradientOf, reader: HookedReader) -> Iterator[Gradients | None]:
    """Gradients of one step's log probability; yields None before they are worked out, all in one go.

    Raises:
        HeadscopeError: there is no such step, the answer would be too large, or numbers overflow.
    """
    step, steps = question.step, len(reader.out_ids)
    if not steps:
        raise HeadscopeError("inspection_nothing")
    if not 0 <= step < steps:
        raise HeadscopeError("export_step", value=step + 1, count=steps)
    check_size(reader.outline.shape, reader.source_ids.shape[1], steps)
    yield None
    yield _worked_out(reader, step)


def _worked_out(reader: HookedReader, step: int) -> Gradients:
    taken: dict[AttentionSite, tuple[Tensor, Tensor | None]] = {}
    altering = reader.altering

    def watch(sight: Sight) -> Tensor:
        shown = altering.shown(sight.site, sight.pattern)
        if not shown.requires_grad:  # the first of all: nothing before it is differentiated
            shown = shown.detach().clone().requires_grad_()
        taken[sight.site] = shown, sight.allowed
        return altering.scaled(sight.site, shown)

    with recording():
        source, target = reader.source_ids.clone(), reader.target_ids[:, : step + 1].clone()
        with reader.inside.watched(watch):
            output = reader.inside.run(source, target, altering.source_mask, **segments_of(reader))
        logprob = output.logits[0, step].float().log_softmax(-1)[reader.out_ids[step]]
        if not bool(logprob.isfinite()):
            raise HeadscopeError("model_overflow")
        patterns = [pattern for pattern, _ in taken.values()]
        found = torch.autograd.grad(logprob, patterns, allow_unused=True, materialize_grads=True)
    noted = {
        site: _noted(reader, site, gradient[0], allowed)
        for (site, (_, allowed)), gradient in zip(taken.items(), found, strict=True)
    }
    by_kind = groupby(sorted(noted), key=lambda site: site.kind)
    gradients = {kind: read_only(np.stack([noted[site] for site in sites])) for kind, sites in by_kind}
    if not all(np.isfinite(array).all() for array in gradients.values()):
        raise HeadscopeError("model_overflow")
    return Gradients(step, float(logprob.detach()), gradients)


def _noted(reader: HookedReader, site: AttentionSite, gradient: Tensor, allowed: Tensor | None) -> Floats:
    """[H, Q, K] of all rows; zeros for steps that were not read."""
    rows = reader.rows(site.kind)
    keys = reader.source_ids.shape[1] if site.kind is not AttentionKind.DECODER_SELF else rows
    result = np.zeros((gradient.shape[0], rows, keys), np.float32)
    if allowed is not None:
        gradient = gradient.masked_fill(~allowed[0], 0.0)
    result[:, : gradient.shape[1], : gradient.shape[2]] = gradient.float().numpy(force=True)
    return result
