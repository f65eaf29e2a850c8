"""The order experiment: the same pieces in two orders, with and without positions (paper, section 3.5).

Attention by itself knows no order: without positions a permutation of the source permutes the encoder's
outputs and changes nothing else. The pieces are permuted, never split anew: both orders read the same ids.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import numpy.typing as npt
import torch

from model.alterations.alteration import Alteration
from model.alterations.change_positions import ChangePositions
from model.alterations.reorder import Reorder
from model.bundle.bundle import Bundle
from model.decoding.altering import Altering
from model.decoding.decoding import decode_events, usual_config
from model.errors import HeadscopeError
from model.files.tensor_file import well_formed
from model.inspection.asked import Asked
from model.questions.orders import OrdersOf, PiecesOf, TextPieces
from model.trace.exploration import OrderExperiment, OrderReading, other_order
from model.trace.trace import Floats, Trace
from model.translator.source_check import check_text

_NO_POSITIONS = ChangePositions("both", "none")


def try_orders(
    bundle: Bundle, text: str, order: Sequence[int] | None = None
) -> Iterator[tuple[int, int] | OrderExperiment]:
    """Read a text's pieces in their own and in another order, with and without positions.

    Args:
        order: as in `model.alterations.reorder.Reorder`; None takes `other_order`.

    Yields:
        Readings done and readings in all, after each token; at last the `OrderExperiment`.

    Raises:
        HeadscopeError: `order_short`: there are no two different pieces; `order_same`: the order changes
            nothing; `alteration_order`: it is none of these pieces; or what decoding refuses.
    """
    text = well_formed(text)
    source = bundle.source_tokenizer.source_ids(text)
    ids = source[:-1]  # the end token keeps its place
    pieces = tuple(map(bundle.source_tokenizer.piece, ids))
    chosen = other_order(pieces) if order is None else tuple(order)
    reorder = _checked(ids, chosen)
    plans: list[tuple[Alteration, ...]] = [
        (),
        (reorder,),
        (_NO_POSITIONS,),
        (reorder, _NO_POSITIONS),
    ]
    readings: list[OrderReading] = []
    for plan in plans:
        trace: Trace | None = None
        for event in decode_events(bundle, text, usual_config(bundle), alterations=plan):
            trace = event.trace
            yield len(readings), len(plans)
        assert trace is not None
        readings.append(OrderReading(reorder in plan, _NO_POSITIONS not in plan, trace))
    outputs = [_encoded(bundle, source, plan) for plan in plans]
    # Which place in the other order each piece of the own order has come to.
    place = np.argsort(chosen)
    both = {True: (outputs[0], outputs[1][place]), False: (outputs[2], outputs[3][place])}
    yield OrderExperiment(
        text=text,
        pieces=pieces,
        ids=tuple(ids),
        order=chosen,
        readings=tuple(readings),
        distance={key: _frozen(np.linalg.norm(own - other, axis=1)) for key, (own, other) in both.items()},
        largest={key: _frozen(np.abs(own - other).max(axis=1)) for key, (own, other) in both.items()},
        norm={key: _frozen(np.linalg.norm(own, axis=1)) for key, (own, _) in both.items()},
    )


def orders_of(question: OrdersOf, asked: Asked) -> Iterator[tuple[int, int] | OrderExperiment]:
    """The same as a question; see `try_orders`.

    Raises:
        HeadscopeError: as `model.translator.source_check.check_text` besides.
    """
    check_text(asked.model, question.text)
    return try_orders(asked.bundle, question.text, question.order)


def pieces_of(question: PiecesOf, asked: Asked) -> Iterator[TextPieces]:
    """The pieces of any text; an empty one has none."""
    tokenizer = asked.model.source_tokenizer
    yield TextPieces(question.text, tuple(map(tokenizer.piece, tokenizer.encode(question.text))))


def _checked(ids: Sequence[int], order: tuple[int, ...]) -> Reorder:
    if len(set(ids)) < 2:
        raise HeadscopeError("order_short")
    reorder = Reorder(order)
    if len(order) != len(ids):
        shown = " ".join(str(place + 1) for place in order)
        raise HeadscopeError("alteration_order", order=shown, count=len(ids))
    if [ids[place] for place in order] == list(ids):
        raise HeadscopeError("order_same")
    return reorder


@torch.inference_mode()
def _encoded(
    bundle: Bundle, source: Sequence[int], alterations: tuple[Alteration, ...]
) -> npt.NDArray[np.float64]:
    """The encoder's output for each piece in the order read, [pieces, d_model], without the end token's."""
    transformer = bundle.transformer
    device = transformer.device
    altering = Altering(alterations, transformer.architecture, source_length=len(source), device=device)
    read = torch.tensor([altering.order_source(source)], device=device)
    outputs = transformer.encode(read, position_ids=altering.source_positions, every_layer=True)
    result: npt.NDArray[np.float64] = outputs[-1][0, :-1].double().numpy(force=True)
    return result


def _frozen(array: npt.NDArray[np.float64]) -> Floats:
    result: Floats = array.astype(np.float32)
    result.flags.writeable = False
    return result
