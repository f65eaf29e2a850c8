"""Variants of the Transformer: fields of its architecture that make each, for the tests that try them all."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
    "relative": {"positions": "relative", "relative_span": 3},
    "rotary": {"positions": "rotary"},
    "alibi": {"positions": "alibi"},
    "grouped_queries": {"n_heads": 4, "kv_heads": 2},
    "multi_query": {"n_heads": 2, "kv_heads": 1},
    "rotary_multi_query": {"positions": "rotary", "kv_heads": 1},
    "relative_grouped": {"positions": "relative", "relative_span": 3, "kv_heads": 2, "norm": "pre_norm"},
    "batch_norm": {"normalisation": "batch"},
    "batch_norm_mix_before": {"normalisation": "batch", "norm": "pre_norm", "wiring": "mix"},
    "same_depth": {"wiring": "same_depth", "decoder_layers": 3},
    "copying": {"copying": True},
    "everything": {
        "copying": True,
        "normalisation": "batch",
        "wiring": "mix",
        "positions": "rotary",
        "kv_heads": 2,
    },
}
