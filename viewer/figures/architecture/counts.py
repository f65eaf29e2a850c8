"""Counts: how many trained numbers each block of a model of ours holds; of tied weights, whose they are."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from model.config import Architecture
from model.folder.bundle_config import is_trained, weight_shapes

_NORMS = {
    "encoder": {"norm1": "self_attention", "norm2": "feed_forward"},
    "decoder": {"norm1": "self_attention", "norm2": "cross", "norm3": "feed_forward"},
}
_SUBLAYERS = {
    "self_attn": "self_attention",
    "multihead_attn": "cross",
    "linear1": "feed_forward",
    "linear2": "feed_forward",
}


def parameter_counts(architecture: Mapping[str, Any]) -> dict[str, int]:
    """By the key of each block that holds weights of its own.

    Raises:
        HeadscopeError: it is no architecture of ours.
    """
    a = Architecture.from_json(architecture)
    post = a.norm == "post_norm"
    counts: dict[str, int] = {}
    for name, shape in weight_shapes(a).items():
        if is_trained(name):
            key = _key(name, post=post)
            counts[key] = counts.get(key, 0) + math.prod(shape)
    if a.wiring == "mix":  # a row for each decoder layer, of which the picture has no block but its reader
        counts.pop("memory_mix")
        for layer in range(a.decoder_layers):
            counts[f"decoder.{layer}.cross"] += a.encoder_layers + 1
    return counts


def shared_weights(tie: str) -> dict[str, str]:
    """Blocks that use another's weights, by key."""
    shares = {"all": {"decoder.embedding": "encoder.embedding", "decoder.linear": "encoder.embedding"}}
    return shares.get(tie, {"decoder.linear": "decoder.embedding"} if tie == "target_output" else {})


def _key(name: str, *, post: bool) -> str:
    """The block that holds a tensor."""
    match name.split("."):
        case ["source_embedding", _]:
            return "encoder.embedding"
        case ["target_embedding", _]:
            return "decoder.embedding"
        case ["output", _]:
            return "decoder.linear"
        case ["copy_gate", _]:
            return "decoder.copy"
        case ["length", _]:
            return "decoder.length"
        case ["positions", _]:
            return "encoder.positions"
        case ["memory_mix", _]:
            return "memory_mix"
        case [stack, "norm", _]:
            return f"{stack}.final_norm"
        case [stack, "layers", layer, part, *_]:
            if part in _SUBLAYERS:
                return f"{stack}.{layer}.{_SUBLAYERS[part]}"
            return f"{stack}.{layer}.{_NORMS[stack][part]}.{'add_norm' if post else 'norm'}"
    raise KeyError(name)
