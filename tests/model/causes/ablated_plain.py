"""An oracle for heads off and layers read: the plain-torch Transformer. Imports nothing of ours."""

from __future__ import annotations

import math
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.model.network.plain_transformer import PlainTransformer

Head = tuple[str, int, int]  # family, layer, head


class AblatedPlain(PlainTransformer):
    """In float64.

    Attributes:
        factors: what multiplies a head's output before W_O.
        instead: what stands in its place, [e] for every token or [tokens, e].
        read_layer: which encoder layer the decoder reads, closed as the last one is.
        mixed: the heads' outputs of the newest reading, [tokens, e].
    """

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.w = {name: tensor.double() for name, tensor in self.w.items()}
        self.factors: dict[Head, float] = {}
        self.instead: dict[Head, Tensor] = {}
        self.read_layer: int | None = None
        self.mixed: dict[Head, Tensor] = {}

    def logits(self, source: list[int], target: list[int]) -> Tensor:
        """[T, target_vocab] of one sentence."""
        tied = self.a["tie_embeddings"]
        source_table = self.w["source_embedding.weight"]
        target_table = source_table if tied == "all" else self.w["target_embedding.weight"]
        output = target_table if tied != "none" else self.w["output.weight"]
        x = self.embed(source_table, source)
        layers = self.a["encoder_layers"] if self.read_layer is None else self.read_layer
        for layer in range(layers):
            x = self.encoder_layer(f"encoder.layers.{layer}.", x)
        memory = self.closing_norm("encoder", x)
        y = self.embed(target_table, target)
        for layer in range(self.a["decoder_layers"]):
            y = self.decoder_layer(f"decoder.layers.{layer}.", y, memory)
        logits = self.closing_norm("decoder", y) @ output.T
        return logits + self.w["output.bias"] if self.a["output_bias"] else logits

    def words(self, source: list[int], out: list[int], start: int = 2) -> list[float]:
        """Log probability of each token of a translation."""
        logprobs = self.logits(source, [start, *out[:-1]]).log_softmax(-1)
        return [float(logprobs[step, token]) for step, token in enumerate(out)]

    def greedy(self, source: list[int], most: int, start: int = 2, end: int = 3) -> list[int]:
        """The likeliest token at every step, the end token included where it comes."""
        out: list[int] = []
        while len(out) < most and end not in out:
            out.append(int(self.logits(source, [start, *out])[-1].argmax()))
        return out

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        stack, _, layer, module = name.split(".")
        family = {"encoder": "encoder_self", "decoder": "decoder_self"}[stack]
        family = "cross" if module == "multihead_attn" else family
        d, heads = self.a["d_model"], self.a["n_heads"]
        e = d // heads
        weight = self.w[f"{name}.in_proj_weight"]
        bias = self.w.get(f"{name}.in_proj_bias", torch.zeros(3 * d).double())
        q, k, v = (
            F.linear(y, weight[i * d : (i + 1) * d], bias[i * d : (i + 1) * d])
            for i, y in enumerate((x, memory, memory))
        )
        mixed = []
        for head in range(heads):
            columns = slice(head * e, (head + 1) * e)
            scores = q[:, columns] @ k[:, columns].T / math.sqrt(e)
            if causal:
                scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), -math.inf)
            out = scores.softmax(-1) @ v[:, columns]
            place = (family, int(layer), head)
            self.mixed[place] = out
            out = out * self.factors.get(place, 1.0)
            if place in self.instead:
                rows = self.instead[place]
                out = rows.expand_as(out) if rows.dim() == 1 else rows[: len(out)]
            mixed.append(out)
        return F.linear(
            torch.cat(mixed, -1), self.w[f"{name}.out_proj.weight"], self.w.get(f"{name}.out_proj.bias")
        )
