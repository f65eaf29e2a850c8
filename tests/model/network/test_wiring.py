"""Wirings of decoder to encoder, against `torch.nn` layers joined by hand."""

from __future__ import annotations

import math

import pytest
import torch
from torch import Tensor

from model.bundle.weights import weights_of
from model.config import same_depths
from model.network.transformer import Transformer
from tests.model.small import PlainTransformer, ids, small_transformer

CLOSE = 2e-5  # float32, sums of a few dozen numbers of order 1 in another order


def made(wiring: str, norm: str) -> Transformer:
    ours = small_transformer(wiring=wiring, norm=norm, encoder_layers=3, decoder_layers=2)
    for name, parameter in ours.named_parameters():
        if name == "memory_mix.weight":
            parameter.data = torch.tensor([[0.3, -1.0, 2.0, 0.1], [1.0, 0.0, -0.5, 0.7]])
    return ours


def by_hand(ours: Transformer, plain: PlainTransformer, source: Tensor, target: Tensor) -> Tensor:
    """Hidden states [b, T, d] where decoder layers read a weighted sum of what leaves encoder layers."""
    a = ours.architecture
    outputs = [plain._embed("source_embedding.weight", source, None)]
    for layer in plain.encoder.layers:
        outputs.append(layer(outputs[-1]))
    if a.wiring == "mix":
        rows = [[math.exp(one) for one in row] for row in weights_of(ours)["memory_mix.weight"].tolist()]
    else:
        rows = [[0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]]  # layers 2 and 3 of 3
    x = plain._embed("target_embedding.weight", target, None)
    n = target.shape[1]
    for layer, row in zip(plain.decoder.layers, rows, strict=True):
        read = sum(one / sum(row) * output for one, output in zip(row, outputs, strict=True))
        read = read if plain.encoder.norm is None else plain.encoder.norm(read)
        x = layer(x, read, tgt_mask=torch.ones(n, n, dtype=torch.bool).triu(1))
    closed: Tensor = x if plain.decoder.norm is None else plain.decoder.norm(x)
    return closed


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
@pytest.mark.parametrize("wiring", ["mix", "same_depth"])
def test_each_decoder_layer_reads_its_own(wiring: str, norm: str) -> None:
    ours = made(wiring, norm)
    plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
    source, target = ids(2, 6), ids(2, 5, seed=2)
    expected = by_hand(ours, plain, source, target)
    torch.testing.assert_close(ours(source, target), expected, rtol=0, atol=CLOSE)
    cache = ours.start_cache(ours.encode(source))
    steps = [ours.decode_step(target[:, at : at + 1], cache) for at in range(5)]
    torch.testing.assert_close(torch.cat(steps, 1), expected, rtol=0, atol=CLOSE)


def test_a_mix_learns_as_its_softmax_says() -> None:
    ours = made("mix", "pre_norm")
    source, target = ids(2, 6), ids(2, 5, seed=2)
    weight = ours.get_parameter("memory_mix.weight").requires_grad_()
    torch.autograd.backward(ours(source, target).square().sum())
    assert weight.grad is not None
    plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
    double = {name: one.double() for name, one in plain.tensors.items()}
    plain.tensors = double
    plain.encoder.double()
    plain.decoder.double()
    for place in ((0, 2), (1, 0)):
        sides = []
        for amount in (1e-4, -1e-4):
            weight.data[place] += amount
            sides.append(float(by_hand(ours, plain, source, target).square().sum()))
            weight.data[place] -= amount
        expected = (sides[0] - sides[1]) / 2e-4
        # The step is taken of a float32 weight: 1e-4 is known to 1e-3 of itself.
        assert float(weight.grad[place]) == pytest.approx(expected, rel=3e-3)


def test_depths_that_differ_are_read_in_proportion() -> None:
    assert same_depths(3, 3) == (1, 2, 3)
    assert same_depths(6, 3) == (2, 4, 6)
    assert same_depths(2, 4) == (1, 1, 2, 2)
    assert same_depths(3, 2) == (2, 3)
    for encoder in range(1, 7):
        assert same_depths(encoder, 1) == (encoder,)


def test_a_mix_begins_as_the_mean() -> None:
    fresh = Transformer(made("mix", "post_norm").architecture, torch.Generator().manual_seed(1))
    shares = fresh.memory_mix.shares()
    assert shares.tolist() == [[0.25] * 4] * 2
    # Nothing is drawn for it: the other weights are those of the plain model from the same seed.
    plain = Transformer(made("last", "post_norm").architecture, torch.Generator().manual_seed(1))
    own = dict(fresh.named_parameters())
    assert all(torch.equal(own[name], one) for name, one in plain.named_parameters())


def test_all_layers_may_be_made_to_read_one() -> None:
    for wiring in ("last", "same_depth", "mix"):
        ours = made(wiring, "pre_norm")
        source, target = ids(2, 6), ids(2, 5, seed=2)
        plain = PlainTransformer(ours.architecture.to_json(), weights_of(ours))
        early = ours.encoder.close(ours.encode(source, every_layer=True)[1])
        found = ours.decode(target, ours.memory_mix.spread(early))
        torch.testing.assert_close(found, plain.decode(target, early), rtol=0, atol=CLOSE)
