"""The same word in two sentences: how alike two positions are, layer by layer."""

from __future__ import annotations

from collections.abc import Generator

import torch
from torch import Tensor

from model.errors import HeadscopeError
from model.inspection.answers import Closeness
from model.inspection.plain import check_position, plain
from model.inspection.reading import Reader
from model.inspection.readings import Readings
from model.questions import ClosenessOf, Reading, Side


def closeness_of(
    readings: Readings, question: ClosenessOf, reading: Reading
) -> Generator[None, None, Closeness]:
    """Cosine and lengths of two positions' vectors; yields while a stack is still to be computed.

    The stages are the (scaled) embedding, its sum with the position, and each layer's output on the residual
    stream (in pre-norm before the closing norm). The cosine with a vector of zeros is 0.

    Raises:
        HeadscopeError: a position that there is none of, nothing to read, a reading of another model; or
            numbers overflow.
    """
    other = question.other
    if other.model_sha256 not in ("", readings.bundle.sha256):
        raise HeadscopeError("run_other_model", name=other.model_name)
    places = ((reading, question.position), (other, question.other_position))
    readers = [readings.reader(which) for which, _ in places]
    for reader, (_, position) in zip(readers, places, strict=True):
        check_position(reader, question.side, position)
    ways: list[Tensor] = []
    for reader, (_, position) in zip(readers, places, strict=True):
        ways.append((yield from _way(readings, reader, question.side, position)))
    return _compared(readers, question, ways)


def _way(readings: Readings, reader: Reader, side: Side, position: int) -> Generator[None, None, Tensor]:
    passed = yield from (readings.source(reader) if side == "source" else readings.target(reader))
    with torch.inference_mode():
        embedded = reader.embed(side)
        ends = [sublayer for sublayer in passed.sublayers if sublayer.name == "feed_forward"]
        vectors = [embedded.token[position], embedded.total[position]]
        vectors += [sublayer.at(position).after[0] for sublayer in ends]
        return torch.stack(vectors).double()


@torch.inference_mode()
def _compared(readers: list[Reader], question: ClosenessOf, ways: list[Tensor]) -> Closeness:
    one, two = ways
    norms = torch.stack([one.norm(dim=-1), two.norm(dim=-1)])
    lengths = norms.prod(0)
    cosine = torch.where(lengths > 0, (one * two).sum(-1) / lengths, 0.0).clamp(-1.0, 1.0)
    side = question.side
    first, second = (reader.tokens(side) for reader in readers)
    return Closeness(
        side,
        (first[question.position], second[question.other_position]),
        ("embedding", "sum", *(str(layer + 1) for layer in range(len(one) - 2))),
        plain(cosine),
        plain(norms),
    )
