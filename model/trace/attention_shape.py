"""`AttentionShape`: how many layers and heads a model has, by kind of attention. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.config import Architecture
from model.trace.trace import AttentionKind


@dataclass(frozen=True)
class AttentionShape:
    """Layers and heads of each stack; a stack that a model lacks has no layers.

    Attributes:
        cross: whether the decoder looks at the encoder.
        causal: whether the decoder writes token after token, and no row of it attends to a later one.
    """

    encoder_layers: int
    encoder_heads: int
    decoder_layers: int
    decoder_heads: int
    cross: bool
    causal: bool = True

    def layers(self, kind: AttentionKind) -> int:
        """Number of layers of a kind; 0 where the model lacks it."""
        if kind is AttentionKind.ENCODER_SELF:
            return self.encoder_layers
        return self.decoder_layers if self.cross or kind is AttentionKind.DECODER_SELF else 0

    def heads(self, kind: AttentionKind) -> int:
        """Number of heads in each layer of a kind; 0 where the model lacks it."""
        if not self.layers(kind):
            return 0
        return self.encoder_heads if kind is AttentionKind.ENCODER_SELF else self.decoder_heads


def layers_of(architecture: Architecture, kind: AttentionKind) -> int:
    """How many layers of a model of ours have this family of attention."""
    encoder = kind is AttentionKind.ENCODER_SELF
    return architecture.encoder_layers if encoder else architecture.decoder_layers
