"""Which stacks a model of Hugging Face has, by what its `config.json` says. No torch, no `transformers`."""

from __future__ import annotations

from enum import StrEnum

VERIFIED = ("bart", "bert", "gpt2", "llama", "t5")
"""Model types whose every pattern is compared with `output_attentions=True` in the tests."""


class Family(StrEnum):
    """Which stacks a model has."""

    ENCODER_DECODER = "encoder_decoder"
    DECODER_ONLY = "decoder_only"
    ENCODER_ONLY = "encoder_only"
