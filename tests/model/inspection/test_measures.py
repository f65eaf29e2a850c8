"""Value norms and source shares, against plain torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from model.questions.answers import SourceShares, ValueGrams
from model.questions.questions import SharesOf, ValueNorms
from model.trace.trace import AttentionKind
from tests.model.inspection.asked import (
    CHANGED,
    CHANGES,
    DECODER,
    LAYERS,
    OUT,
    SOURCE,
    ask,
    oracle,
    reading,
)
from tests.model.inspection.conftest import Made, Make

OTHER = (9, 9, 21, 5, 3)


def close(ours: Any, expected: Any, atol: float = 1e-5) -> None:
    np.testing.assert_allclose(np.asarray(ours), np.asarray(expected), atol=atol, rtol=1e-4)


# value norms


def transformed(plain: Any, kind: AttentionKind, layer: int) -> torch.Tensor:
    """f_h(x) of every key and head, [K, H, d]: (x W_V + b_V) W_O, by the paper."""
    module = "multihead_attn" if kind == "cross" else "self_attn"
    name = f"{'encoder' if kind == 'encoder_self' else 'decoder'}.layers.{layer}.{module}"
    weight, out = plain.w[f"{name}.in_proj_weight"], plain.w[f"{name}.out_proj.weight"]
    bias = plain.w.get(f"{name}.in_proj_bias", torch.zeros(24).double())
    if kind == "cross":
        last = plain.seen["encoder.norm" if plain.a["norm"] == "pre_norm" else "encoder.layers.1.norm2"]
        x = last.left
    else:
        x = plain.entered(kind, layer).entered
    rows = []
    for key in range(len(x)):
        heads = []
        for head in range(2):
            w_v, b_v = weight[16 + 4 * head : 20 + 4 * head], bias[16 + 4 * head : 20 + 4 * head]
            heads.append((x[key] @ w_v.T + b_v) @ out[:, 4 * head : 4 * head + 4].T)
        rows.append(torch.stack(heads))
    return torch.stack(rows)


@pytest.mark.parametrize("changed", [False, True], ids=["as it is", "altered"])
def test_inner_products_of_the_transformed_values(made: Made, changed: bool) -> None:
    plain = oracle(made.folder, **(CHANGED if changed else {}))
    found = ask(made.bundle, ValueNorms(), reading(*(CHANGES if changed else ())))
    assert isinstance(found, ValueGrams)
    assert set(found.grams) == set(AttentionKind)
    for kind, grams in found.grams.items():
        assert grams.shape == (LAYERS[kind], len(OUT if kind is DECODER else SOURCE), 2, 2)
        assert grams.dtype == np.float32
        for layer in range(LAYERS[kind]):
            values = transformed(plain, kind, layer)
            for key, heads in enumerate(values):
                close(grams[layer, key], heads @ heads.T)
                close(np.sqrt(np.diag(grams[layer, key])), [torch.linalg.norm(head) for head in heads])
                weights = torch.stack([plain.heads[kind, layer, h].used[-1, key] for h in range(2)])
                formula = weights.numpy() @ grams[layer, key] @ weights.numpy()
                assert formula == pytest.approx(float((weights @ heads).norm()) ** 2, abs=1e-5)


def test_weights_times_transformed_values_are_the_layers_output(made: Made) -> None:
    """Ties the oracle to the model: equation 3 of the paper."""
    plain = oracle(made.folder)
    for kind in AttentionKind:
        name = "multihead_attn" if kind == "cross" else "self_attn"
        stack = "encoder" if kind == "encoder_self" else "decoder"
        bias = plain.w.get(f"{stack}.layers.1.{name}.out_proj.bias", 0.0)
        values = transformed(plain, kind, 1)
        weights = torch.stack([plain.heads[kind, 1, head].used for head in range(2)])
        close(torch.einsum("hqk,khd->qd", weights, values) + bias, plain.entered(kind, 1).left)


def test_before_a_translation_the_decoder_has_no_keys(make: Make) -> None:
    bundle = make().bundle
    alone, beside = (ask(bundle, ValueNorms(), reading(out=out)) for out in ((), OUT))

    assert alone.grams[DECODER].shape == (3, 0, 2, 2)
    for kind in (AttentionKind.ENCODER_SELF, AttentionKind.CROSS):
        np.testing.assert_array_equal(alone.grams[kind], beside.grams[kind])


# source shares


@pytest.mark.parametrize("changed", [False, True], ids=["as it is", "altered"])
def test_source_against_prefix(made: Made, changed: bool) -> None:
    plain = oracle(made.folder, **(CHANGED if changed else {}))
    found = ask(made.bundle, SharesOf(), reading(*(CHANGES if changed else ())))
    assert isinstance(found, SourceShares)
    assert found.source.shape == (3, len(OUT))
    for layer in range(3):
        name = f"decoder.layers.{layer}"
        source = sum(plain.heads["cross", layer, head].share for head in range(2))
        norm = plain.seen[f"{name}.norm2"]
        stream = norm.entered if plain.a["norm"] == "pre_norm" else plain.entered("cross", layer).entered
        for step in range(len(OUT)):
            a, b = float(source[step].norm()), float(stream[step].norm())
            assert found.source[layer, step] == pytest.approx(a / (a + b), abs=1e-5)
            assert 0 < found.source[layer, step] < 1


def test_with_cross_attention_off_nothing_comes_from_the_source(make: Make) -> None:
    from model.alterations.scale_head import ScaleHead

    found = ask(make().bundle, SharesOf(), reading(ScaleHead(AttentionKind.CROSS, 1)))

    close(found.source[1], np.zeros(len(OUT)), 1e-6)
    assert found.source[[0, 2]].min() > 0.05
