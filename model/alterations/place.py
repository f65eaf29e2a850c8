"""Place: a head, or (None) every head of a layer, that a change is about. No torch."""

from __future__ import annotations

from typing import Any

from model.alterations.alteration import Case
from model.alterations.values import check_count, refuse
from model.errors import HeadscopeError
from model.trace.trace import AttentionKind

_FAMILY = {
    AttentionKind.ENCODER_SELF: "self-attention of encoder layer",
    AttentionKind.DECODER_SELF: "self-attention of decoder layer",
    AttentionKind.CROSS: "cross-attention of decoder layer",
}


def check_values(kind: Any, layer: Any, head: Any) -> None:
    """Refuse what is no place in any model."""
    if not isinstance(kind, AttentionKind):
        refuse("kind", kind, " or ".join(AttentionKind))
    check_count("layer", layer)
    if head is not None:
        check_count("head", head)


def check_there(kind: AttentionKind, layer: int, head: int | None, case: Case) -> None:
    """Refuse a place that a model has not got."""
    shape = case.architecture.shape
    layers, heads = shape.layers(kind), shape.heads(kind)
    if not layers:
        raise HeadscopeError("alteration_kind", kind=str(kind))
    if layer >= layers:
        raise HeadscopeError("alteration_layer", value=layer + 1, kind=str(kind), count=layers)
    if head is not None and head >= heads:
        raise HeadscopeError("alteration_head", value=head + 1, count=heads)


def check_token(token: int, case: Case) -> None:
    """Refuse a source token that there is none of."""
    if token >= case.source_length:
        raise HeadscopeError("alteration_token", value=token + 1, count=case.source_length)


def place_label(kind: AttentionKind, layer: int, head: int | None) -> str:
    """Such as "cross-attention of decoder layer 2, head 3"."""
    whole = "" if head is None else f", head {head + 1}"
    return f"{_FAMILY[kind]} {layer + 1}{whole}"
