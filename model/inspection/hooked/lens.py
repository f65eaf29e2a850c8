"""Logit lens of a model that `transformers` runs: its own head reads what leaves each of its layers.

Nothing is known of the head here: what leaves the last layer is replaced, for a moment, by what left the
others, a layer in the place of a token, and what comes behind it, norms, scales and matrices, does the rest.

Shapes: L layers, d width of the residual stream, V words.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from model.errors import HeadscopeError
from model.inspection.hooked.hooked_pass import HookedPass
from model.inspection.hooked.readings import HookedReader
from model.trace.trace import AttentionKind, Side


@torch.inference_mode()
def layer_logits(reader: HookedReader, found: HookedPass, position: int) -> Tensor:
    """Logits [L, V] of what left each layer at a position, float32; the last row is the model's own.

    Raises:
        HeadscopeError: `others_unexplained`: the model has no head that says words; `model_overflow`.
    """
    inside = reader.inside
    reads = inside.anatomy.decoder is None
    side: Side = "source" if reads else "target"
    kind = AttentionKind.ENCODER_SELF if reads else AttentionKind.DECODER_SELF
    left = [one.after[position] for one in found.sublayers[side] if one.name == "feed_forward"]
    rows = torch.stack(left)[None]
    hook = inside.layers(kind)[-1].register_forward_hook(_instead(rows))
    ids = (reader.source_ids if reads else reader.target_ids)[:, :1].expand(1, len(left))
    try:
        output = inside.run(ids if reads else reader.source_ids, ids)
    finally:
        hook.remove()
    logits = getattr(output, "logits", None)
    if logits is None or logits.dim() != 3:
        raise HeadscopeError("others_unexplained", name=reader.model.name)
    if not bool(logits.isfinite().all()):
        raise HeadscopeError("model_overflow")
    result: Tensor = logits[0].float()
    return result


def _instead(rows: Tensor) -> Any:
    def give(_: nn.Module, __: Any, output: Any) -> Any:
        return (rows, *output[1:]) if isinstance(output, tuple) else rows

    return give
