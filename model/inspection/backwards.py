"""Backwards: what every backpropagation through a reading begins with: its size, and gradients on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

from model.errors import HeadscopeError
from model.trace.attention_shape import AttentionShape
from model.trace.trace import AttentionKind

LARGEST = 256 << 20
"""Bytes that an answer may take."""

_FLOAT = 4


def check_size(shape: AttentionShape, source: int, steps: int) -> None:
    """Raise `HeadscopeError` (`inspection_large`) for a gradient larger than `LARGEST` bytes."""
    sizes = {
        AttentionKind.ENCODER_SELF: source * source,
        AttentionKind.DECODER_SELF: steps * steps,
        AttentionKind.CROSS: steps * source,
    }
    size = _FLOAT * sum(shape.layers(kind) * shape.heads(kind) * sizes[kind] for kind in AttentionKind)
    if size > LARGEST:
        values = {"size": size >> 20, "limit": LARGEST >> 20}
        raise HeadscopeError("inspection_large", source=source, steps=steps, **values)


@contextmanager
def recording() -> Iterator[None]:
    """Gradients on; entered for each layer and left before the caller goes on."""
    with torch.inference_mode(False), torch.enable_grad():
        yield
