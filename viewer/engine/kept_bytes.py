"""How much memory what computed recent runs takes while it is kept; see `model.kept`."""

from __future__ import annotations

from model.config import Architecture

_FLOAT = 4
_LEAST_ROOM = 64  # steps for which a decoding makes room at first


def decoding_bytes(architecture: Architecture, source: int, steps: int) -> int:
    """About what a `model.decoding.Decoding` of so many source tokens and steps takes.

    Keys and values of every decoder layer, of the target (room is made by doubling) and of the source; all
    patterns; the outputs.
    """
    a = architecture
    room = _LEAST_ROOM
    while room < steps:
        room *= 2
    cache = 2 * a.decoder_layers * (room + source) * a.d_model
    patterns = a.n_heads * (a.encoder_layers * source * source + a.decoder_layers * room * (room + source))
    return _FLOAT * (cache + patterns + steps * a.d_model)


def search_bytes(architecture: Architecture, source: int, steps: int, beams: int) -> int:
    """About what the patterns of a beam search take: each step's rows of every beam."""
    a = architecture
    rows = beams * a.decoder_layers * (steps * steps // 2 + steps * source)
    return _FLOAT * a.n_heads * (a.encoder_layers * source * source + rows)
