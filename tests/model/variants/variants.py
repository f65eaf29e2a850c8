"""Variants of the Transformer: fields of its architecture that make each, for the tests that try them all."""

from __future__ import annotations

from typing import Any

VARIANTS: dict[str, dict[str, Any]] = {
    "plain": {},
}
