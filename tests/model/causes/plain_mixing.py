"""ALTI, ALTI+ and value zeroing written out in plain torch, token by token; imports nothing of ours.

Everything comes from an oracle that has read `model.safetensors` by itself and kept what each sub-layer and
norm was given (`tests.model.inspection.watched`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from tests.model.inspection.watched import WatchedPlain

MODULES = {"encoder_self": "self_attn", "decoder_self": "self_attn", "cross": "multihead_attn"}
NORMS = {"encoder_self": "norm1", "decoder_self": "norm1", "cross": "norm2"}


class PlainMixing:
    """Equations of arXiv 2203.04212, 2205.11631 and 2301.12971; kinds by name, layers from 0."""

    def __init__(self, folder: Path, source: tuple[int, ...], out: tuple[int, ...], **changed: Any) -> None:
        self.plain = WatchedPlain(folder, **changed)
        self.plain.read(source, out)
        self.a = self.plain.a
        self.pre = self.a["norm"] == "pre_norm"

    def names(self, kind: str, layer: int) -> tuple[str, str, str]:
        """Of the layer, its attention and the norm around that."""
        stack = "encoder" if kind == "encoder_self" else "decoder"
        base = f"{stack}.layers.{layer}."
        return base, base + MODULES[kind], base + NORMS[kind]

    def frozen(self, norm: str, x: Tensor, at: Tensor) -> Tensor:
        """The linear part of LayerNorm, its deviation that of `at`: gamma · (x - mean x) / deviation."""
        deviation = torch.sqrt(((at - at.mean()) ** 2).mean() + self.a["norm_eps"])
        return self.plain.w[norm + ".weight"] * (x - x.mean()) / deviation

    def stream(self, kind: str, layer: int) -> Tensor:
        """[Q, d] what the residual connection carries past an attention."""
        _, attention, norm = self.names(kind, layer)
        return self.plain.seen[norm].entered if self.pre else self.plain.seen[attention].entered

    def memory(self) -> Tensor:
        last = self.a["encoder_layers"] - 1
        name = "encoder.norm" if self.pre else f"encoder.layers.{last}.norm2"
        return self.plain.seen[name].left

    def pieces(self, kind: str, layer: int, head: int, i: int, j: int) -> Tensor:
        """[d] head's part of T_i(x_j) before a norm that comes after."""
        _, attention, norm = self.names(kind, layer)
        e = self.a["d_model"] // self.a["n_heads"]
        rows = slice(2 * self.a["d_model"] + head * e, 2 * self.a["d_model"] + (head + 1) * e)
        w_v = self.plain.w[attention + ".in_proj_weight"][rows]
        w_o = self.plain.w[attention + ".out_proj.weight"][:, head * e : (head + 1) * e]
        if kind == "cross":
            x = self.memory()[j]
        else:
            x = self.stream(kind, layer)[j]
            x = self.frozen(norm, x, x) if self.pre else x
        return self.plain.heads[kind, layer, head].used[i, j] * (w_o @ (w_v @ x))

    def transformed(self, kind: str, layer: int, i: int, j: int | None) -> Tensor:
        """[d] T_i(x_j); j None: the residual by itself."""
        norm = self.names(kind, layer)[2]
        entered = self.stream(kind, layer)[i]
        if j is None:
            vector = entered
        else:
            parts = (self.pieces(kind, layer, head, i, j) for head in range(self.a["n_heads"]))
            vector = torch.stack(list(parts)).sum(0)
            if kind != "cross" and i == j:
                vector = vector + entered
        return vector if self.pre else self.frozen(norm, vector, self.total(kind, layer)[i])

    def total(self, kind: str, layer: int) -> Tensor:
        return self.stream(kind, layer) + self.plain.seen[self.names(kind, layer)[1]].left

    def block_output(self, kind: str, layer: int) -> Tensor:
        """[Q, d] y."""
        return self.total(kind, layer) if self.pre else self.plain.seen[self.names(kind, layer)[2]].left

    def contributions(self, kind: str, layer: int) -> Tensor:
        """[Q, K] of one layer; of cross-attention [Q, K + 1] with the residual last."""
        y = self.block_output(kind, layer)
        keys = self.plain.heads[kind, layer, 0].used.shape[1]
        rows = []
        for i in range(len(y)):
            parts = [self.transformed(kind, layer, i, j) for j in range(keys)]
            parts += [self.transformed(kind, layer, i, None)] if kind == "cross" else []
            near = [max(0.0, float(y[i].abs().sum() - (y[i] - part).abs().sum())) for part in parts]
            rows.append([one / sum(near) for one in near])
        return torch.tensor(rows, dtype=torch.float64)

    def both_stacks(self) -> tuple[list[Tensor], list[Tensor], list[Tensor]]:
        """Source to each encoder layer's end; source and prefix to each decoder layer's."""
        encoder = [torch.eye(len(self.memory())).double()]
        for layer in range(self.a["encoder_layers"]):
            encoder.append(self.contributions("encoder_self", layer) @ encoder[-1])
        steps = len(self.block_output("cross", 0))
        whole = torch.cat([torch.zeros(steps, len(self.memory())), torch.eye(steps)], 1).double()
        sources, prefixes = [], []
        for layer in range(self.a["decoder_layers"]):
            whole = self.contributions("decoder_self", layer) @ whole
            cross = self.contributions("cross", layer)
            brought = torch.cat([cross[:, :-1] @ encoder[-1], torch.zeros(steps, steps).double()], 1)
            whole = cross[:, -1:] * whole + brought
            sources.append(whole[:, : len(self.memory())])
            prefixes.append(whole[:, len(self.memory()) :])
        return encoder[1:], sources, prefixes

    # Value zeroing.

    def layer_output(self, kind: str, layer: int, attention_output: Tensor) -> Tensor:
        """[Q, d] what leaves the layer if an attention gave this."""
        base, _, norm = self.names(kind, layer)
        x = self.stream(kind, layer) + attention_output
        x = x if self.pre else self.plain.norm(norm, x)
        if kind == "decoder_self":
            y = self.plain.norm(base + "norm2", x) if self.pre else x
            x = x + self.plain.attention(base + "multihead_attn", y, self.memory(), False)
            x = x if self.pre else self.plain.norm(base + "norm2", x)
        last = base + ("norm2" if kind == "encoder_self" else "norm3")
        if self.pre:
            return x + self.plain.feed_forward(base, self.plain.norm(last, x))
        return self.plain.norm(last, x + self.plain.feed_forward(base, x))

    def zeroed(self, kind: str, layer: int) -> Tensor:
        """[Q, K] 1 - cos, rows normalised."""
        name, heads = self.names(kind, layer)[1], self.a["n_heads"]
        given = [self.plain.heads[kind, layer, head] for head in range(heads)]
        e = self.a["d_model"] // heads
        w_o, bias = self.plain.w[name + ".out_proj.weight"], self.plain.w.get(name + ".out_proj.bias", 0.0)

        def output(without: int | None) -> Tensor:
            mixed = []
            for one in given:
                v = one.v.clone()
                if without is not None:
                    v[without] = 0.0
                mixed.append(one.used @ v)
            assert mixed[0].shape[1] == e
            seen, seen_heads = dict(self.plain.seen), dict(self.plain.heads)
            result = self.layer_output(kind, layer, torch.cat(mixed, 1) @ w_o.T + bias)
            self.plain.seen, self.plain.heads = seen, seen_heads  # as the reading itself left them
            return result

        whole = output(None)
        columns = [
            1 - torch.cosine_similarity(whole, output(j), dim=1) for j in range(given[0].used.shape[1])
        ]
        table = torch.stack(columns, 1)
        return table / table.sum(1, keepdim=True)
