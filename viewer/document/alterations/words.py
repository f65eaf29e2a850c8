"""Words that several alterations share: heads and tokens by name and number."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from model.trace.trace import AttentionKind
from viewer.document.text.token_text import token_texts

translate = QCoreApplication.translate


def head_text(kind: AttentionKind, layer: int, head: int | None) -> str:
    """A head, or (None) all of a layer: "cross-attention of layer 2, head 3"."""
    if kind is AttentionKind.ENCODER_SELF:
        one, every = (
            translate("Alterations", "encoder self-attention of layer {layer}, head {head}"),
            translate("Alterations", "encoder self-attention of layer {layer}, every head"),
        )
    elif kind is AttentionKind.DECODER_SELF:
        one, every = (
            translate("Alterations", "decoder self-attention of layer {layer}, head {head}"),
            translate("Alterations", "decoder self-attention of layer {layer}, every head"),
        )
    else:
        one, every = (
            translate("Alterations", "cross-attention of layer {layer}, head {head}"),
            translate("Alterations", "cross-attention of layer {layer}, every head"),
        )
    return (every if head is None else one).format(layer=layer + 1, head=(head or 0) + 1)


def token_name(pieces: Sequence[str] | None, index: int, *, starts: bool = False) -> str:
    """A number, and the token if it is known.

    Args:
        starts: the first is a start token.
    """
    if pieces is None or index >= len(pieces):
        return str(index + 1)
    return translate("Alterations", "{number} “{token}”").format(
        number=index + 1, token=token_texts(tuple(pieces), starts=starts)[index].marked
    )
