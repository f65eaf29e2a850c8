"""An oracle for what a model computes on the way: plain torch in float64, altered by hand, all steps noted.

Imports nothing of ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.model.alterations.altered_plain import AlteredPlain

FAMILIES = {"encoder_self": "encoder", "decoder_self": "decoder", "cross": "decoder"}


@dataclass(frozen=True)
class Watched:
    """One call of a sub-layer or a norm."""

    entered: Tensor
    left: Tensor


@dataclass(frozen=True)
class WatchedHead:
    q: Tensor
    k: Tensor
    v: Tensor
    scores: Tensor
    masked: Tensor
    pattern: Tensor  # softmax
    used: Tensor
    share: Tensor  # used @ v times the head's columns of W_O, [Q, d]


class WatchedPlain(AlteredPlain):
    """Everything counts from 0.

    Attributes:
        seen: sub-layers (`encoder.layers.0.self_attn`, `...feed_forward`) and norms by their names.
        heads: by (family, layer, head).
        nudge: (family, layer, head, query, key, amount): added to one weight.
        closed: each stack's output.
        copied: [T] of a model that copies: the share of what is copied.
    """

    def __init__(self, folder: Path, **changes: Any) -> None:
        super().__init__(folder, **changes)
        self.w = {name: tensor.double() for name, tensor in self.w.items()}
        self.seen: dict[str, Watched] = {}
        self.heads: dict[tuple[str, int, int], WatchedHead] = {}
        self.nudge: tuple[str, int, int, int, int, float] | None = None
        self.embedded: list[Tensor] = []
        self.closed: dict[str, Tensor] = {}
        self.copied = torch.zeros(0)

    def read(self, source: Sequence[int], out: Sequence[int], start: int = 2) -> Tensor:
        """Log probabilities [T, V] of a translation."""
        self.embedded = []
        return self.logits(list(source), [start, *out][: len(out)]).log_softmax(-1)

    def logits(self, source: list[int], target: list[int]) -> Tensor:
        logits = super().logits(source, target)
        return self.pointed(logits, source) if self.a.get("copying") else logits

    def closing_norm(self, stack: str, x: Tensor) -> Tensor:
        self.closed[stack] = super().closing_norm(stack, x)
        return self.closed[stack]

    def pointed(self, logits: Tensor, source: list[int]) -> Tensor:
        """log p of the pointer-generator (arXiv 1704.04368, equations 8 and 9), word after word."""
        last = self.a["decoder_layers"] - 1
        heads = [self.heads["cross", last, head].used for head in range(self.a["n_heads"])]
        a = sum(heads[1:], heads[0]) / len(heads)
        context = a @ self.closed["encoder"]
        about = torch.cat([context, self.closed["decoder"], self.embedded[1]], 1)
        gate = torch.sigmoid(about @ self.w["copy_gate.weight"][0] + self.w["copy_gate.bias"])
        words = torch.tensor([float(token > 3) for token in source]).double()
        generated, copied = gate + (1 - gate) * (a * (1 - words)).sum(1), (1 - gate) * (a * words).sum(1)
        p = generated[:, None] * logits.softmax(-1)
        for place, token in enumerate(source):
            p[:, token] += (1 - gate) * a[:, place] * words[place]
        self.copied = copied / (generated + copied)
        return (p / p.sum(1, keepdim=True)).log()

    def embed(self, table: Tensor, ids: list[int]) -> Tensor:
        self.embedded.append(super().embed(table, ids))
        return self.embedded[-1]

    def feed_forward(self, name: str, x: Tensor) -> Tensor:
        result = super().feed_forward(name, x)
        self.seen[name + "feed_forward"] = Watched(x, result)
        return result

    def norm(self, name: str, x: Tensor) -> Tensor:
        result = super().norm(name, x)
        self.seen[name] = Watched(x, result)
        return result

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        stack, _, layer, module = name.split(".")
        family = "cross" if module == "multihead_attn" else f"{stack}_self"
        d, count = self.a["d_model"], self.a["n_heads"]
        e = d // count
        weight = self.w[f"{name}.in_proj_weight"]
        bias = self.w.get(f"{name}.in_proj_bias", torch.zeros(3 * d).double())
        out, out_bias = self.w[f"{name}.out_proj.weight"], self.w.get(f"{name}.out_proj.bias")
        q, k, v = (
            F.linear(y, weight[i * d : (i + 1) * d], bias[i * d : (i + 1) * d])
            for i, y in enumerate((x, memory, memory))
        )
        total = torch.zeros_like(x) if out_bias is None else out_bias.expand(len(x), d)
        for head in range(count):
            columns = slice(head * e, (head + 1) * e)
            scores = q[:, columns] @ k[:, columns].T
            masked = scores / math.sqrt(e)
            if causal:
                masked = masked.masked_fill(torch.ones(len(x), len(x)).triu(1).bool(), -math.inf)
            if family != "decoder_self":
                masked[:, self.blocked] = -math.inf
            pattern = masked.softmax(-1).nan_to_num(0.0)
            used = self.changed(pattern.clone(), (family, int(layer), head))
            share = used @ v[:, columns] @ out[:, columns].T
            self.heads[family, int(layer), head] = WatchedHead(
                q[:, columns], k[:, columns], v[:, columns], scores, masked, pattern, used, share
            )
            total = total + share
        self.seen[name] = Watched(x, total)
        return total

    def changed(self, pattern: Tensor, place: tuple[str, int, int]) -> Tensor:
        """Rows set, then one weight nudged, then the head scaled."""
        for (*at, query), row in self.rows.items():
            if tuple(at) == place and query < len(pattern):
                pattern[query] = torch.tensor([*row, *[0.0] * (pattern.shape[1] - len(row))])
        if self.nudge is not None and self.nudge[:3] == place:
            *_, query, key, amount = self.nudge
            pattern[query, key] += amount
        return pattern * self.scales.get(place, 1.0)

    def entered(self, family: str, layer: int) -> Watched:
        """What the attention of a family and layer read and gave."""
        module = "multihead_attn" if family == "cross" else "self_attn"
        return self.seen[f"{FAMILIES[family]}.layers.{layer}.{module}"]
