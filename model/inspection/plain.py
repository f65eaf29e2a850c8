"""Plain arrays: from tensors to numpy, float32, read-only; and the checks of what was asked for."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from model.alterations.outline import Outline
from model.config import Architecture
from model.errors import HeadscopeError
from model.inspection.reading import Reader
from model.read_only import read_only
from model.trace.trace import AttentionKind, Floats, Side


def plain(tensor: Tensor, *, finite: bool = True) -> Floats:
    """A copy as float32.

    Args:
        finite: refuse NaN and infinity.

    Raises:
        HeadscopeError: `model_overflow`.
    """
    array: Floats = tensor.detach().to("cpu", torch.float32, copy=True).numpy()
    if finite and not np.isfinite(array).all():
        raise HeadscopeError("model_overflow")
    return read_only(array)


def check_head(model: Architecture | Outline, kind: AttentionKind, layer: int, head: int) -> None:
    """Raise `HeadscopeError` if the model has no such head."""
    shape = Outline.of(model).shape
    layers, heads = shape.layers(kind), shape.heads(kind)
    if not 0 <= layer < layers:
        raise HeadscopeError("alteration_layer", value=layer + 1, kind=str(kind), count=layers)
    if not 0 <= head < heads:
        raise HeadscopeError("inspection_head", value=head + 1, count=heads)


def check_query(reader: Reader, kind: AttentionKind, query: int) -> None:
    """Raise `HeadscopeError` if the patterns of a kind of attention have no such row."""
    rows = len(reader.source_ids if kind is AttentionKind.ENCODER_SELF else reader.target_ids)
    check_row(rows, kind, query)


def check_row(rows: int, kind: AttentionKind, query: int) -> None:
    """The same where there are so many rows."""
    if not 0 <= query < rows:
        raise HeadscopeError("alteration_row", value=query + 1, kind=str(kind), count=rows)


def check_step(reader: Reader, step: int) -> None:
    """Raise `HeadscopeError` if the translation has no such step, or there is none."""
    reader.require_steps()
    if not 0 <= step < len(reader.out_ids):
        raise HeadscopeError("export_step", value=step + 1, count=len(reader.out_ids))


def check_position(reader: Reader, side: Side, position: int) -> None:
    """Raise `HeadscopeError` if a stack reads no such token."""
    if side == "target":
        check_step(reader, position)
    elif not 0 <= position < len(reader.source_ids):
        raise HeadscopeError("alteration_token", value=position + 1, count=len(reader.source_ids))
