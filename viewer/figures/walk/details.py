"""The numbers of the one stage that is shown in detail."""

from __future__ import annotations

import math

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.questions.answers import EmbeddingSum, Lens, Neurons, RowArithmetic, Walk
from viewer.document.text.token_text import text_after, token_texts
from viewer.figures.canvas.numerals import format_number
from viewer.figures.walk.spec import (
    BarRow,
    BarsDetail,
    EmbeddingDetail,
    LensCell,
    LensDetail,
    LensRow,
    NormDetail,
    ResidualDetail,
)
from viewer.figures.walk.stages import cosine, length, stream_before

translate = QCoreApplication.translate
BINS = 32
LENS_TOKENS = 5
_ENTRANCE = ("embedding", "position", "sum")


def embedding_detail(embedding: EmbeddingSum, walk: Walk, stage: str) -> EmbeddingDetail:
    """The three maps of what enters a stack, on one scale."""
    maps = (embedding.embedding, embedding.position, embedding.total)
    scaled = translate("Walk", "embedding × {scale}").format(scale=f"{embedding.scale:.4g}")
    names = (
        scaled if embedding.scale != 1 else translate("Walk", "embedding"),
        translate("Walk", "position P"),
        translate("Walk", "sum X + P"),
    )
    lengths = tuple(tuple(np.linalg.norm(m.astype(np.float64), axis=1).tolist()) for m in maps)
    read = token_texts(walk.tokens[: len(embedding.total)], starts=walk.side == "target")
    labels = tuple(token.marked for token in read)
    level = max((float(np.abs(m).max()) for m in maps if m.size), default=0.0)
    return EmbeddingDetail(names, maps, lengths, labels, walk.position, level or 1.0, _ENTRANCE.index(stage))


def heads_detail(row: RowArithmetic) -> BarsDetail:
    """The heads of a sub-layer by the length of what each adds, longest first."""
    norms = row.share_norms.tolist()
    order = sorted(range(len(norms)), key=lambda head: -norms[head])
    rows = tuple(
        BarRow(
            translate("Walk", "head {head}").format(head=head + 1),
            norms[head],
            (f"{norms[head]:.3f}",),
            head,
        )
        for head in order
    )
    columns = (translate("Walk", "Head"), translate("Walk", "Length of what it adds"))
    return BarsDetail(columns, rows, row.layer)


def neurons_detail(neurons: Neurons) -> BarsDetail:
    """The neurons that do most at the position."""
    rows = tuple(
        BarRow(
            f"{index}",
            effect,
            (format_number(activation), f"{effect:.3f}"),
            index,
        )
        for index, activation, effect in zip(
            neurons.index.tolist(), neurons.activation.tolist(), neurons.effect.tolist(), strict=True
        )
    )
    columns = (translate("Walk", "Neuron"), translate("Walk", "Activation"), translate("Walk", "Effect"))
    return BarsDetail(columns, rows)


def residual_detail(walk: Walk, index: int) -> ResidualDetail:
    """What entered a sub-layer, what it added, and their sum."""
    before, added = stream_before(walk.steps, index), walk.steps[index - 1].vector
    total = walk.steps[index].vector
    return ResidualDetail(
        length(before), length(added), length(total), cosine(before, added), cosine(before, total)
    )


def norm_detail(walk: Walk, index: int) -> NormDetail:
    """The spread of the numbers that go into a norm and come out of it."""
    step = walk.steps[index]
    after = step.vector.astype(np.float64)
    both = np.concatenate([step.before, step.vector])
    low, high = float(both.min()), float(both.max())
    if high <= low:
        low, high = low - 0.5, high + 0.5
    edges = np.linspace(low, high, BINS + 1)
    before_counts, after_counts = (
        tuple(np.histogram(vector.astype(np.float64), edges)[0].tolist())
        for vector in (step.before, step.vector)
    )
    return NormDetail(
        tuple(edges.tolist()),
        (before_counts, after_counts),
        (step.mean, float(after.mean())),
        (step.deviation, float(after.std())),
    )


def _read_so_far(walk: Walk) -> tuple[str, ...]:
    """The pieces that are read up to the position."""
    return tuple(walk.tokens[: walk.position + 1])


def produced_text(walk: Walk) -> str:
    """The token that is predicted there."""
    return text_after(_read_so_far(walk), walk.produced).marked


def lens_detail(walk: Walk) -> LensDetail:
    """What each decoder layer would say."""
    produced = produced_text(walk)
    return LensDetail(produced, tuple(_lens_row(walk, lens) for lens in walk.lenses))


def _lens_row(walk: Walk, lens: Lens) -> LensRow:
    if lens.layer is None:
        name = translate("Walk", "the model")
    else:
        name = translate("Walk", "after layer {layer}").format(layer=lens.layer + 1)
    cells = tuple(
        LensCell(
            text_after(_read_so_far(walk), token).marked, math.exp(min(0.0, logprob)), place + 1 == lens.rank
        )
        for place, (token, logprob) in enumerate(zip(lens.tokens, lens.logprobs.tolist(), strict=True))
    )
    return LensRow(
        name, cells[:LENS_TOKENS], lens.rank, math.exp(min(0.0, lens.produced)), lens.layer is None
    )


def number(value: float) -> str:
    """A length or a cosine, two digits after the point, with a true minus sign."""
    return f"{value:.2f}".replace("-", "−") if abs(value) >= 0.005 or value == 0 else format_number(value)
