"""lens_of: the decoder reads encoder layer 0, 1, … N, and writes what it finds there (arXiv 2310.03686).

Every layer goes the way of `model.alterations.read_layer.ReadLayer`: in pre-norm through the norm that closes
the encoder, and to every decoder layer, whatever the model's wiring.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator

from model.alterations.alteration import Alteration
from model.alterations.read_layer import ReadLayer
from model.bundle.bundle import Bundle
from model.decoding.decoding import decode_events, usual_config
from model.inspection.asked import Asked
from model.inspection.forced_words import forced_words
from model.questions.causes.decoder_lens import Lens, LensOf, LensRow
from model.questions.questions import Partial, Reading
from model.read_only import read_only


def lens_of(question: LensOf, asked: Asked) -> Iterator[tuple[int, int] | Partial | Lens | None]:
    """A translation from each layer; yields None after every token and `Partial` after every layer.

    Raises:
        HeadscopeError: `source_cannot` for a model that is not ours, or its numbers overflow.
    """
    bundle, reading = asked.bundle, asked.reading
    layers = bundle.config.architecture.encoder_layers
    rows: list[LensRow] = []
    for layer in range(layers + 1):
        yield layer, layers + 1
        rows.append((yield from _row(bundle, reading, layer)))
        if layer < layers:
            yield Partial(Lens(tuple(rows), layers))
    yield Lens(tuple(rows), layers)


def _row(bundle: Bundle, reading: Reading, layer: int) -> Generator[None, None, LensRow]:
    """None after every token; returns the row."""
    changes: tuple[Alteration, ...] = (*reading.alterations, ReadLayer(layer))
    trace = None
    for event in decode_events(bundle, reading.text, usual_config(bundle), alterations=changes):
        trace = event.trace
        yield None
    assert trace is not None
    given = math.nan
    if reading.out_ids and not bundle.config.architecture.in_rounds:
        given = float((yield from forced_words(bundle, reading, changes)).sum())
    return LensRow(
        layer,
        trace.tgt_text,
        trace.tgt_out_tokens,
        read_only(trace.step_logprob.copy()),
        trace.finished,
        given,
    )
