"""An oracle for patching: plain torch in float64, numbers of one run put into another. Nothing of ours."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.model.inspection.watched import Watched, WatchedHead, WatchedPlain

Place = tuple[str, int, int]  # family, layer, head
Rows = Sequence[tuple[int, int]]  # row of B, row of A


class PatchedPlain(WatchedPlain):
    """Everything counts from 0.

    Attributes:
        carry: called with what is computed ("k", "v", "pattern", "z" of a head, "stream" of a layer); gives
            what to go on with.
        z, streams: what was computed, by head and by (stack, layer).
        reads: inputs that an attention's projections read, by (its name, "q" or "k" or "v"); instead of its
            own.
        frozen: outputs of sub-layers, by their names: instead of their own.
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.carry: Callable[[str, Place, Tensor], Tensor] = lambda what, place, x: x
        self.z: dict[Place, Tensor] = {}
        self.streams: dict[tuple[str, int], Tensor] = {}
        self.reads: dict[tuple[str, str, int], Tensor] = {}
        self.entered_: dict[str, tuple[Tensor, Tensor]] = {}
        self.frozen: dict[str, Tensor] = {}

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        self.entered_[name] = x, memory
        stack, _, layer, module = name.split(".")
        family = "cross" if module == "multihead_attn" else f"{stack}_self"
        d, count = self.a["d_model"], self.a["n_heads"]
        e = d // count
        weight = self.w[f"{name}.in_proj_weight"]
        bias = self.w.get(f"{name}.in_proj_bias", torch.zeros(3 * d).double())
        out = self.w[f"{name}.out_proj.weight"]
        out_bias = self.w.get(f"{name}.out_proj.bias", torch.zeros(d).double())
        total = out_bias.expand(len(x), d)
        for head in range(count):
            place = family, int(layer), head
            parts = []
            for i, (part, own) in enumerate((("q", x), ("k", memory), ("v", memory))):
                rows = slice(i * d + head * e, i * d + (head + 1) * e)
                read = self.reads.get((name, part, head), own)
                parts.append(self.carry(part, place, F.linear(read, weight[rows], bias[rows])))
            q, k, v = parts
            scores = q @ k.T / math.sqrt(e)
            if causal:
                scores = scores.masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), -math.inf)
            if family != "decoder_self":
                scores[:, self.blocked] = -math.inf
            pattern = self.carry("pattern", place, scores.softmax(-1))
            z = self.z[place] = self.carry("z", place, pattern @ v)
            share = z @ out[:, head * e : (head + 1) * e].T
            self.heads[place] = WatchedHead(q, k, v, scores, scores, pattern, pattern, share)
            total = total + share
        self.seen[name] = Watched(x, total)
        return self.frozen.get(name, total)

    def feed_forward(self, name: str, x: Tensor) -> Tensor:
        own = super().feed_forward(name, x)
        return self.frozen.get(name + "feed_forward", own)

    def encoder_layer(self, name: str, x: Tensor) -> Tensor:
        return self._left("encoder", int(name.split(".")[2]), super().encoder_layer(name, x))

    def decoder_layer(self, name: str, x: Tensor, memory: Tensor) -> Tensor:
        return self._left("decoder", int(name.split(".")[2]), super().decoder_layer(name, x, memory))

    def _left(self, stack: str, layer: int, x: Tensor) -> Tensor:
        self.streams[stack, layer] = self.carry("stream", (stack, layer, -1), x)
        return self.streams[stack, layer]


def put(own: Tensor, other: Tensor, rows: Rows) -> Tensor:
    """Rows of another in the places of those that have one."""
    result = own.clone()
    for b, a in rows:
        result[b] = other[a]
    return result


def put_weights(own: Tensor, other: Tensor, rows: Rows, keys: Rows) -> Tensor:
    """A's weights, as shares of what B's row has for the keys that both have."""
    result = own.clone()
    for b, a in rows:
        left, whole = sum(own[b, i] for i, _ in keys), sum(other[a, j] for _, j in keys)
        for i, j in keys:
            result[b, i] = other[a, j] / whole * left
    return result
