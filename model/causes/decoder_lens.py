"""layers_of_encoder: the decoder reads encoder layer 0, 1, … N, and writes what it finds (arXiv 2310.03686).

Each goes the way of `model.alterations.read_layer.ReadLayer`: in pre-norm through the norm that closes the
encoder, and to every decoder layer, whatever the model's wiring.
"""

from __future__ import annotations

import math
from collections.abc import Generator, Iterator
from dataclasses import replace

from model.alterations.alteration import Alteration
from model.alterations.read_layer import ReadLayer
from model.bundle.bundle import Bundle
from model.decoding.decoding import decode_events, usual_config
from model.decoding.forcing import forced_logprobs
from model.inspection.asked import Asked
from model.questions.causes.decoder_lens import LayerRow, LayersOf, LayersRead
from model.questions.questions import Partial, Reading
from model.read_only import read_only


def layers_of_encoder(
    question: LayersOf, asked: Asked
) -> Iterator[tuple[int, int] | Partial | LayersRead | None]:
    """A translation from each layer; yields None after every token and `Partial` after every layer.

    Raises:
        HeadscopeError: `source_cannot` for a model that is not ours, or its numbers overflow.
    """
    bundle, reading = asked.bundle, asked.reading
    layers = bundle.config.architecture.encoder_layers
    rows: list[LayerRow] = []
    for layer in range(layers + 1):
        yield layer, layers + 1
        rows.append((yield from _row(bundle, reading, layer)))
        if layer < layers:
            yield Partial(LayersRead(tuple(rows), layers))
    yield LayersRead(tuple(rows), layers)


def _row(bundle: Bundle, reading: Reading, layer: int) -> Generator[None, None, LayerRow]:
    """None after every token; returns the row."""
    others = (change for change in reading.alterations if not isinstance(change, ReadLayer))
    changes: tuple[Alteration, ...] = (*others, ReadLayer(layer))
    config = replace(usual_config(bundle), candidates=1)
    trace = None
    for event in decode_events(bundle, reading.text, config, alterations=changes):
        trace = event.trace
        yield None
    assert trace is not None
    given = math.nan
    if reading.out_ids and not bundle.config.architecture.in_rounds:
        given = float(forced_logprobs(bundle, reading.text, reading.out_ids, changes).sum(dtype="float64"))
    return LayerRow(
        layer,
        trace.tgt_text,
        trace.tgt_out_tokens,
        read_only(trace.step_logprob.copy()),
        trace.finished,
        given,
    )
