"""What is told of positions that act in attention, and what their vectors do to value-weighted maps."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.bundle.bundle import load_bundle, write_bundle
from model.commands.info import describe
from model.inspection.answering import answer
from model.inspection.readings import Readings
from model.network.position_facts import facts_of
from model.positions.position_facts import RelativeBias, RotaryPositions, position_name
from model.questions.answers import ValueGrams
from model.questions.questions import Reading, ValueNorms
from model.trace.aggregates import value_weighted, value_weighted_largest
from model.trace.trace import ArrayPatterns, AttentionKind
from tests.model import tiny_bundle

SPAN = 2


def written(folder: Path, **fields: Any) -> Path:
    a = tiny_bundle.architecture(**fields)
    spm = tiny_bundle.spm()
    write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
    return folder


@pytest.mark.parametrize("kind", ["relative", "rotary", "alibi"])
def test_a_bundle_says_what_it_is(kind: str, tmp_path: Path) -> None:
    folder = written(tmp_path / "bundle", positions=kind)
    told = describe(folder)
    assert (told["positions"], told["positions_stored"]) == (kind, False)
    assert position_name(facts_of(load_bundle(folder).transformer)) == kind


def test_rotations() -> None:
    (fact,) = facts_of(
        tiny_bundle.transformer(tiny_bundle.architecture(positions="rotary", position_base=100.0))
    )
    assert isinstance(fact, RotaryPositions)
    np.testing.assert_allclose(fact.inverse_frequencies, [1.0, 0.1])  # heads of four dimensions
    assert (fact.head_width, fact.base, fact.layout, fact.stack) == (4, 100.0, "interleaved", "both")


def test_biases_by_offset() -> None:
    encoder, decoder = facts_of(tiny_bundle.transformer(tiny_bundle.architecture(positions="alibi")))
    assert isinstance(encoder, RelativeBias)
    assert isinstance(decoder, RelativeBias)
    for offset, taken in ((-3, 3), (0, 0), (5, 5)):
        found = encoder.weights[encoder.buckets[np.flatnonzero(encoder.offsets == offset)[0]]]
        np.testing.assert_allclose(found, [-taken / 16, -taken / 256])  # two heads: 2^-4 and 2^-8
    assert (encoder.bidirectional, decoder.bidirectional, int(decoder.offsets.max())) == (True, False, 0)


def test_lengths_of_vectors() -> None:
    model = tiny_bundle.transformer(
        tiny_bundle.architecture(positions="relative", relative_span=SPAN, encoder_layers=2)
    )
    encoder, decoder = facts_of(model)
    assert isinstance(encoder, RelativeBias)
    assert isinstance(decoder, RelativeBias)
    second = model.get_parameter("encoder.layers.1.self_attn.relative.keys").detach()
    np.testing.assert_allclose(encoder.weights[:, 1], (second**2).sum(-1).sqrt(), rtol=1e-6)
    np.testing.assert_array_equal(encoder.offsets[encoder.buckets == 0], [-SPAN])
    assert decoder.offsets.tolist() == [-2, -1, 0]


def test_value_weighted_maps_have_the_vectors_in_them(tmp_path: Path) -> None:
    """‖α (v + a') W_O‖ of every query and key, of a head and of the layer; by loops."""
    bundle = load_bundle(written(tmp_path / "bundle", positions="relative", relative_span=SPAN))
    reading = Reading("the red dog", (6, 9, 7, 3), (9, 12))
    *_, found = answer(bundle, ValueNorms(), reading, Readings(bundle))
    assert isinstance(found, ValueGrams)
    w = {name: p.detach().double() for name, p in bundle.transformer.named_parameters()}
    prefix, d, e = "encoder.layers.0.self_attn.", 8, 4
    x = w["source_embedding.weight"][list(reading.src_ids)] * d**0.5
    values = x @ w[prefix + "in_proj_weight"][2 * d :].T + w[prefix + "in_proj_bias"][2 * d :]
    alpha = np.random.default_rng(0).dirichlet(np.ones(4), size=(1, 2, 4)).astype(np.float32)
    patterns = ArrayPatterns({AttentionKind.ENCODER_SELF: alpha})
    grams = found.grams[AttentionKind.ENCODER_SELF]
    whole = np.zeros((4, 4, d))
    for head in range(2):
        columns = slice(head * e, (head + 1) * e)
        wanted = np.zeros((4, 4))
        for i in range(4):
            for j in range(4):
                row = max(-SPAN, min(SPAN, j - i)) + SPAN
                value = values[j, columns] + w[prefix + "relative.values"][row]
                moved = (
                    float(alpha[0, head, i, j]) * (w[prefix + "out_proj.weight"][:, columns] @ value).numpy()
                )
                wanted[i, j] = np.linalg.norm(moved)
                whole[i, j] += moved
        seen = value_weighted(patterns, grams, AttentionKind.ENCODER_SELF, 0, head)
        np.testing.assert_allclose(seen, wanted, rtol=1e-4, atol=1e-6)
    seen = value_weighted(patterns, grams, AttentionKind.ENCODER_SELF, 0, None)
    np.testing.assert_allclose(seen, np.linalg.norm(whole, axis=-1), rtol=1e-4, atol=1e-6)
    assert value_weighted_largest(patterns, grams, AttentionKind.ENCODER_SELF, lambda layer: ()) > 0
    assert found.grams[AttentionKind.CROSS].shape == (1, 4, 2, 2)
    assert torch.isfinite(torch.from_numpy(grams.copy())).all()
