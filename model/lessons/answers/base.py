"""without_positions: the order experiment for the lesson of the base, with what the model's positions are."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from model.config import Architecture
from model.inspection.asked import Asked
from model.inspection.order import try_orders
from model.lessons.base import TwoOrders, WithoutPositions
from model.read_only import read_only
from model.trace.exploration import OrderExperiment
from model.translator.source_check import check_text


def without_positions(question: WithoutPositions, asked: Asked) -> Iterator[tuple[int, int] | TwoOrders]:
    """The text of a reading in two orders, with and without positions; progress, and last the answer.

    Raises:
        HeadscopeError: `source_cannot`: it is no Transformer of ours; or as `model.inspection.order`.
    """
    bundle, reading = asked.bundle, asked.reading
    text = reading.text or bundle.source_tokenizer.decode(reading.src_ids)
    check_text(bundle, text)
    count = len(bundle.source_tokenizer.source_ids(text)) - 1
    order = (*range(1, count), 0) if question.shifted and count else None
    a = bundle.config.architecture
    for found in try_orders(bundle, text, order):
        yield _told(found, a) if isinstance(found, OrderExperiment) else found


def _told(found: OrderExperiment, a: Architecture) -> TwoOrders:
    traces = [reading.trace for reading in found.readings]
    return TwoOrders(
        found.pieces,
        found.order,
        distance=read_only(np.stack([found.distance[True], found.distance[False]])),
        largest=read_only(np.stack([found.largest[True], found.largest[False]])),
        translations=tuple(trace.tgt_out_tokens for trace in traces),
        logprobs=read_only(np.array([trace.step_logprob.sum(dtype=np.float64) for trace in traces])),
        positions=a.positions,
        base=a.position_base if a.positions in ("sinusoidal", "rotary") else 0.0,
        d_model=a.d_model,
    )
