"""An oracle for the parts of a stream: what plain torch noted on the way, carried through each norm by hand.

Imports nothing of ours. A part is named (what, stack, where, layer, head).
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tests.model.inspection.watched import WatchedPlain

Name = tuple[str, str, str, Any, Any]
Sum = dict[Name, Tensor]

SUBLAYERS = {
    "encoder": (("self_attention", "self_attn", "norm1"), ("feed_forward", "feed_forward", "norm2")),
    "decoder": (
        ("self_attention", "self_attn", "norm1"),
        ("cross", "multihead_attn", "norm2"),
        ("feed_forward", "feed_forward", "norm3"),
    ),
}


def normed(
    plain: WatchedPlain, parts: Sum, norm: str, stack: str, where: str, layer: int | None, at: int
) -> Sum:
    """(x - mean) / sqrt(var + eps) * w + b of the whole row, given to each of its summands."""
    row = plain.seen[norm].entered[at]
    d = len(row)
    deviation = (((row - row.sum() / d) ** 2).sum() / d + plain.a["norm_eps"]).sqrt()
    weight, bias = plain.w[f"{norm}.weight"], plain.w[f"{norm}.bias"]
    found = {name: (part - part.sum() / d) / deviation * weight for name, part in parts.items()}
    return found | {("norm", stack, where, layer, None): bias}


def embedded(plain: WatchedPlain, stack: str, ids: list[int], at: int) -> Sum:
    side = 0 if stack == "encoder" else 1
    tied = plain.a["tie_embeddings"] == "all"
    table = plain.w["source_embedding.weight" if side == 0 or tied else "target_embedding.weight"]
    word = table[ids[at]] * (plain.a["d_model"] ** 0.5 if plain.a["scale_embedding"] else 1.0)
    found = {("word", stack, "", None, None): word}
    if plain.a["positions"] != "none":
        found["position", stack, "", None, None] = plain.embedded[side][at] - word
    return found


def parts_at(plain: WatchedPlain, stack: str, ids: list[int], at: int, upto: int, *, read: bool) -> Sum:
    """The stream after `upto` sub-layers; `read`: as the next one (or who reads the stack) reads it."""
    parts, pre = embedded(plain, stack, ids, at), plain.a["norm"] == "pre_norm"
    each = SUBLAYERS[stack]
    layers = plain.a[f"{stack}_layers"]
    for number in range(upto):
        layer, (where, module, norm) = number // len(each), each[number % len(each)]
        base = f"{stack}.layers.{layer}."
        if where == "feed_forward":
            bias = plain.w[base + "linear2.bias"]
            parts["feed_forward", stack, "", layer, None] = plain.seen[base + module].left[at] - bias
            parts["bias", stack, where, layer, None] = bias
        else:
            family = "cross" if where == "cross" else f"{stack}_self"
            for head in range(plain.a["n_heads"]):
                parts["head", stack, where, layer, head] = plain.heads[family, layer, head].share[at]
            if plain.a["attention_bias"]:
                parts["bias", stack, where, layer, None] = plain.w[f"{base}{module}.out_proj.bias"]
        if not pre:
            parts = normed(plain, parts, base + norm, stack, where, layer, at)
    if not (pre and read):
        return parts
    layer, place = divmod(upto, len(each))
    if layer == layers:
        return normed(plain, parts, f"{stack}.norm", stack, "closing", None, at)
    where, _, norm = each[place]
    return normed(plain, parts, f"{stack}.layers.{layer}.{norm}", stack, where, layer, at)


def projected(plain: WatchedPlain, attention: str, parts: Sum, part: int, head: int, bias: Name) -> Sum:
    """A head's queries (part 0) or keys (1) of each part, and of the projection's bias."""
    d, e = plain.a["d_model"], plain.a["d_model"] // plain.a["n_heads"]
    rows = slice(part * d + head * e, part * d + (head + 1) * e)
    found = {name: vector @ plain.w[f"{attention}.in_proj_weight"][rows].T for name, vector in parts.items()}
    if plain.a["attention_bias"]:
        found[bias] = plain.w[f"{attention}.in_proj_bias"][rows]
    return found


def sum_of(parts: Sum) -> Tensor:
    return torch.stack(list(parts.values())).sum(0)
