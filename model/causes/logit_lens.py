"""Logit lens (nostalgebraist 2020), of models of ours and of others.

Shapes: L layers, V words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import torch
from torch import Tensor

from model.decoding.candidates import rank_of, top_candidates
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.hooked.lens import layer_logits
from model.inspection.hooked.readings import HookedReader
from model.inspection.plain import check_step, plain
from model.inspection.walk import LENS_TOKENS
from model.questions.answers import Lens
from model.questions.causes.logit_lens import Lenses, LensesOf
from model.read_only import read_only


def lenses_of(question: LensesOf, asked: Asked) -> Iterator[Lenses | None]:
    """What a model would say after each layer at a step; yields None while a stack is to be computed.

    Raises:
        HeadscopeError: there is no such step; or numbers overflow.
    """
    if asked.hooked is not None:
        yield from _of_others(question, asked.hooked.reader(asked.reading))
        return
    readings = asked.readings
    reader = readings.reader(asked.reading)
    check_step(reader, question.step)
    passed = yield from readings.target(reader)
    with torch.inference_mode():
        last = [one.after[question.step] for one in passed.sublayers if one.name == "feed_forward"]
        logits = reader.transformer.project(reader.close("target", torch.stack(last)))
        if reader.architecture.copying:
            logits[-1] = reader.transformer.project(passed.rows[question.step])
    piece = reader.bundle.target_tokenizer.piece
    yield _lenses(question.step, reader.out_ids[question.step], logits, piece)


def _of_others(question: LensesOf, reader: HookedReader) -> Iterator[Lenses | None]:
    steps = len(reader.out_ids) if reader.inside.anatomy.decoder else reader.source_ids.shape[1]
    if not steps:
        raise HeadscopeError("inspection_nothing")
    if not 0 <= question.step < steps:
        raise HeadscopeError("export_step", value=question.step + 1, count=steps)
    found = yield from reader.passed()
    logits = layer_logits(reader, found, question.step)
    word = reader.out_ids[question.step] if reader.out_ids else int(logits[-1].argmax())
    yield _lenses(question.step, word, logits, reader.model.target_tokenizer.piece)


def _lenses(step: int, word: int, logits: Tensor, piece: Callable[[int], str]) -> Lenses:
    best = top_candidates(logits, LENS_TOKENS)
    found = []
    for layer, row in enumerate(logits):
        ids = best.ids[layer]
        found.append(
            Lens(
                layer,
                read_only(ids),
                tuple(map(piece, ids.tolist())),
                plain(row[ids.tolist()]),
                read_only(best.logprobs[layer]),
                rank_of(word, row, ids),
                float(best.all_logprobs[layer, word]),
            )
        )
    return Lenses(step, word, piece(word), tuple(found))
