"""without_source: a translation read token by token as it is, and with nothing of the source."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import replace

import torch

from model.alterations.detach import Detach
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.plain import plain
from model.inspection.reading import Reader
from model.inspection.readings import StackPass
from model.questions.causes.without_source import SourceWorth, WithoutSource
from model.questions.questions import Reading
from model.trace.trace import Floats


def without_source(question: WithoutSource, asked: Asked) -> Iterator[SourceWorth | None]:
    """Both readings; yields None while a stack is computed.

    Raises:
        HeadscopeError: `source_cannot`; `inspection_nothing` where there is no translation; `model_overflow`.
    """
    reading = asked.reading
    attached = yield from _logprobs(asked, reading)
    bare = replace(reading, alterations=(*reading.alterations, Detach(0.0)))
    detached = yield from _logprobs(asked, bare)
    yield SourceWorth(attached, detached)


def _logprobs(asked: Asked, reading: Reading) -> Generator[None, None, Floats]:
    """[T] of what is produced."""
    if asked.hooked is not None:
        hooked = asked.hooked.reader(reading)
        if not hooked.out_ids:
            raise HeadscopeError("inspection_nothing")
        return plain((yield from hooked.passed()).logprobs)
    reader = asked.readings.reader(reading)
    target = yield from asked.readings.target(reader)
    return _of_words(reader, target)


@torch.inference_mode()
def _of_words(reader: Reader, target: StackPass) -> Floats:
    logprobs = reader.transformer.project(target.rows).float().log_softmax(-1)
    produced = torch.tensor(reader.out_ids, device=logprobs.device)[:, None]
    return plain(logprobs.gather(-1, produced)[:, 0])
