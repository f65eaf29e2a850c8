"""Logits taken apart: direct logit attribution of everything that was written to the decoder's stream.

logit(a) - logit(b) = Σ_c out_c · (U_a - U_b) + bias, every norm held at its recorded deviation (Elhage et al.
2021, "A Mathematical Framework for Transformer Circuits"; of a pair of rivals: Wang et al. 2022, arXiv
2211.00593).
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
from torch import Tensor

from model.causes.residual import Parts, leaving
from model.errors import HeadscopeError
from model.inspection.asked import Asked
from model.inspection.hooked.readings import HookedReader
from model.inspection.hooked.stream import closed, readout, written
from model.inspection.plain import check_step
from model.inspection.reading import Reader, check_ids
from model.inspection.readings import StackPass
from model.questions.causes.logit import LogitOf, LogitParts
from model.questions.causes.parts import Part
from model.read_only import read_only

_NO_BIAS = 1e-6
"""A bias smaller than this, in units of the largest logit, is what rounding leaves of none."""
_OUTPUT_BIAS = Part("bias", "target", "output")


def logit_of(question: LogitOf, asked: Asked) -> Iterator[LogitParts | None]:
    """A word's logit at a step, or that of one minus another's; yields None while a stack is to be computed.

    Raises:
        HeadscopeError: there is no such step or word, or numbers overflow.
    """
    if asked.hooked is not None:
        hooked = asked.hooked.reader(asked.reading)
        yield from _of_others(question, hooked)
        return
    readings = asked.readings
    reader = readings.reader(asked.reading)
    check_step(reader, question.step)
    word = reader.out_ids[question.step] if question.word is None else question.word
    words = (word,) if question.rival is None else (word, question.rival)
    check_ids(words, reader.architecture.target_vocab)
    target = yield from readings.target(reader)
    parts = yield from leaving(reader, target, question.step)
    yield _taken_apart(reader, target, question.step, words, parts)


def _of_others(question: LogitOf, reader: HookedReader) -> Iterator[LogitParts | None]:
    """The same of a model that `transformers` runs; raises `others_unexplained` where its head is another."""
    steps = len(reader.out_ids)
    if not steps:
        raise HeadscopeError("inspection_nothing")
    if not 0 <= question.step < steps:
        raise HeadscopeError("export_step", value=question.step + 1, count=steps)
    word = reader.out_ids[question.step] if question.word is None else question.word
    words = (word,) if question.rival is None else (word, question.rival)
    found = yield from reader.passed()
    with torch.inference_mode():
        made = readout(reader, found)
        check_ids(words, len(made.matrix))
        parts, vectors = written(reader, found, question.step)
        logits = made.factor * closed(reader, found)[question.step].double() @ made.matrix.t() + made.bias
        values = made.factor * vectors @ _against(made.matrix, words)
        constant = _against(made.bias, words)
        if float(made.bias.abs().max()) > _NO_BIAS * float(logits.abs().max()):
            parts, values = [*parts, _OUTPUT_BIAS], torch.cat([values, constant[None]])
        logprobs = logits.log_softmax(-1)
        piece, shape = reader.model.target_tokenizer.piece, reader.outline.shape
        yield LogitParts(
            question.step,
            words[0],
            question.rival,
            piece(words[0]),
            "" if question.rival is None else piece(question.rival),
            tuple(parts),
            read_only(values.numpy(force=True)),
            float(_against(logits, words)),
            tuple(float(logprobs[one]) for one in words),
            False,
            shape.decoder_layers,
            shape.decoder_heads,
        )


@torch.inference_mode()
def _taken_apart(
    reader: Reader, target: StackPass, step: int, words: tuple[int, ...], parts: Parts
) -> LogitParts:
    output, a = reader.transformer.output, reader.architecture
    names, values = parts.names, parts.vectors @ _against(output.weight, words)
    bias: Tensor | None = output.bias
    if bias is not None:
        names, values = (*names, _OUTPUT_BIAS), torch.cat([values, _against(bias, words)[None]])
    # Of a model that copies, `output` alone gives the logits of what it generates.
    logits = reader.transformer.project(target.output[step])
    logprobs = reader.transformer.project(target.rows[step]).double().log_softmax(-1)
    piece = reader.bundle.target_tokenizer.piece
    word, rival = words[0], words[1] if len(words) > 1 else None
    return LogitParts(
        step,
        word,
        rival,
        piece(word),
        "" if rival is None else piece(rival),
        names,
        read_only(values.numpy(force=True)),
        float(_against(logits, words)),
        tuple(float(logprobs[one]) for one in words),
        a.copying,
        a.decoder_layers,
        a.n_heads,
    )


def _against(rows: Tensor, words: tuple[int, ...]) -> Tensor:
    """A word's row, minus its rival's if there is one; float64."""
    first = rows[words[0]].double()
    return first if len(words) == 1 else first - rows[words[1]].double()
