"""Eager attention: the plain computation, the only one of `transformers` that gives patterns out."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

_NAME = "_attn_implementation"
_EAGER = "eager"


@contextlib.contextmanager
def eager_attention(model: Any) -> Iterator[None]:
    """Eager attention inside the block, if the model can change; as it was before, behind it."""
    before = _implementations(model)
    if hasattr(model, "set_attn_implementation") and any(value != _EAGER for _, value in before):
        model.set_attn_implementation(_EAGER)
    try:
        yield
    finally:
        for config, value in before:  # those of parts last: setting the whole sets its parts too
            if getattr(config, _NAME, None) != value:
                setattr(config, _NAME, value)


def _implementations(model: Any) -> list[tuple[Any, Any]]:
    """Every configuration of the model's parts, the whole one first, and what it says."""
    configs: dict[int, Any] = {}
    for part in model.modules():
        config = getattr(part, "config", None)
        if hasattr(config, _NAME):
            configs.setdefault(id(config), config)
    return [(config, getattr(config, _NAME)) for config in configs.values()]
