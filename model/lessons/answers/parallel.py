"""Parallel passes and single steps of the open model's decoder: whether they agree, and how long they take.

Shapes: n tokens read, d d_model.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from functools import partial
from statistics import median

import numpy as np
import torch
from torch import Tensor, nn

from model.inspection.asked import Asked
from model.lessons.answers.plain_pass import read_of
from model.lessons.parallel import LENGTHS, WAYS, Times, TimesOf
from model.network.attention import AttentionSite
from model.network.transformer import Transformer
from model.questions.questions import Partial
from model.work import due

RUNS = 5
"""Of which a median is taken, at most."""
LONG = 0.4
"""Seconds after which no further run of the same is begun."""

Progress = tuple[int, int]


def times_of(question: TimesOf, asked: Asked) -> Iterator[Times | Partial | Progress | None]:
    """Compare both ways on the translation that is open, then time them on longer and longer ones.

    What is read to measure time is that translation over and over. Neither the encoder nor the choice of a
    token is in the times, the projection to the vocabulary is.

    Raises:
        HeadscopeError: the reading cannot be read, or it is another model's.
    """
    bundle, reading = asked.bundle, asked.reading
    asked.readings.reader(reading).require_steps()
    transformer = bundle.transformer
    with torch.inference_mode():
        memory = transformer.encode(torch.tensor([reading.src_ids], device=transformer.device))
    yield None
    read = read_of(bundle, reading.out_ids)
    apart = yield from _apart(transformer, read, memory)
    lengths = [n for n in LENGTHS if n <= bundle.target_limit] or [bundle.target_limit]
    repeated = read.repeat(1, -(-lengths[-1] // read.shape[1]))
    a = transformer.architecture
    ways: dict[str, Callable[[Tensor], Iterator[None]]] = {
        "one_pass": partial(_one_pass, transformer, memory),
        "cached": partial(_cached, transformer, memory),
        "recomputed": partial(_recomputed, transformer, memory),
        "gru": partial(_recurrent, transformer, _gru(a.d_model, a.decoder_layers, transformer.device)),
    }
    assert tuple(ways) == WAYS
    seconds = {way: np.full(len(lengths), np.nan) for way in WAYS}

    def told() -> Times:
        return Times(
            steps=read.shape[1],
            logprob_difference=apart[0],
            weight_difference=apart[1],
            lengths=np.array(lengths),
            seconds={way: found.copy() for way, found in seconds.items()},
            runs=RUNS,
            threads=torch.get_num_threads(),
            d_model=a.d_model,
            layers=a.decoder_layers,
        )

    yield Partial(told())
    for place, length in enumerate(lengths):
        for number, (way, compute) in enumerate(ways.items()):
            yield place * len(ways) + number, len(lengths) * len(ways)
            seconds[way][place] = yield from _median(partial(compute, repeated[:, :length]))
        yield Partial(told())
    yield told()


def _median(compute: Callable[[], Iterator[None]]) -> Generator[None, None, float]:
    """Seconds that a computation takes, once it is warm."""
    found: list[float] = []
    yield from _timed(compute())
    while not found or (len(found) < RUNS and sum(found) < LONG):
        found.append((yield from _timed(compute())))
        yield None
    return median(found)


def _timed(work: Iterator[None]) -> Generator[None, None, float]:
    """Seconds that its slices take; what others do between two of them is not counted."""
    spent, last = 0.0, time.monotonic()
    while True:
        begun = time.perf_counter()
        ended = next(work, _ENDED) is _ENDED
        spent += time.perf_counter() - begun
        if ended:
            return spent
        if due(last):
            yield None
            last = time.monotonic()


_ENDED = object()


def _one_pass(transformer: Transformer, memory: Tensor, read: Tensor) -> Iterator[None]:
    with torch.inference_mode():
        transformer.project(transformer.decode(read, memory))
    yield None


def _cached(transformer: Transformer, memory: Tensor, read: Tensor) -> Iterator[None]:
    with torch.inference_mode():
        cache = transformer.start_cache(memory)
    for place in range(read.shape[1]):
        with torch.inference_mode():
            transformer.project(transformer.decode_step(read[:, place : place + 1], cache))
        yield None


def _recomputed(transformer: Transformer, memory: Tensor, read: Tensor) -> Iterator[None]:
    for end in range(1, read.shape[1] + 1):
        with torch.inference_mode():
            transformer.project(transformer.decode(read[:, :end], memory)[:, -1:])
        yield None


def _recurrent(transformer: Transformer, gru: nn.GRU, read: Tensor) -> Iterator[None]:
    with torch.inference_mode():
        transformer.project(gru(transformer.target_embedding(read))[0])
    yield None


class _Undrawn(nn.GRU):
    """Without weights of its own; on torch's `meta` device it had none either, for 60 MB of imports."""

    def reset_parameters(self) -> None:
        """Nothing: whoever makes it draws them."""


def _gru(width: int, layers: int, device: torch.device) -> nn.GRU:
    """Of random weights, drawn from no generator but its own."""
    made = _Undrawn(width, width, layers, batch_first=True, device=device)
    generator = torch.Generator(device).manual_seed(1)
    for parameter in made.parameters():
        nn.init.uniform_(parameter, -(width**-0.5), width**-0.5, generator=generator)
    return made.requires_grad_(False).eval()


def _apart(
    transformer: Transformer, read: Tensor, memory: Tensor
) -> Generator[None, None, tuple[float, float]]:
    """Largest difference of log probabilities, and of weights, between one pass and steps with a cache."""
    whole: dict[AttentionSite, Tensor] = {}
    with torch.inference_mode():
        hidden = transformer.decode(read, memory, tap=whole.__setitem__)
        at_once = transformer.project(hidden)[0].float().log_softmax(-1)
        cache = transformer.start_cache(memory)
    yield None
    logprobs = weights = 0.0
    for place in range(read.shape[1]):
        row: dict[AttentionSite, Tensor] = {}
        with torch.inference_mode():
            hidden = transformer.decode_step(read[:, place : place + 1], cache, tap=row.__setitem__)
            step = transformer.project(hidden)[0, 0].float().log_softmax(-1)
            logprobs = max(logprobs, float((step - at_once[place]).abs().max()))
            for site, pattern in row.items():
                own = whole[site][:, :, place : place + 1, : pattern.shape[-1]]
                weights = max(weights, float((pattern - own).abs().max()))
        yield None
    return logprobs, weights
