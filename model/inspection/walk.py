"""Walk of a position through a stack, stage by stage; neurons and the logit lens.

Shapes: n tokens, d d_model, f d_ff, V target vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator

import torch
import torch.nn.functional as F
from torch import Tensor

from model.decoding.candidates import rank_of, top_candidates
from model.inspection.asked import Asked
from model.inspection.plain import check_position, plain
from model.inspection.reading import Reader, Sublayer
from model.inspection.readings import StackPass
from model.questions.answers import EmbeddingSum, Lens, Neurons, Walk, WalkStep
from model.questions.questions import EmbeddingOf, WalkOf
from model.read_only import read_only
from model.trace.trace import Side

NEURONS = 12
"""How many neurons of a layer are told."""

LENS_TOKENS = 10
"""How many tokens a lens tells."""


def embedding_of(question: EmbeddingOf, asked: Asked) -> Iterator[EmbeddingSum]:
    """What enters a stack.

    Raises:
        HeadscopeError: the decoder's, where there is no translation.
    """
    reader = asked.readings.reader(asked.reading)
    if question.side == "target":
        reader.require_steps()
    yield _embedding(reader, question.side)


def walk_of(question: WalkOf, asked: Asked) -> Iterator[Walk | None]:
    """A position's way; yields None while a stack is still to be computed, and last the answer.

    Raises:
        HeadscopeError: there is no such position, or nothing to read; or numbers overflow.
    """
    readings = asked.readings
    reader = readings.reader(asked.reading)
    side, position = question.side, question.position
    check_position(reader, side, position)
    passed = yield from (readings.source(reader) if side == "source" else readings.target(reader))
    yield _walk(reader, passed, position)


@torch.inference_mode()
def _embedding(reader: Reader, side: Side) -> EmbeddingSum:
    embedded = reader.embed(side)
    return EmbeddingSum(
        side, reader.scale, plain(embedded.token), plain(embedded.position), plain(embedded.total)
    )


@torch.inference_mode()
def _walk(reader: Reader, passed: StackPass, position: int) -> Walk:
    side = passed.side
    sublayers = [sublayer.at(position) for sublayer in passed.sublayers]
    steps = [*_entrance(reader, side, position)]
    for sublayer in sublayers:
        steps.extend(_steps(sublayer))
    if sublayers[-1].pre_norm:
        closed = passed.output[position : position + 1]
        steps.append(_norm("final_norm", "final_norm", None, sublayers[-1].after, closed))
    last = [sublayer for sublayer in sublayers if sublayer.name == "feed_forward"]
    return Walk(
        side,
        position,
        reader.tokens(side),
        reader.bundle.target_tokenizer.piece(reader.out_ids[position]) if side == "target" else "",
        tuple(steps),
        tuple(_neurons(reader, side, sublayer) for sublayer in last),
        tuple(_lenses(reader, passed, last, position)) if side == "target" else (),
        reader.architecture.normalisation,
    )


def _entrance(reader: Reader, side: Side, position: int) -> Iterator[WalkStep]:
    embedded = reader.embed(side)
    names = ("embedding", "position", "sum")
    for name, vectors in zip(names, (embedded.token, embedded.position, embedded.total), strict=True):
        yield WalkStep(name, name, None, plain(vectors[position]))


def _steps(sublayer: Sublayer) -> Iterator[WalkStep]:
    """A sub-layer's stages in the order of computation."""
    name, layer = sublayer.name, sublayer.layer
    if sublayer.pre_norm:
        yield _norm("norm", name, layer, sublayer.before, sublayer.reads)
    yield WalkStep(name, name, layer, plain(sublayer.output[0]))
    yield WalkStep("residual", name, layer, plain(sublayer.total[0]))
    if not sublayer.pre_norm:
        yield _norm("norm", name, layer, sublayer.total, sublayer.after)


def _norm(stage: str, sublayer: str, layer: int | None, before: Tensor, after: Tensor) -> WalkStep:
    numbers = before[0].double()
    return WalkStep(
        stage,
        sublayer,
        layer,
        plain(after[0]),
        mean=float(numbers.mean()),
        deviation=float(numbers.std(correction=0)),
        before=plain(before[0]),
    )


def _neurons(reader: Reader, side: Side, sublayer: Sublayer) -> Neurons:
    layer = reader.layer(side, sublayer.layer)
    activation = layer.activation(F.linear(sublayer.reads[0], layer.linear1.weight, layer.linear1.bias))
    effect = activation.abs() * layer.linear2.weight.norm(dim=0)
    best = effect.sort(descending=True, stable=True).indices[:NEURONS]
    return Neurons(
        sublayer.layer,
        read_only(best.numpy(force=True)),
        plain(activation[best]),
        plain(effect[best]),
        int((activation > 0).sum()),
        len(activation),
    )


def _lenses(reader: Reader, passed: StackPass, last: list[Sublayer], position: int) -> Iterator[Lens]:
    """One for each layer's last sub-layer, and once more the model's own word, which is the last one's.

    Where words are copied, layers below the last one only generate.
    """
    hidden = torch.cat([reader.close("target", sublayer.after) for sublayer in last])
    logits = reader.transformer.project(hidden)
    if reader.architecture.copying:
        logits[-1] = reader.transformer.project(passed.rows[position])
    produced = reader.out_ids[position]
    piece = reader.bundle.target_tokenizer.piece
    best = top_candidates(logits, LENS_TOKENS)
    for row, layer in [*((row, row) for row in range(len(last))), (len(last) - 1, None)]:
        ids = best.ids[row]
        yield Lens(
            layer,
            read_only(ids),
            tuple(map(piece, ids.tolist())),
            plain(logits[row][ids.tolist()]),
            read_only(best.logprobs[row]),
            rank_of(produced, logits[row], ids),
            float(best.all_logprobs[row, produced]),
        )
