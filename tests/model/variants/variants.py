"""Variants of the Transformer: fields of its architecture that make each, for the tests that try them all."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "batch_norm": {"normalisation": "batch"},
    "batch_norm_mix_before": {"normalisation": "batch", "norm": "pre_norm", "wiring": "mix"},
    "same_depth": {"wiring": "same_depth", "decoder_layers": 3},
}
