"""A small random Transformer, and the same computed by `torch.nn` and numpy without any of our code."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import torch.nn.functional as F
from numpy.typing import NDArray
from torch import Tensor, nn

if TYPE_CHECKING:
    from model.network.transformer import Transformer

SMALL: dict[str, Any] = {
    "source_vocab": 31,
    "target_vocab": 37,
    "d_model": 24,
    "n_heads": 3,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "d_ff": 40,
    "dropout": 0.0,
    "max_positions": 64,
}
ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"relu": F.relu, "gelu": F.gelu, "silu": F.silu}


def small_transformer(seed: int = 0, **changes: Any) -> Transformer:
    """In evaluation mode, without gradients; biases and norms are random too, so that a lost one shows."""
    from model.config import Architecture
    from model.network.transformer import Transformer

    generator = torch.Generator().manual_seed(seed)
    transformer = Transformer(Architecture.from_json({**SMALL, **changes}), generator)
    for parameter in transformer.parameters():
        if parameter.dim() == 1:
            parameter.data += 0.3 * torch.randn(parameter.shape, generator=generator)
    for _, statistic in transformer.statistics():
        statistic += torch.rand(statistic.shape, generator=generator)
    return transformer.requires_grad_(False).eval()


def ids(batch: int, length: int, vocab: int = 31, seed: int = 1) -> Tensor:
    """Random token ids above the specials."""
    return torch.randint(4, vocab, (batch, length), generator=torch.Generator().manual_seed(seed))


def numpy_positions(length: int, d_model: int, layout: str, base: float = 10000.0) -> NDArray[np.float64]:
    """Section 3.5 of the paper, element by element in float64."""
    table = np.empty((length, d_model))
    for pos in range(length):
        for i in range(d_model // 2):
            angle = pos / base ** (2 * i / d_model)
            sine, cosine = (2 * i, 2 * i + 1) if layout == "interleaved" else (i, d_model // 2 + i)
            table[pos, sine], table[pos, cosine] = math.sin(angle), math.cos(angle)
    return table


class PlainTransformer:
    """`torch.nn.TransformerEncoder` and `...Decoder` with weights named as in a bundle.

    Attributes:
        patterns: after a call, [batch, head, query, key] by (family, layer), from
            `torch.nn.MultiheadAttention(need_weights=True, average_attn_weights=False)`.
    """

    def __init__(self, architecture: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> None:
        self.a, self.tensors = architecture, dict(tensors)
        a = architecture
        common: dict[str, Any] = {
            "d_model": a["d_model"],
            "nhead": a["n_heads"],
            "dim_feedforward": a["d_ff"],
            "dropout": 0.0,
            "activation": ACTIVATIONS[a["activation"]],
            "layer_norm_eps": a["norm_eps"],
            "batch_first": True,
            "norm_first": a["norm"] == "pre_norm",
        }
        closing = a["norm"] == "pre_norm"
        norms = [nn.LayerNorm(a["d_model"], eps=a["norm_eps"]) if closing else None for _ in range(2)]
        self.encoder = nn.TransformerEncoder(
            nn.TransformerEncoderLayer(**common), a["encoder_layers"], norms[0], enable_nested_tensor=False
        )
        self.decoder = nn.TransformerDecoder(
            nn.TransformerDecoderLayer(**common), a["decoder_layers"], norms[1]
        )
        self._load(self.encoder, "encoder.")
        self._load(self.decoder, "decoder.")
        self.patterns: dict[tuple[str, int], Tensor] = {}
        for number, layer in enumerate(self.encoder.layers):
            self._watch(layer.self_attn, ("encoder_self", number))
        for number, layer in enumerate(self.decoder.layers):
            self._watch(layer.self_attn, ("decoder_self", number))
            self._watch(layer.multihead_attn, ("cross", number))

    def _load(self, module: nn.Module, prefix: str) -> None:
        state = {
            name.removeprefix(prefix): tensor
            for name, tensor in self.tensors.items()
            if name.startswith(prefix)
        }
        for name, tensor in module.state_dict().items():
            if name not in state:  # only a model without attention biases lacks any
                assert not self.a["attention_bias"]
                assert name.endswith(("in_proj_bias", "out_proj.bias"))
                state[name] = torch.zeros_like(tensor)
        module.load_state_dict(state)
        module.requires_grad_(False).eval()

    def _watch(self, attention: nn.MultiheadAttention, key: tuple[str, int]) -> None:
        def note(module: nn.Module, args: Any, kwargs: dict[str, Any]) -> None:
            asked = {**kwargs, "need_weights": True, "average_attn_weights": False, "is_causal": False}
            weights = attention.forward(*args, **asked)[1]  # forward: the hooks are not called again
            assert weights is not None
            self.patterns[key] = weights

        attention.register_forward_pre_hook(note, with_kwargs=True)

    def _embed(self, name: str, tokens: Tensor, positions: Tensor | None) -> Tensor:
        a = self.a
        x = self.tensors.get(name, self.tensors["source_embedding.weight"])[tokens]
        if a["scale_embedding"]:
            x = x * math.sqrt(a["d_model"])
        if a["positions"] == "none":
            return x
        if a["positions"] == "learned":
            table = self.tensors["positions.weight"]
        else:
            rows = numpy_positions(a["max_positions"], a["d_model"], a["position_layout"], a["position_base"])
            table = torch.from_numpy(rows).float()
        return x + table[torch.arange(tokens.shape[1]) if positions is None else positions]

    def encode(
        self, source: Tensor, key_mask: Tensor | None = None, positions: Tensor | None = None
    ) -> Tensor:
        """Memory [b, S, d]; `key_mask` is True for tokens that may be seen."""
        hidden = None if key_mask is None else ~key_mask
        x = self._embed("source_embedding.weight", source, positions)
        memory: Tensor = self.encoder(x, src_key_padding_mask=hidden)
        return memory

    def decode(
        self,
        target_in: Tensor,
        memory: Tensor,
        memory_mask: Tensor | None = None,
        key_mask: Tensor | None = None,
        positions: Tensor | None = None,
    ) -> Tensor:
        """Hidden states [b, T, d]."""
        n = target_in.shape[1]
        hidden: Tensor = self.decoder(
            self._embed("target_embedding.weight", target_in, positions),
            memory,
            tgt_mask=torch.ones(n, n, dtype=torch.bool).triu(1),
            tgt_key_padding_mask=None if key_mask is None else ~key_mask,
            memory_key_padding_mask=None if memory_mask is None else ~memory_mask,
        )
        return hidden

    def project(self, hidden: Tensor) -> Tensor:
        """Logits."""
        names = ("output.weight", "target_embedding.weight", "source_embedding.weight")
        weight = next(self.tensors[name] for name in names if name in self.tensors)
        return hidden @ weight.T + self.tensors.get("output.bias", torch.zeros(()))
