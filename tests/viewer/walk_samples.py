"""Walks with vectors of four numbers, whose lengths and angles are worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from model.questions.answers import EmbeddingSum, Lens, Neurons, RowArithmetic, Walk, WalkStep
from model.questions.two_sentences import TwoReadings
from model.trace.trace import AttentionKind, Side

SOURCE, READ = ("▁red", "▁app", "les", "</s>"), ("<s>", "▁pommes", "▁rouges")


def step(
    stage: str,
    sublayer: str,
    layer: int | None,
    vector: Sequence[float],
    before: Sequence[float] = (),
    mean: float = 0.0,
    deviation: float = 0.0,
) -> WalkStep:
    return WalkStep(
        stage,
        sublayer,
        layer,
        np.array(vector, np.float32),
        mean,
        deviation,
        np.array(before, np.float32),
    )


def entrance() -> list[WalkStep]:
    """Lengths 3, 4, 5."""
    return [
        step("embedding", "embedding", None, (3, 0, 0, 0)),
        step("position", "position", None, (0, 4, 0, 0)),
        step("sum", "sum", None, (3, 4, 0, 0)),
    ]


def post_layer(layer: int, x: Sequence[float]) -> list[WalkStep]:
    """After (3, 4, 0, 0) the lengths are 12, 13, 2, 2, 0, 2."""
    added = np.array((0, 0, 12, 0))
    first = np.array(x) + added
    return [
        step("self_attention", "self_attention", layer, added.tolist()),
        step("residual", "self_attention", layer, first.tolist()),
        step("norm", "self_attention", layer, (1, -1, 1, -1), first.tolist(), 4.75, float(np.sqrt(19.6875))),
        step("feed_forward", "feed_forward", layer, (-1, 1, -1, 1)),
        step("residual", "feed_forward", layer, (0, 0, 0, 0)),
        step("norm", "feed_forward", layer, (0, 0, 0, 2), (0, 0, 0, 0)),
    ]


def neurons(layer: int) -> Neurons:
    return Neurons(
        layer,
        np.array([7, 2], np.int64),
        np.array([1.5, -0.25], np.float32),
        np.array([3.0, 0.75], np.float32),
        active=6,
        total=8,
    )


def source_walk(position: int = 0, layers: int = 2) -> Walk:
    """Post-norm; each layer ends at (0, 0, 0, 2)."""
    steps = entrance() + post_layer(0, (3, 4, 0, 0))
    for layer in range(1, layers):
        steps += post_layer(layer, (0, 0, 0, 2))
    return Walk("source", position, SOURCE, "", tuple(steps), tuple(map(neurons, range(layers))))


def target_walk(position: int = 1) -> Walk:
    """Pre-norm, one layer: on the stream (3, 4, 0, 0), (3, 4, 12, 0), (3, 4, 12, 84), (0, 4, 12, 84)."""
    before = ((3, 4, 0, 0), (3, 4, 12, 0), (3, 4, 12, 84), (0, 4, 12, 84))
    added = ((0, 0, 12, 0), (0, 0, 0, 84), (-3, 0, 0, 0))
    steps = entrance()
    for place, name in enumerate(("self_attention", "cross", "feed_forward")):
        steps += [
            step("norm", name, 0, (1, 1, -1, -1), before[place], 1.75, 1.0),
            step(name, name, 0, added[place]),
            step("residual", name, 0, before[place + 1]),
        ]
    steps.append(step("final_norm", "final_norm", None, (1, 1, -1, -1), before[3]))
    return Walk("target", position, READ, "▁rouges", tuple(steps), (neurons(0),), (lens(0), lens(None)))


def lens(layer: int | None) -> Lens:
    """The produced token is fourth after the layer, first at last."""
    tokens = ["▁a", "▁b", "▁c", "▁rouges", "▁d", "▁e"]
    if layer is None:
        tokens.insert(0, tokens.pop(3))
    shares = np.array([0.5, 0.25, 0.125, 0.0625, 0.03125, 0.015625], np.float64)
    rank = tokens.index("▁rouges") + 1
    return Lens(
        layer,
        np.arange(6, dtype=np.int64),
        tuple(tokens),
        np.arange(6, 0, -1).astype(np.float32),
        np.log(shares).astype(np.float32),
        rank,
        float(np.log(shares[rank - 1])),
    )


def embedding(side: Side) -> EmbeddingSum:
    """Lengths 3, 4, 5 in the first row; the largest number is 4."""
    count = len(SOURCE if side == "source" else READ)
    token, position = np.zeros((count, 4), np.float32), np.zeros((count, 4), np.float32)
    token[:, 0], position[:, 1] = 3, 4
    return EmbeddingSum(side, 2.0, token, position, token + position)


def heads(kind: AttentionKind, layer: int, query: int) -> RowArithmetic:
    """Head 1 (from 0) adds most."""
    empty = np.zeros(0, np.float32)
    square = np.zeros((0, 0), np.float32)
    return RowArithmetic(
        kind=kind,
        layer=layer,
        head=0,
        query=query,
        q=empty,
        keys=square,
        values=square,
        scores=empty,
        scaled=empty,
        masked=empty,
        forbidden=np.zeros(0, np.bool_),
        pattern=empty,
        used=empty,
        output=empty,
        projection=square,
        share=empty,
        bias=empty,
        total=empty,
        share_norms=np.array([1.5, 4.5], np.float32),
    )


def two_readings() -> TwoReadings:
    """“watch” (1 and 0) falls from 1 to 0.25, “old” (2 and 2) to 0.75; other pairs are 0."""
    tokens = (("▁The", "▁watch", "▁old", ".", "</s>"), ("▁watch", "▁an", "▁old", "</s>"))
    cosine = np.zeros((4, 5, 4), np.float32)
    cosine[:, 1, 0] = (1.0, 1.0, 0.5, 0.25)
    cosine[:, 2, 2] = (1.0, 1.0, 0.875, 0.75)
    cosine[:, 0, 1] = (0.5, 0.25, 0.125, -0.5)
    return TwoReadings(
        tokens, ("embedding", "sum", "1", "2"), cosine, ("La montre", "regarde"),
    )  # fmt: skip
