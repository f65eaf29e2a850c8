"""An oracle for bundles: the Transformer rebuilt from its files in plain torch. Imports nothing of ours."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.model.safetensors_by_hand import parse

ACTIVATIONS = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


def each_its_own(fused: Tensor, a: dict[str, Any]) -> Tensor:
    """The fused projection (or bias) of a model whose heads share keys and values, with a copy for each head.

    Ainslie et al. 2023, figure 2: neighbouring heads share.
    """
    heads, shared = a["n_heads"], a.get("kv_heads") or a["n_heads"]
    e = a["d_model"] // heads
    blocks = [fused[row : row + e] for row in range(0, len(fused), e)]
    assert len(blocks) == heads + 2 * shared
    queries, keys, values = blocks[:heads], blocks[heads : heads + shared], blocks[heads + shared :]
    owned = [part[head * shared // heads] for part in (keys, values) for head in range(heads)]
    return torch.cat([*queries, *owned])


class PlainTransformer:
    def __init__(self, folder: Path) -> None:
        self.a: dict[str, Any] = json.loads((folder / "config.json").read_text("utf-8"))["architecture"]
        tensors, _ = parse(folder / "model.safetensors")
        self.w = {
            name: each_its_own(torch.tensor(array).float(), self.a)
            if ".in_proj_" in name
            else torch.tensor(array).float()
            for name, array in tensors.items()
        }

    def logits(self, source: list[int], target: list[int]) -> Tensor:
        """[T, target_vocab] of one sentence."""
        source_table = self.w["source_embedding.weight"]
        tied = self.a["tie_embeddings"]
        target_table = source_table if tied == "all" else self.w["target_embedding.weight"]
        output = target_table if tied != "none" else self.w["output.weight"]
        x = self.embed(source_table, source)
        for layer in range(self.a["encoder_layers"]):
            x = self.encoder_layer(f"encoder.layers.{layer}.", x)
        memory = self.closing_norm("encoder", x)
        y = self.embed(target_table, target)
        for layer in range(self.a["decoder_layers"]):
            y = self.decoder_layer(f"decoder.layers.{layer}.", y, memory)
        logits = self.closing_norm("decoder", y) @ output.T
        return logits + self.w["output.bias"] if self.a["output_bias"] else logits

    def embed(self, table: Tensor, ids: list[int]) -> Tensor:
        d = self.a["d_model"]
        x = table[torch.tensor(ids)] * (math.sqrt(d) if self.a["scale_embedding"] else 1.0)
        if self.a["positions"] == "learned":
            return x + self.w["positions.weight"][: len(ids)]
        if self.a["positions"] == "none":
            return x
        encoding = torch.zeros(len(ids), d)
        for position in range(len(ids)):
            for i in range(d // 2):
                angle = position / self.a["position_base"] ** (2 * i / d)
                in_turn = self.a["position_layout"] == "interleaved"
                sine, cosine = (2 * i, 2 * i + 1) if in_turn else (i, d // 2 + i)
                encoding[position, sine] = math.sin(angle)
                encoding[position, cosine] = math.cos(angle)
        return x + encoding

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        d, heads = self.a["d_model"], self.a["n_heads"]
        e = d // heads
        weight, bias = self.w[f"{name}.in_proj_weight"], self.w.get(f"{name}.in_proj_bias")
        assert (bias is not None) == self.a["attention_bias"]
        inputs = (x, memory, memory)
        q, k, v = (
            F.linear(
                inputs[i], weight[i * d : (i + 1) * d], None if bias is None else bias[i * d : (i + 1) * d]
            )
            for i in range(3)
        )
        mixed = []
        for head in range(heads):
            columns = slice(head * e, (head + 1) * e)
            scores = q[:, columns] @ k[:, columns].T / math.sqrt(e)
            if causal:
                for query in range(scores.shape[0]):
                    scores[query, query + 1 :] = -math.inf
            mixed.append(torch.softmax(scores, dim=-1) @ v[:, columns])
        return F.linear(
            torch.cat(mixed, dim=-1), self.w[f"{name}.out_proj.weight"], self.w.get(f"{name}.out_proj.bias")
        )

    def feed_forward(self, name: str, x: Tensor) -> Tensor:
        w = self.w
        hidden = ACTIVATIONS[self.a["activation"]](
            F.linear(x, w[name + "linear1.weight"], w[name + "linear1.bias"])
        )
        return F.linear(hidden, w[name + "linear2.weight"], w[name + "linear2.bias"])

    def norm(self, name: str, x: Tensor) -> Tensor:
        return F.layer_norm(
            x, (self.a["d_model"],), self.w[name + ".weight"], self.w[name + ".bias"], self.a["norm_eps"]
        )

    def closing_norm(self, stack: str, x: Tensor) -> Tensor:
        if self.a["norm"] == "post_norm":
            assert f"{stack}.norm.weight" not in self.w
            return x
        return self.norm(f"{stack}.norm", x)

    def encoder_layer(self, name: str, x: Tensor) -> Tensor:
        if self.a["norm"] == "pre_norm":
            y = self.norm(name + "norm1", x)
            x = x + self.attention(name + "self_attn", y, y, causal=False)
            return x + self.feed_forward(name, self.norm(name + "norm2", x))
        x = self.norm(name + "norm1", x + self.attention(name + "self_attn", x, x, causal=False))
        return self.norm(name + "norm2", x + self.feed_forward(name, x))

    def decoder_layer(self, name: str, x: Tensor, memory: Tensor) -> Tensor:
        if self.a["norm"] == "pre_norm":
            y = self.norm(name + "norm1", x)
            x = x + self.attention(name + "self_attn", y, y, causal=True)
            y = self.norm(name + "norm2", x)
            x = x + self.attention(name + "multihead_attn", y, memory, causal=False)
            return x + self.feed_forward(name, self.norm(name + "norm3", x))
        x = self.norm(name + "norm1", x + self.attention(name + "self_attn", x, x, causal=True))
        x = self.norm(name + "norm2", x + self.attention(name + "multihead_attn", x, memory, causal=False))
        return self.norm(name + "norm3", x + self.feed_forward(name, x))
