"""Plain hooks: what heads of a model of `transformers` do, changed and read with torch alone; the oracle."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import torch
from torch import Tensor, nn

from tests.foreign_assets import quiet

W_O = {
    "bart": {
        "encoder_self": "model.encoder.layers.{}.self_attn.out_proj",
        "decoder_self": "model.decoder.layers.{}.self_attn.out_proj",
        "cross": "model.decoder.layers.{}.encoder_attn.out_proj",
    },
    "t5": {
        "encoder_self": "encoder.block.{}.layer.0.SelfAttention.o",
        "decoder_self": "decoder.block.{}.layer.0.SelfAttention.o",
        "cross": "decoder.block.{}.layer.1.EncDecAttention.o",
    },
    "gpt2": {"decoder_self": "transformer.h.{}.attn.c_proj"},
    "llama": {"decoder_self": "model.layers.{}.self_attn.o_proj"},
    "bert": {"encoder_self": "bert.encoder.layer.{}.attention.output.dense"},
}
"""The output projections by family and kind of attention, as `named_modules` spells them."""
W_O["m2m100"] = W_O["mbart50"] = W_O["bart"]


@contextmanager
def sliced(network: Any, path: str, head: int, heads: int, factor: float) -> Iterator[None]:
    """A head's slice of what its output projection gets, multiplied."""

    def change(_: nn.Module, given: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
        parts = given[0].clone().view(*given[0].shape[:-1], heads, -1)
        parts[..., head, :] *= factor
        return (parts.flatten(-2),)

    hook = network.get_submodule(path).register_forward_pre_hook(change)
    try:
        yield
    finally:
        hook.remove()


@contextmanager
def seen(network: Any, *paths: str) -> Iterator[dict[str, tuple[Tensor, Tensor]]]:
    """What goes into modules and what comes out, by their paths; what came in steps is put together."""
    found: dict[str, tuple[Tensor, Tensor]] = {}

    def keep(path: str) -> Any:
        def hook(_: nn.Module, given: tuple[Tensor, ...], output: Any) -> None:
            now = given[0], output[0] if isinstance(output, tuple) else output
            before = found.get(path)
            found[path] = (
                now
                if before is None
                else (torch.cat([before[0], now[0]], 1), torch.cat([before[1], now[1]], 1))
            )

        return hook

    with ExitStack() as stack:
        for path in paths:
            stack.callback(network.get_submodule(path).register_forward_hook(keep(path)).remove)
        yield found


def run(
    network: Any, source: list[int], target_in: list[int], hidden: list[int] | None = None, **more: Any
) -> Any:
    """One run without a cache; `source` empty for a decoder alone, the target for an encoder.

    Args:
        hidden: tokens of the source, or of a decoder's prompt, whose `attention_mask` is 0.
    """
    ids = {"input_ids": torch.tensor([source or target_in])}
    ids["attention_mask"] = torch.ones_like(ids["input_ids"])
    ids["attention_mask"][:, hidden or []] = 0
    if source and target_in:
        ids["decoder_input_ids"] = torch.tensor([target_in])
    if target_in:
        more["use_cache"] = False
    with quiet():
        return network(**ids, output_attentions=True, return_dict=True, **more)


def attentions(output: Any) -> dict[str, tuple[Tensor, ...]]:
    """By kind, [1, H, Q, K] a layer."""
    alone = getattr(output, "attentions", None)
    if alone is not None:
        causal = float(torch.triu(alone[0][0, 0].detach(), 1).abs().max()) == 0
        return {"decoder_self" if causal else "encoder_self": alone}
    named = {
        "encoder_self": output.encoder_attentions,
        "decoder_self": output.decoder_attentions,
        "cross": output.cross_attentions,
    }
    return {kind: layers for kind, layers in named.items() if layers}


def logprobs(output: Any, out: list[int]) -> Tensor:
    """[T] of each token after those before it."""
    said = output.logits[0].double().log_softmax(-1)
    return said.gather(-1, torch.tensor(out)[:, None])[:, 0]
