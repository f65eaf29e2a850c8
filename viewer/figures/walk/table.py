"""Walk table: a position's way through a stack as CSV: one number a line, everything counted from 0."""

from __future__ import annotations

from collections.abc import Iterator

from model.files.tensor_file import well_formed
from model.questions.answers import Lens, Walk
from viewer.figures.table import number
from viewer.figures.walk.stages import change, cosine, entering

HEADER = (
    "side", "position", "token", "predicted", "layer", "sublayer", "stage", "quantity", "index", "name",
    "value",
)  # fmt: skip

Line = tuple[object, ...]


def walk_lines(walk: Walk, notes: str = "") -> Iterator[Line]:
    """A walk's numbers, header first.

    Quantities: of every stage `norm` (Euclidean length) and its d_model numbers (`vector`, by dimension);
    where something enters, `change` (of the length) and `cosine` (with what enters); of a norm `mean` and
    `deviation` of what it reads; of a feed-forward network `active` and `total` neurons, and by index the
    `activation` and `effect` of those that do most; of each lens (stage `lens`, without a layer the model's
    own) by place the `logprob` of the named token, and `produced_rank` (from 1) and `produced_logprob`.

    Args:
        notes: what the reader must know, such as alterations; repeated in a twelfth column, absent if empty.
    """
    yield (*HEADER, "notes") if notes else HEADER
    last = (notes,) if notes else ()
    first = (walk.side, walk.position, well_formed(walk.tokens[walk.position]), well_formed(walk.produced))
    for line in _lines(walk):
        yield (*first, *line, *last)


def _lines(walk: Walk) -> Iterator[Line]:
    for index, step in enumerate(walk.steps):
        where = ("" if step.layer is None else step.layer, step.sublayer, step.stage)
        yield (*where, "norm", "", "", f"{step.norm:.9g}")
        before, changed = entering(walk.steps, index), change(walk.steps, index)
        if before is not None and changed is not None:
            yield (*where, "change", "", "", f"{changed:.9g}")
            yield (*where, "cosine", "", "", f"{cosine(before, step.vector):.9g}")
        if step.stage in ("norm", "final_norm"):
            yield (*where, "mean", "", "", f"{step.mean:.9g}")
            yield (*where, "deviation", "", "", f"{step.deviation:.9g}")
        for dimension, value in enumerate(step.vector):
            yield (*where, "vector", dimension, "", number(value))
    for neurons in walk.neurons:
        where = (neurons.layer, "feed_forward", "feed_forward")
        yield (*where, "active", "", "", neurons.active)
        yield (*where, "total", "", "", neurons.total)
        for neuron, activation, effect in zip(
            neurons.index.tolist(), neurons.activation, neurons.effect, strict=True
        ):
            yield (*where, "activation", neuron, "", number(activation))
            yield (*where, "effect", neuron, "", number(effect))
    for lens in walk.lenses:
        yield from _lens_lines(lens, walk.produced)


def _lens_lines(lens: Lens, produced: str) -> Iterator[Line]:
    where = ("" if lens.layer is None else lens.layer, "output", "lens")
    for place, (token, logprob) in enumerate(zip(lens.tokens, lens.logprobs, strict=True)):
        yield (*where, "logprob", place, well_formed(token), number(logprob))
    yield (*where, "produced_rank", "", well_formed(produced), lens.rank)
    yield (*where, "produced_logprob", "", well_formed(produced), f"{lens.produced:.9g}")
