"""VARIANTS: architectures that are not the plain Transformer's, for tests that hold of all of them."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    # Writes in rounds: what goes from left to right is refused (`writes_in_rounds`).
    "rounds": {"generation": "all_at_once"},
}
