"""`Outline`: what of a model decides which changes it has a place for. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.config import Architecture
from model.trace.attention_shape import AttentionShape


@dataclass(frozen=True)
class Outline:
    """A model as alterations know it.

    Attributes:
        max_positions: most tokens that a stack can read.
        key_heads: heads of keys and values; source_vocab, target_vocab: how many tokens there are. 0 of
            models of others, which nothing is carried into.
    """

    shape: AttentionShape
    max_positions: int
    key_heads: int = 0
    source_vocab: int = 0
    target_vocab: int = 0

    @classmethod
    def of(cls, model: Architecture | Outline) -> Outline:
        """That of a model of ours; an outline is one already."""
        if isinstance(model, Outline):
            return model
        heads = model.n_heads
        causal = not model.in_rounds
        layers = model.encoder_layers, heads, model.decoder_layers, heads
        return cls(
            AttentionShape(*layers, cross=True, causal=causal),
            model.max_positions,
            model.key_heads,
            model.source_vocab,
            model.target_vocab,
        )

    @property
    def encoder_layers(self) -> int:
        """Layers of the encoder; 0 without one."""
        return self.shape.encoder_layers

    @property
    def in_rounds(self) -> bool:
        """Whether all tokens are written at once."""
        return not self.shape.causal

    @property
    def prompted(self) -> bool:
        """Whether the source is a prompt, which the decoder itself reads."""
        return not self.shape.encoder_layers
