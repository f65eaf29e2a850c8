"""Faithfulness of maps: whether the tokens that one ranks first are those that a word depends on.

No torch. Tokens are taken away one after the other, the highest first, and the log probability of the step's
word is watched as it falls: DeYoung et al. 2019, "ERASER" (arXiv 1911.03429), section 4.2, comprehensiveness
and its mean over how much is taken away (AOPC). There it is the probability of a class and tokens leave the
text; here the log probability of a word of a translation, and tokens are taken away as in
`model.causes.without`.

Shapes: n tokens of a side, k + 1 points of a curve.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.errors import HeadscopeError
from model.questions.causes.contrast import Doubles
from model.questions.causes.method import Given, Method
from model.questions.causes.report import Cell, Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Side, Trace

MOST_POINTS = 24
"""So many times tokens are taken away at most; of longer texts several at once."""

DRAWS = 20
"""Random orders, unless another number is asked for."""

MAP, REVERSE, RANDOM, MEAN = "map", "map_reversed", "random", "mean_weights"
OWN = ("gradient_x_input", "gradient_l1", "taken_away")
"""What a model ranks its tokens by for comparison: columns of `model.questions.causes.contrast`."""
ALTI = "alti"
"""Besides, where they can be had: contributions to the last layer, `model.questions.causes.contributions`."""


@dataclass(frozen=True)
class Ranking:
    """A number for each token of a side: the highest is taken away first, of equal ones the first."""

    name: str
    weights: tuple[float, ...]

    def order(self) -> tuple[int, ...]:
        """Places from the highest down."""
        return tuple(int(place) for place in np.argsort(-np.array(self.weights), kind="stable"))


@dataclass(frozen=True)
class FaithfulnessOf(Question, answered_by="model.causes.faithfulness:faithfulness_of"):
    """How a step's word fares as tokens are taken away; answered by `Faithfulness`.

    Attributes:
        side: whose tokens they are: of the source, or of what the decoder has read until the step.
        map: the ranking that is tested, forwards and backwards; `beside` others.
        seed, draws: of random orders.
    """

    step: int
    side: Side
    map: Ranking
    beside: tuple[Ranking, ...] = ()
    seed: int = 0
    draws: int = DRAWS


@dataclass(frozen=True, eq=False)
class Fall:
    """A curve.

    Attributes:
        name: `map`, `map_reversed`, `random`, one of `OWN`, or as a ranking beside is called.
        order: places as they are taken away; empty of random orders, which are many.
        logprobs: [k + 1] natural log probability of the word; of random orders the mean over them.
        spread: [k + 1] standard deviation over random orders, else zeros.
        area: mean over the points of the first log probability minus theirs: the larger, the faster it falls;
            `area_spread`: standard deviation of it over random orders, else 0.
    """

    name: str
    order: tuple[int, ...]
    logprobs: Doubles
    spread: Doubles
    area: float
    area_spread: float = 0.0


@dataclass(frozen=True, eq=False)
class Faithfulness:
    """What becomes of a word.

    Attributes:
        step: which step; word_token: its word.
        tokens: [n] raw pieces of the side.
        counts: int64 [k + 1] tokens taken away at each point, from 0 to n.
        curves: the map, its reverse, random orders, then the others.
    """

    step: int
    side: Side
    word_token: str
    tokens: tuple[str, ...]
    counts: npt.NDArray[np.int64]
    curves: tuple[Fall, ...]
    seed: int
    draws: int

    def curve(self, name: str) -> Fall:
        """The one of a name."""
        return next(curve for curve in self.curves if curve.name == name)


def points(tokens: int) -> npt.NDArray[np.int64]:
    """How many tokens are taken away at each point: all numbers, or `MOST_POINTS` as even as can be."""
    if tokens <= MOST_POINTS:
        return np.arange(tokens + 1)
    return np.unique(np.round(np.linspace(0, tokens, MOST_POINTS + 1)).astype(np.int64))


def side_of(kind: AttentionKind) -> Side:
    """Whose tokens are the keys of a kind of attention."""
    return "target" if kind is AttentionKind.DECODER_SELF else "source"


def row_of(
    trace: Trace, weights: npt.NDArray[np.floating], kind: AttentionKind, step: int
) -> tuple[float, ...]:
    """What a map [query, key] of a trace says of each key at a step.

    It is the step's row, of the prefix until it; of the encoder, whose rows are source tokens, the mean over
    them: what each token gives on the whole.
    """
    if kind is AttentionKind.ENCODER_SELF:
        row = np.asarray(weights, np.float64).mean(axis=0)
    else:
        row = np.asarray(weights[step], np.float64)
    ahead = kind is not AttentionKind.DECODER_SELF or trace.decoding.get("mode") == "rounds"
    return tuple(float(value) for value in (row if ahead else row[: step + 1]))


def mean_ranking(trace: Trace, kind: AttentionKind, step: int) -> Ranking:
    """By attention averaged over all heads of all layers; of each head no more than the row is kept."""
    places = np.ndindex(trace.layers(kind), trace.heads(kind))
    rows = [row_of(trace, trace.patterns.pattern(kind, *place), kind, step) for place in places]
    return Ranking(MEAN, tuple(np.mean(rows, axis=0).tolist()))


def _ask(given: Given) -> FaithfulnessOf:
    trace, step = given.trace, given["step"]
    kind = given.get("kind") or AttentionKind.CROSS
    layer, head = given.get("layer"), given.get("head")
    _check(trace, kind, step, layer, head)
    mean = mean_ranking(trace, kind, step)
    seed = given.get("seed") or 0
    if layer is None:
        return FaithfulnessOf(step, side_of(kind), Ranking(MAP, mean.weights), seed=seed)
    chosen = Ranking(MAP, row_of(trace, trace.pattern(kind, layer, head), kind, step))
    return FaithfulnessOf(step, side_of(kind), chosen, (mean,), seed)


def _check(trace: Trace, kind: AttentionKind, step: int, layer: int | None, head: int | None) -> None:
    """Raise `HeadscopeError` unless the trace has the step, the layer and the head."""
    if not 0 <= step < trace.steps:
        raise HeadscopeError("export_step", value=step + 1, count=trace.steps)
    if layer is not None and layer >= trace.layers(kind):
        raise HeadscopeError("alteration_layer", value=layer + 1, kind=str(kind), count=trace.layers(kind))
    if head is not None and head >= trace.heads(kind):
        raise HeadscopeError("inspection_head", value=head + 1, count=trace.heads(kind))


COLUMNS = ("curve", "taken_away", "token", "logprob", "probability", "spread")


def rows(answer: Faithfulness) -> Iterator[tuple[Cell, ...]]:
    """As `COLUMNS` names them; `token`: the last that was taken away, empty of random orders."""
    for curve in answer.curves:
        for point, count in enumerate(answer.counts.tolist()):
            token = answer.tokens[curve.order[count - 1]] if curve.order and count else None
            logprob = float(curve.logprobs[point])
            spread = float(curve.spread[point])
            yield (curve.name, count, token, logprob, float(np.exp(logprob)), spread)


def _report(answer: Faithfulness, given: Given) -> Report:
    facts = {
        "step": answer.step,
        "step_number": answer.step + 1,
        "word": answer.word_token,
        "taken_from": "source" if answer.side == "source" else "prefix",
        "logprob": float(answer.curves[0].logprobs[0]),
        "seed": answer.seed,
        "random_orders": answer.draws,
        **{f"area_{curve.name}": curve.area for curve in answer.curves},
        "area_random_spread": answer.curve(RANDOM).area_spread,
    }
    arrays: dict[str, npt.NDArray[Any]] = {
        f"logprobs_{curve.name}": curve.logprobs for curve in answer.curves
    }
    arrays |= {f"order_{curve.name}": np.array(curve.order) for curve in answer.curves if curve.order}
    arrays |= {"counts": answer.counts, "random_spread": answer.curve(RANDOM).spread}
    order = sorted(answer.curves, key=lambda curve: -curve.area)
    ranks = ", ".join(f"{curve.name} {curve.area:.2f}" for curve in order)
    spread = answer.curve(RANDOM).area_spread
    meaning = f"Area in nats, the faster the fall the larger: {ranks}; random orders vary by {spread:.2f}."
    return Report(facts, COLUMNS, list(rows(answer)), arrays, meaning=(meaning,))


FAITHFULNESS = Method(
    "faithfulness",
    "Can this map be trusted",
    "area = mean over k = 0 … n of log p(word) − log p(word | the k tokens that the map ranks highest taken "
    "away), beside random orders, the reverse order and other rankings",
    "A faster fall than in random order says that the map ranks tokens that the word depends on; it does not "
    "say that the map is how the model reads. What is left when tokens are gone is no sentence that it "
    "learned from, and single steps may go either way: look at several.",
    "DeYoung et al. 2019, arXiv 1911.03429",
    _ask,
    _report,
    needs=("step",),
    takes=("kind", "layer", "head", "seed"),
)
