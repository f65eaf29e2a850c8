"""Bundles small enough to be written in a few milliseconds."""

from __future__ import annotations

import functools
from typing import Any

import torch

from model.bundle.bundle import BundleConfig, SpecialIds
from model.config import Architecture
from model.network.transformer import Transformer
from model.tokens.tokenizer import SentencePieceTokenizer, train_tokenizer

SENTENCES = {
    "source": ["the little girl gave her brother a red apple", "a dog ran over the wet grass"],
    "target": [
        "la petite fille a donné une pomme rouge à son frère",
        "un chien a couru dans l'herbe mouillée",
    ],
}


@functools.cache
def spm(side: str = "source") -> bytes:
    return train_tokenizer(SENTENCES[side], vocab_size=40, dummy_prefix=True, byte_fallback=False)


@functools.cache
def vocab(side: str = "source") -> int:
    return SentencePieceTokenizer.from_bytes(spm(side)).vocab_size


def architecture(**changes: Any) -> Architecture:
    sizes: dict[str, Any] = {
        "source_vocab": vocab(),
        "target_vocab": vocab(),
        "d_model": 8,
        "n_heads": 2,
        "encoder_layers": 1,
        "decoder_layers": 1,
        "d_ff": 12,
        "max_positions": 32,
        "tie_embeddings": "all",
    }
    return Architecture(**{**sizes, **changes})


def config(a: Architecture | None = None, **changes: Any) -> BundleConfig:
    values: dict[str, Any] = {
        "name": "tiny",
        "languages": ("en", "fr"),
        "architecture": a or architecture(),
        "special": SpecialIds(pad=0, unk=1, start=2, end=3),
    }
    return BundleConfig(**{**values, **changes})


def transformer(a: Architecture | None = None, seed: int = 1) -> Transformer:
    """Random weights; biases and norms too, or a forgotten one would go unnoticed."""
    made = Transformer(a or architecture())
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        for parameter in made.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator) * 0.4)
        for _, statistic in made.statistics():
            statistic += torch.rand(statistic.shape, generator=generator)
    return made.eval()
