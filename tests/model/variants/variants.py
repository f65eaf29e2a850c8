"""Architectures that are not the plain one, by name: what holds of every model is tested of each."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "grouped_queries": {"n_heads": 4, "kv_heads": 2},
    "multi_query": {"n_heads": 2, "kv_heads": 1},
}
