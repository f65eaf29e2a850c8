"""Norms over a batch, against `torch.nn.BatchNorm1d` on the real tokens alone."""

from __future__ import annotations

import copy
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from model.bundle.weights import sources, weights_of
from model.network.norms import BatchNorm
from tests.model.small import PlainTransformer, ids, small_transformer

CLOSE = 2e-5  # float32: sums over some hundred tokens in another order, through five layers


class OverTokens(nn.Module):
    """torch's BatchNorm of the tokens that `real` says; the others pass."""

    def __init__(self, tensors: dict[str, Tensor], eps: float) -> None:
        super().__init__()
        self.eps = eps  # torch's layers compare those of their norms
        self.norm = nn.BatchNorm1d(len(tensors["weight"]), eps=eps)
        self.norm.load_state_dict({**tensors, "num_batches_tracked": torch.tensor(0)})
        self.real = torch.zeros(0, dtype=torch.bool)

    def forward(self, x: Tensor) -> Tensor:
        return torch.zeros_like(x).masked_scatter(self.real[..., None], self.norm(x[self.real]))


def with_batch_norm(shape: dict[str, Any], tensors: dict[str, Tensor]) -> PlainTransformer:
    """torch.nn's stacks with torch's BatchNorm in place of every norm."""
    kept = {name: one for name, one in tensors.items() if ".running_" not in name}
    plain = PlainTransformer(shape, kept)
    for stack, own in (("encoder", plain.encoder), ("decoder", plain.decoder)):
        places = [
            (one, name, f"{stack}.layers.{at}.{name}")
            for at, one in enumerate(own.layers)
            for name in ("norm1", "norm2", "norm3")
            if hasattr(one, name)
        ]
        if own.norm is not None:
            places.append((own, "norm", f"{stack}.norm"))
        for holder, name, path in places:
            parts = ("weight", "bias", "running_mean", "running_var")
            copied = {part: tensors[f"{path}.{part}"].clone() for part in parts}
            setattr(holder, name, OverTokens(copied, shape["norm_eps"]))
    return plain


def over(stack: nn.Module, real: Tensor) -> None:
    for module in stack.modules():
        if isinstance(module, OverTokens):
            module.real = real


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_a_batch_in_training_and_after_it(norm: str) -> None:
    ours = small_transformer(norm=norm, normalisation="batch", norm_eps=1e-3)
    plain = with_batch_norm(ours.architecture.to_json(), weights_of(ours))
    source, target = ids(3, 9), ids(3, 7, seed=2)
    read = torch.arange(9) < torch.tensor([9, 4, 1])[:, None]
    written = torch.arange(7) < torch.tensor([7, 2, 5])[:, None]
    over(plain.encoder, read)
    over(plain.decoder, written)
    weighted = torch.randn(3, 7, 24, generator=torch.Generator().manual_seed(4))
    for training in (True, False):  # what the first leaves behind, the second computes with
        for module in (ours, plain.encoder, plain.decoder):
            module.train(training).requires_grad_(training)
        found = ours(source, target, source_mask=read, target_mask=written)
        wanted = plain.decode(target, plain.encode(source, read), read)
        torch.testing.assert_close(found[written], wanted[written], rtol=0, atol=CLOSE)
        if training:
            for hidden in (found, wanted):
                torch.autograd.backward((hidden[written] * weighted[written]).sum())
            for name in (
                "encoder.layers.0.linear1.weight",
                "decoder.layers.0.multihead_attn.out_proj.weight",
            ):
                stack, _, path = name.partition(".")
                expected = getattr(plain, stack).get_parameter(path).grad
                scale = float(expected.abs().max())
                torch.testing.assert_close(ours.get_parameter(name).grad, expected, rtol=0, atol=1e-4 * scale)
            before = dict(plain.encoder.layers[1].norm2.norm.named_buffers())
            for name, statistic in ours.encoder.layers[1].get_submodule("norm2").named_buffers():
                torch.testing.assert_close(statistic, before[name], rtol=0, atol=CLOSE)


def test_a_token_alone_depends_on_no_other_once_trained() -> None:
    ours = small_transformer(normalisation="batch")
    norm = ours.encoder.layers[0].get_submodule("norm1")
    assert isinstance(norm, BatchNorm)
    x = torch.randn(4, 5, 24, generator=torch.Generator().manual_seed(1))
    assert torch.equal(norm.of(x)[1, 2], norm.of(x[1:2, 2:3])[0, 0])
    by_hand = (x - norm.running_mean) / (norm.running_var + norm.eps).sqrt() * norm.weight + norm.bias
    torch.testing.assert_close(norm.of(x), by_hand, rtol=0, atol=1e-6)


def test_statistics_stay_float32_in_a_bundle_of_half_precision() -> None:
    ours = small_transformer(normalisation="batch")
    large = copy.deepcopy(ours)
    dict(large.statistics())["encoder.layers.0.norm1.running_var"].fill_(1e6)  # beyond float16
    stored = sources(weights_of(large), half=True)
    types = {name: one.dtype for name, one in stored.items()}
    assert {types[name] for name in types if ".running_" in name} == {"F32"}
    assert {types[name] for name in types if ".running_" not in name} == {"F16"}
