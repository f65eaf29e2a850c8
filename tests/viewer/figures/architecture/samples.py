"""Models and a sentence for the figure of the architecture."""

from __future__ import annotations

from typing import Any

from model.folder.families import Family
from viewer.figures.architecture.anatomy import Anatomy, anatomy_of

OURS: dict[str, Any] = {
    "source_vocab": 40,
    "target_vocab": 30,
    "d_model": 16,
    "n_heads": 4,
    "encoder_layers": 2,
    "decoder_layers": 3,
    "d_ff": 24,
    "norm": "post_norm",
    "activation": "relu",
    "positions": "sinusoidal",
    "scale_embedding": True,
    "tie_embeddings": "none",
    "output_bias": True,
}


def ours(**changes: Any) -> Anatomy:
    """A model of ours."""
    return anatomy_of({**OURS, **changes}, Family.ENCODER_DECODER)


def other(family: Family, model_type: str, **changes: Any) -> Anatomy:
    """A model of others, as `model.foreign.describing` tells of it."""
    said = {
        "model_type": model_type,
        "encoder_layers": 0 if family is Family.DECODER_ONLY else 2,
        "decoder_layers": 0 if family is Family.ENCODER_ONLY else 2,
        "n_heads": 4,
        "positions": "learned",
        "source_vocab": 50,
        "target_vocab": 50,
        "d_model": 32,
        "d_ff": 64,
    }
    return anatomy_of({**said, **changes}, family)
