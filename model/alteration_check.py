"""Whether a model, reading a certain sentence, can be changed as a user asks; no torch."""

from __future__ import annotations

from collections.abc import Iterable

from model.alterations import Alteration, BlockToken, Reorder, ScaleHead, SetRow
from model.config import Architecture
from model.errors import HeadscopeError
from model.trace import AttentionKind


def layers_of(architecture: Architecture, kind: AttentionKind) -> int:
    """How many layers of a model have this family of attention."""
    encoder = kind is AttentionKind.ENCODER_SELF
    return architecture.encoder_layers if encoder else architecture.decoder_layers


def blocked_tokens(alterations: Iterable[Alteration]) -> frozenset[int]:
    """The source tokens that nobody may attend to."""
    return frozenset(change.token for change in alterations if isinstance(change, BlockToken))


def check_alterations(
    alterations: Iterable[Alteration], architecture: Architecture, source_length: int
) -> None:
    """Refuse what a model cannot be changed to.

    A decoder row that a translation does not come to is no error as long as the model has a position for it:
    how long a translation gets shows only afterwards.

    Args:
        source_length: tokens of the source, the end token included.

    Raises:
        HeadscopeError: a layer, head, token, row or order that there is none of, or a row that would look at
            nothing or at what is blocked.
    """
    changes = tuple(alterations)
    blocked = blocked_tokens(changes)
    for change in changes:
        if isinstance(change, (ScaleHead, SetRow)):
            _check_site(change, architecture)
        if isinstance(change, SetRow):
            _check_row(change, architecture, source_length, blocked)
        elif isinstance(change, BlockToken):
            _check_token(change.token, source_length)
        elif isinstance(change, Reorder) and len(change.order) != source_length - 1:
            order = " ".join(str(place + 1) for place in change.order)
            raise HeadscopeError("alteration_order", order=order, count=source_length - 1)


def _check_site(change: ScaleHead | SetRow, architecture: Architecture) -> None:
    layers = layers_of(architecture, change.kind)
    if change.layer >= layers:
        raise HeadscopeError("alteration_layer", value=change.layer + 1, kind=str(change.kind), count=layers)
    if change.head is not None and change.head >= architecture.n_heads:
        raise HeadscopeError("alteration_head", value=change.head + 1, count=architecture.n_heads)


def _check_token(token: int, source_length: int) -> None:
    if token >= source_length:
        raise HeadscopeError("alteration_token", value=token + 1, count=source_length)


def _check_row(
    change: SetRow, architecture: Architecture, source_length: int, blocked: frozenset[int]
) -> None:
    kind, row = str(change.kind), change.query + 1
    rows = source_length if change.kind is AttentionKind.ENCODER_SELF else architecture.max_positions
    if change.query >= rows:
        raise HeadscopeError("alteration_row", value=row, kind=kind, count=rows)
    if change.kind is AttentionKind.DECODER_SELF:
        return  # which keys it may attend to follows from the row alone: see `SetRow`
    if change.key is not None:
        _check_token(change.key, source_length)
        if change.key in blocked:
            raise HeadscopeError("alteration_blocked", row=row, kind=kind, key=change.key + 1)
        return
    keys = source_length - len(blocked)
    if change.weights is not None and len(change.weights) != keys:
        raise HeadscopeError("alteration_weights_count", row=row, keys=keys, count=len(change.weights))
    if keys == 0:
        raise HeadscopeError("alteration_all_blocked", row=row, kind=kind)
