"""Norms and wirings looked into: each way of computing a model agrees with its own forward pass."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from model.inspection.answering import answer
from model.lessons.answers.plain_pass import PaddedBatch, PlainPass, read_of
from model.network.attention import AttentionSite
from model.questions.answers import Gradients, RowArithmetic, ValueGrams
from model.questions.questions import GradientOf, Reading, RowOf, ValueNorms
from model.questions.wiring import Mix, MixOf
from model.trace.trace import AttentionKind
from tests.model.inspection.conftest import Make

SHAPES: list[dict[str, Any]] = [
    {"wiring": "mix", "norm": "pre_norm"},
    {"wiring": "same_depth", "normalisation": "batch"},
]
SOURCE, OUT = (5, 9, 12, 7, 3), (9, 17, 5, 12)


@pytest.mark.parametrize("shape", SHAPES)
def test_they_agree(make: Make, shape: dict[str, Any]) -> None:
    bundle, _ = make(**shape)
    network, about = bundle.transformer, Reading(bundle.sha256, SOURCE, OUT)
    leaves: dict[AttentionSite, Tensor] = {}

    def tap(site: AttentionSite, pattern: Tensor) -> Tensor:
        leaves[site] = torch.zeros_like(pattern).requires_grad_()
        return pattern + leaves[site]

    with torch.enable_grad():
        memory = network.encode(torch.tensor([SOURCE]), tap=tap)
        hidden = network.decode(read_of(bundle, OUT), memory, tap=tap)
        logprobs = network.project(hidden)[0].log_softmax(-1)
        torch.autograd.backward(logprobs[3, OUT[3]])
    *_, found = answer(bundle, GradientOf(3), about)
    assert isinstance(found, Gradients)
    assert found.logprob == pytest.approx(float(logprobs[3, OUT[3]].detach()), abs=1e-5)
    for (kind, layer), leaf in leaves.items():
        assert leaf.grad is not None
        expected = leaf.grad[0].numpy().copy()
        if kind is AttentionKind.DECODER_SELF:
            expected *= np.tri(len(OUT))
        np.testing.assert_allclose(found.gradients[kind][layer], expected, atol=2e-5, rtol=1e-3)
    batch = PaddedBatch.of([SOURCE], bundle, extra=2)
    computed = PlainPass(network)
    ruled = computed.logprobs(read_of(bundle, OUT), computed.encode(batch.ids, batch.real), batch.real)[0]
    torch.testing.assert_close(ruled, logprobs.detach(), rtol=0, atol=2e-5)
    *_, grams = answer(bundle, ValueNorms(), about)
    assert isinstance(grams, ValueGrams)
    for layer in range(network.architecture.decoder_layers):
        *_, row = answer(bundle, RowOf(AttentionKind.CROSS, layer, 1, 0), about)
        assert isinstance(row, RowArithmetic)
        squares = np.square(row.values @ row.projection.T).sum(-1)
        np.testing.assert_allclose(grams.grams[AttentionKind.CROSS][layer][:, 1, 1], squares, rtol=1e-4)


def test_what_each_decoder_layer_reads_is_told(make: Make) -> None:
    bundle, _ = make(wiring="mix")
    weight = bundle.transformer.get_parameter("memory_mix.weight").double().numpy()
    *_, found = answer(bundle, MixOf(bundle.sha256))
    assert isinstance(found, Mix)
    powers = np.exp(weight)
    np.testing.assert_allclose(found.shares, powers / powers.sum(1, keepdims=True), atol=1e-6)
    *_, found = answer(make(wiring="same_depth")[0], MixOf(""))
    layers = bundle.config.architecture.encoder_layers, bundle.config.architecture.decoder_layers
    expected = np.zeros((layers[1], layers[0] + 1))
    for layer in range(1, layers[1] + 1):
        expected[layer - 1, int(np.ceil(layer * layers[0] / layers[1]))] = 1.0
    np.testing.assert_array_equal(found.shares, expected)
