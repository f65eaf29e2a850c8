"""Cache sizes: how much memory what computed recent runs takes while it is kept; see `model.lru_cache`."""

from __future__ import annotations

from model.trace.attention_shape import AttentionShape

_FLOAT = 4
_LEAST_ROOM = 64  # rows for which a decoding makes room at first


def decoding_bytes(shape: AttentionShape, width: int, source: int, rows: int) -> int:
    """About what a `model.decoding.decoding.Decoding` of so many source tokens and rows of the decoder takes.

    Keys and values of every decoder layer, of the target (room is made by doubling) and of the source; all
    patterns; the outputs.

    Args:
        width: of hidden states.
        source: tokens that the encoder reads, 0 without one.
        rows: those of a prompt included.
    """
    room = _LEAST_ROOM
    while room < rows:
        room *= 2
    keys = room + source
    cache = 2 * shape.decoder_layers * keys * width
    patterns = _encoder(shape, source) + shape.decoder_layers * shape.decoder_heads * room * keys
    return _FLOAT * (cache + patterns + rows * width)


def search_bytes(shape: AttentionShape, source: int, prompt: int, rows: int, beams: int) -> int:
    """About what the patterns of a beam search take: each step's rows of every beam, and once a prompt's.

    Args:
        source: see `decoding_bytes`.
        prompt: rows of a prompt.
        rows: those of a prompt included.
    """
    seen = (rows * rows - prompt * prompt) // 2 + (rows - prompt) * source
    patterns = shape.decoder_layers * shape.decoder_heads * (beams * seen + prompt * prompt)
    return _FLOAT * (_encoder(shape, source) + patterns)


def _encoder(shape: AttentionShape, source: int) -> int:
    """Weights of the encoder's patterns."""
    return shape.encoder_layers * shape.encoder_heads * source * source
