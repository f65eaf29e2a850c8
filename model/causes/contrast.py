"""Contributions of source and prefix to a word, or one rather than another: by gradient, by taking away."""

from __future__ import annotations

from collections.abc import Generator, Iterator

import numpy as np
import torch
from torch import Tensor

from model.causes.without import Without
from model.inspection.asked import Asked
from model.inspection.gradients import Backwards, Walked, upto_step
from model.inspection.plain import check_step
from model.inspection.reading import Reader, check_ids
from model.questions.causes.contrast import Contrast, ContrastOf, Contributed, Doubles
from model.read_only import read_only
from model.trace.trace import Side


def contrast_of(question: ContrastOf, asked: Asked) -> Iterator[Contrast | tuple[int, int] | None]:
    """What each token did for a word of a step; yields None after each layer, then tokens taken away.

    Raises:
        HeadscopeError: there is no such step or word, or numbers overflow.
    """
    whole, step = asked.readings.reader(asked.reading), question.step
    check_step(whole, step)
    word = whole.out_ids[step] if question.word is None else question.word
    words = (word,) if question.rival is None else (word, question.rival)
    check_ids(words, whole.architecture.target_vocab)
    reader = upto_step(asked, step)
    walked = yield from Backwards(reader, step, words).walked(asked)
    effects = yield from _effects(reader, step, words)
    piece = reader.bundle.target_tokenizer.piece
    sources = len(reader.source_ids)
    yield Contrast(
        step,
        word,
        question.rival,
        piece(word),
        "" if question.rival is None else piece(question.rival),
        walked.logprobs,
        _of_side(reader, "source", walked, effects[:sources]),
        _of_side(reader, "target", walked, effects[sources:]),
    )


def _effects(reader: Reader, step: int, words: tuple[int, ...]) -> Generator[tuple[int, int], None, Doubles]:
    """[S + t] what is explained, minus the same without each token; of the source first."""
    without = Without(reader, step, words)
    sources, targets = len(reader.source_ids), len(reader.target_ids)
    # First nothing is taken away, by the same computation: the difference is then the token's alone.
    cases: list[tuple[tuple[int, ...], tuple[int, ...]]] = [((), ())]
    cases += [((place,), ()) for place in range(sources)]
    cases += [((), (place,)) for place in range(targets)]
    found = []
    for start in range(0, len(cases), without.chunk):
        chunk = cases[start : start + without.chunk]
        found.append(without.logprobs(*zip(*chunk, strict=True)))
        yield min(len(cases), start + without.chunk), len(cases)
    logprobs = np.concatenate(found)
    values = logprobs[:, 0] - (logprobs[:, 1] if len(words) > 1 else 0.0)
    effects: Doubles = values[0] - values[1:]
    return effects


@torch.inference_mode()
def _of_side(reader: Reader, side: Side, walked: Walked, effects: Doubles) -> Contributed:
    embedded = reader.embed(side)
    gradient = (walked.source if side == "source" else walked.target).double()
    return Contributed(
        side,
        reader.tokens(side),
        _plain((gradient * embedded.token.double()).sum(-1)),
        _plain((gradient * embedded.position.double()).sum(-1)),
        _plain(gradient.abs().sum(-1)),
        read_only(effects),
    )


def _plain(row: Tensor) -> Doubles:
    return read_only(row.numpy(force=True))
