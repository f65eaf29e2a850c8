"""Fields of architectures that are not the plain Transformer's, by variant."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "copying": {"copying": True},
}
