"""Tiny bundles of every kind, written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from model.bundle.bundle import Bundle, load_bundle, write_bundle
from tests.model import tiny_bundle

KINDS: dict[str, dict[str, Any]] = {
    "post_norm": {},
    "post_norm, no bias": {"attention_bias": False, "position_layout": "halves", "activation": "silu"},
    "pre_norm": {
        "norm": "pre_norm",
        "activation": "gelu",
        "positions": "learned",
        "tie_embeddings": "none",
        "kv_heads": 1,
    },
    "pre_norm, no bias": {
        "norm": "pre_norm",
        "attention_bias": False,
        "output_bias": True,
        "positions": "none",
        "scale_embedding": False,
        "tie_embeddings": "target_output",
    },
    "copying": {"copying": True, "norm": "pre_norm"},
}


class Made(NamedTuple):
    bundle: Bundle
    folder: Path


Make = Callable[..., Made]


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """A bundle with 2 + 3 layers of 2 heads, d_model 8, of this architecture."""
    made: dict[str, Made] = {}

    def bundle(**changes: Any) -> Made:
        name = repr(changes)
        if name not in made:
            a = tiny_bundle.architecture(**{"encoder_layers": 2, "decoder_layers": 3, **changes})
            folder = tmp_path_factory.mktemp("inspection") / "bundle"
            spm = tiny_bundle.spm()
            write_bundle(folder, tiny_bundle.config(a), tiny_bundle.transformer(a), spm, spm, half=False)
            made[name] = Made(load_bundle(folder), folder)
        return made[name]

    return bundle


@pytest.fixture(params=list(KINDS))
def made(request: pytest.FixtureRequest, make: Make) -> Made:
    return make(**KINDS[request.param])
