"""A bundle's files mean what the contract says: rebuilt in plain torch they give the same logits."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from model.bundle.bundle import load_bundle, write_bundle
from tests.model import tiny_bundle
from tests.model.network.plain_transformer import PlainTransformer
from tests.model.safetensors_by_hand import parse

SOURCE, TARGET = [4, 9, 17, 5, 3], [2, 11, 20, 8]

CASES: dict[str, dict[str, Any]] = {
    "as published": {},
    "pre_norm": {"norm": "pre_norm"},
    "tie target_output": {"tie_embeddings": "target_output"},
    "tie none": {"tie_embeddings": "none"},
    "pre_norm tie none": {"norm": "pre_norm", "tie_embeddings": "none", "output_bias": True},
    "learned positions": {"positions": "learned"},
    "no positions": {"positions": "none"},
    "sines first": {"position_layout": "halves", "position_base": 500.0},
    "no attention bias": {"attention_bias": False, "norm": "pre_norm"},
    "output bias": {"output_bias": True},
    "unequal depths": {"encoder_layers": 3, "decoder_layers": 2},
    "unequal depths pre_norm": {"encoder_layers": 1, "decoder_layers": 3, "norm": "pre_norm"},
    "gelu unscaled": {"activation": "gelu", "scale_embedding": False, "norm_eps": 0.01},
    "silu one head": {"activation": "silu", "n_heads": 1},
    "two vocabularies": {"tie_embeddings": "target_output", "target_vocab": -1},
}


@pytest.mark.parametrize("half", [False, True], ids=["float32", "float16"])
@pytest.mark.parametrize("case", CASES)
def test_logits_of_the_bundle_rebuilt_in_plain_torch(tmp_path: Path, case: str, half: bool) -> None:
    changes = dict(CASES[case])
    side = "target" if changes.get("target_vocab") else "source"
    if changes.get("target_vocab"):
        changes["target_vocab"] = tiny_bundle.vocab("target")
    a = tiny_bundle.architecture(**changes)
    folder = tmp_path / "bundle"
    write_bundle(
        folder,
        tiny_bundle.config(a),
        tiny_bundle.transformer(a),
        tiny_bundle.spm(),
        tiny_bundle.spm(side),
        half=half,
    )
    bundle = load_bundle(folder)
    ours = bundle.transformer
    hidden = ours(torch.tensor([SOURCE]), torch.tensor([TARGET]))
    expected = PlainTransformer(folder).logits(SOURCE, TARGET)
    assert expected.abs().max() > 0.1
    torch.testing.assert_close(ours.project(hidden)[0], expected, atol=1e-5, rtol=1e-5)
    assert bundle.sha256 == hashlib.sha256((folder / "model.safetensors").read_bytes()).hexdigest()


@pytest.mark.parametrize("norm", ["post_norm", "pre_norm"])
def test_names_shapes_and_orientation_are_those_of_torch(tmp_path: Path, norm: str) -> None:
    a = tiny_bundle.architecture(norm=norm, encoder_layers=2, decoder_layers=3, dropout=0.0)
    write_bundle(
        tmp_path / "b",
        tiny_bundle.config(a),
        tiny_bundle.transformer(a),
        tiny_bundle.spm(),
        tiny_bundle.spm(),
        half=False,
    )
    arrays, _ = parse(tmp_path / "b" / "model.safetensors")
    tensors = {name: torch.tensor(array) for name, array in arrays.items()}
    assert list(tensors.pop("source_embedding.weight").shape) == [a.source_vocab, a.d_model]
    peer = peer_of(a.d_model, a.n_heads, a.encoder_layers, a.decoder_layers, a.d_ff, norm == "pre_norm")
    peer.load_state_dict(tensors, strict=True)
    ours = load_bundle(tmp_path / "b").transformer
    source = torch.randn(1, 5, a.d_model, generator=torch.Generator().manual_seed(3))
    x = source
    for layer in ours.encoder.layers:
        x = layer(x, None, None)
    torch.testing.assert_close(ours.encoder.close(x), peer.encoder(source), atol=1e-5, rtol=1e-5)


def peer_of(d: int, heads: int, encoder: int, decoder: int, d_ff: int, pre_norm: bool) -> nn.Transformer:
    options: dict[str, Any] = {"dropout": 0.0, "batch_first": True, "norm_first": pre_norm}
    norms = [nn.LayerNorm(d) if pre_norm else None for _ in range(2)]
    return nn.Transformer(
        d,
        heads,
        custom_encoder=nn.TransformerEncoder(
            nn.TransformerEncoderLayer(d, heads, d_ff, **options),
            encoder,
            norms[0],
            enable_nested_tensor=False,
        ),
        custom_decoder=nn.TransformerDecoder(
            nn.TransformerDecoderLayer(d, heads, d_ff, **options), decoder, norms[1]
        ),
        **options,
    )
