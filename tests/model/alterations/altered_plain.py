"""An oracle for alterations: the plain-torch Transformer, altered by hand. Imports nothing of ours."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor

from tests.model.network.plain_transformer import PlainTransformer

Head = tuple[str, int, int]  # family, layer, head


class AlteredPlain(PlainTransformer):
    """Everything counts from 0; rows say a weight for every key."""

    def __init__(
        self,
        folder: Path,
        *,
        scales: dict[Head, float] | None = None,
        rows: dict[tuple[str, int, int, int], list[float]] | None = None,
        blocked: Sequence[int] = (),
        source_positions: Sequence[int] | None = None,
        target_positions: Sequence[int] | None = None,
    ) -> None:
        super().__init__(folder)
        self.scales, self.rows, self.blocked = scales or {}, rows or {}, list(blocked)
        self.given_positions = [source_positions, target_positions]
        self.side = 0

    def logits(self, source: list[int], target: list[int]) -> Tensor:
        self.side = 0
        return super().logits(source, target)

    def logprob(self, source: list[int], out: list[int], start: int = 2) -> float:
        """Of a whole translation."""
        logprobs = self.logits(source, [start, *out[:-1]]).double().log_softmax(-1)
        return sum(float(logprobs[step, token]) for step, token in enumerate(out))

    def encode(self, source: list[int]) -> Tensor:
        """[S, d]."""
        self.side = 0
        x = self.embed(self.w["source_embedding.weight"], source)
        for layer in range(self.a["encoder_layers"]):
            x = self.encoder_layer(f"encoder.layers.{layer}.", x)
        return self.closing_norm("encoder", x)

    def embed(self, table: Tensor, ids: list[int]) -> Tensor:
        """Source first, then target; position None adds nothing."""
        chosen, self.side = self.given_positions[self.side], self.side + 1
        plain = table[torch.tensor(ids)] * (math.sqrt(self.a["d_model"]) if self.a["scale_embedding"] else 1)
        longest = max([len(ids), *(position + 1 for position in chosen or ())])
        encoding = super().embed(torch.zeros_like(table), [0] * longest)
        if chosen is None:
            return plain + encoding[: len(ids)]
        return torch.stack([x if p < 0 else x + encoding[p] for x, p in zip(plain, chosen)])

    def attention(self, name: str, x: Tensor, memory: Tensor, causal: bool) -> Tensor:
        stack, _, layer, module = name.split(".")
        family = {"encoder": "encoder_self", "decoder": "decoder_self"}[stack]
        family = "cross" if module == "multihead_attn" else family
        d, heads = self.a["d_model"], self.a["n_heads"]
        e = d // heads
        weight = self.w[f"{name}.in_proj_weight"]
        bias = self.w.get(f"{name}.in_proj_bias", torch.zeros(3 * d))
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
            if family != "decoder_self":
                scores[:, self.blocked] = -math.inf
            pattern = scores.softmax(-1)
            for (kind, at, which, query), row in self.rows.items():
                if (kind, at, which) == (family, int(layer), head) and query < len(pattern):
                    pattern[query] = torch.tensor([*row, *[0.0] * (pattern.shape[1] - len(row))])
            mixed.append(pattern @ v[:, columns] * self.scales.get((family, int(layer), head), 1.0))
        return F.linear(
            torch.cat(mixed, -1), self.w[f"{name}.out_proj.weight"], self.w.get(f"{name}.out_proj.bias")
        )
