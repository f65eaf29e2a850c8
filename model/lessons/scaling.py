"""SCALING: softmax of q·k with and without ÷ √d_k, random or of a head; the cost of scores. No torch.

Vaswani et al. (2017), section 3.2.1: components of mean 0 and variance 1 give q·k the variance d_k (footnote
4), which drives the softmax to where its gradient is small. The gradient is that of the softmax alone: its
Jacobian diag(p) − p pᵀ, by its Frobenius norm.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Floats

Doubles = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
NARROWEST, WIDEST = 4, 1024
ROWS, KEYS = 128, 64
SHOWN = 6
SCORES = ("additive", "dot", "scaled_dot")


@dataclass(frozen=True, eq=False)
class Sweep:
    """What the softmax is at several widths, mean over rows; index 0 without scaling, 1 with.

    Attributes:
        widths: [D] the d_k.
        entropy: [2, D] −Σ p ln p, in nats.
        largest: [2, D] the largest weight of a row.
        gradient: [2, D] Frobenius norm of diag(p) − p pᵀ.
    """

    widths: Integers
    entropy: Doubles
    largest: Doubles
    gradient: Doubles


@dataclass(frozen=True)
class OwnScores(Question, answered_by="model.lessons.answers.scaling:own_scores"):
    """A head's q·k by how many of its dimensions count; answered by `OwnSweep`."""

    kind: AttentionKind
    layer: int
    head: int


@dataclass(frozen=True, eq=False)
class OwnSweep:
    """What a head's softmax is at several widths.

    Attributes:
        sweep: up to the head's own width its first dimensions; beyond, the next heads of the layer joined.
        d_k: the head's own width.
        scores: [Q, K] q·k at `d_k`, float32, minus infinity where attention is not allowed.
        placed: positions add to the model's own scores besides, which is left out.
    """

    sweep: Sweep
    d_k: int
    scores: Floats
    placed: bool = False


@dataclass(frozen=True)
class ScoreTimes(Question, answered_by="model.lessons.answers.scaling:score_times"):
    """What additive and dot-product scores cost on this machine; answered by `ScoreCost`.

    Attributes:
        along: `n`, the number of queries and of keys, or `d`, the width, grows; the other stays.
        seed: of the vectors; another one measures anew.
    """

    needs_model = False

    along: str
    seed: int


@dataclass(frozen=True, eq=False)
class ScoreCost:
    """Cost of n × n scores of width d; see `SCORES` for the first index.

    Attributes:
        sizes: [D] what grows; `fixed` is the other.
        milliseconds: [3, D] median of `runs`.
        bytes: int64 [3, D] of the largest tensor that is made on the way, by its shape.
        threads: processor threads in use.
    """

    sizes: Integers
    fixed: int
    milliseconds: Doubles
    bytes: Integers
    runs: int
    threads: int


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """Of random vectors: d_k, keys, seed; of a model, which head and row; of the cost, what grows."""
    own: tuple[Control, ...] = (
        Slider("d_k", NARROWEST, WIDEST, 64, whole=True, log=True),
        Slider("keys", 2, KEYS, 16, whole=True),
        Slider("seed", 1, 99, 1, whole=True),
    )
    along = Choice("along", ("n", "d"), "n")
    if subject is None:
        return (Choice("of", ("random", "cost"), "random"), *own, along)
    layers = tuple(str(n + 1) for n in range(subject.layers[subject.kind]))
    return (
        Choice("of", ("random", "head", "cost"), "random"),
        *own,
        Place("layer", layers, subject.layer),
        Place("head", tuple(str(n + 1) for n in range(subject.heads)), subject.head),
        Place("row", subject.queries, subject.query, pieces=True),
        along,
    )


def _unused(values: Values) -> frozenset[str]:
    used = {"random": {"d_k", "keys", "seed"}, "head": {"layer", "head", "row"}, "cost": {"along", "seed"}}
    return frozenset({"d_k", "keys", "seed", "layer", "head", "row", "along"} - used[str(values["of"])])


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if values["of"] == "cost":
        return ScoreTimes(str(values["along"]), int(values["seed"])), None
    if values["of"] == "head" and subject is not None:
        return OwnScores(subject.kind, int(values["layer"]), int(values["head"])), subject.reading
    return None


def softmax(scores: npt.ArrayLike) -> Doubles:
    """Over the last axis, where minus infinity weighs nothing; a row of nothing else is zeros."""
    given = np.asarray(scores, np.float64)
    top = given.max(axis=-1, keepdims=True)
    raised = np.exp(given - np.where(np.isfinite(top), top, 0.0))
    total = raised.sum(axis=-1, keepdims=True)
    return np.asarray(raised / np.where(total > 0, total, 1.0))


def jacobian_norm(weights: Doubles) -> Doubles:
    """Frobenius norm of diag(p) − p pᵀ for each row p [..., K]: √(Σp² − 2Σp³ + (Σp²)²)."""
    squares = (weights**2).sum(-1)
    return np.asarray(np.sqrt(np.maximum(0.0, squares - 2 * (weights**3).sum(-1) + squares**2)))


def swept(scores_of: Callable[[int], Doubles], widths: Sequence[int]) -> Sweep:
    """Softmax of the scores at each width.

    Args:
        scores_of: [row, key] q·k at a width, minus infinity where attention is not allowed.
    """
    measured = np.zeros((3, 2, len(widths)))
    for at, width in enumerate(widths):
        scores = scores_of(width)
        allowed = np.isfinite(scores)
        for scaled, divisor in enumerate((1.0, np.sqrt(width))):
            weights = softmax(scores / divisor)[allowed.any(-1)]
            logs = np.log(np.where(weights > 0, weights, 1.0))
            measured[0, scaled, at] = 0.0 - (weights * logs).sum(-1).mean()
            measured[1, scaled, at] = weights.max(-1).mean()
            measured[2, scaled, at] = jacobian_norm(weights).mean()
    return Sweep(np.array(widths, np.int64), *measured)


def variance_within(scores: Doubles) -> float:
    """Mean over rows of the unbiased variance of what is allowed (finite); a row of one key has none."""
    allowed = np.isfinite(scores)
    count = allowed.sum(-1, keepdims=True)
    held = np.where(allowed, scores, 0.0)
    apart = np.where(allowed, held - held.sum(-1, keepdims=True) / np.maximum(count, 1), 0.0)
    several = count[:, 0] > 1
    return float(((apart**2).sum(-1)[several] / (count[several, 0] - 1)).mean()) if several.any() else 0.0


@lru_cache(maxsize=4)
def _drawn(seed: int) -> tuple[Doubles, Doubles]:
    """Queries and keys of the widest d_k, of mean 0 and variance 1; a narrower one takes their beginning."""
    random = np.random.default_rng(seed)
    return random.standard_normal((ROWS, WIDEST)), random.standard_normal((KEYS, WIDEST))


def numbers(values: Values, answer: OwnSweep | ScoreCost | None, subject: Subject | None) -> Numbers:
    """What the softmax does at each width, or what scores cost."""
    if isinstance(answer, ScoreCost):
        return _cost(answer, str(values["along"]))
    if answer is not None and subject is not None:
        return _head(answer, values, subject)
    return _random(values)


def _random(values: Values) -> Numbers:
    width, keys = int(values["d_k"]), int(values["keys"])
    q, k = _drawn(int(values["seed"]))
    widths = sorted({2**power for power in range(2, 11)} | {width})
    sweep = swept(lambda d: q[:, :d] @ k[:keys, :d].T, widths)
    at = widths.index(width)
    # The variance is of all 64 keys, whatever number of them is met: of a few it says little.
    scores = q[:, :width] @ k[:, :width].T
    variance = variance_within(scores)
    findings = (
        Finding("variance", variance, abs(variance / width - 1) < 0.4, {"d_k": width}),
        *_compared(sweep, at, np.log(keys)),
    )
    names = [str(n + 1) for n in range(keys)]
    return Numbers(findings, {"of": "random", **_shown(sweep, at, scores[0, :keys], names), "rows": ROWS})


def _head(answer: OwnSweep, values: Values, subject: Subject) -> Numbers:
    sweep = answer.sweep
    at = int(np.searchsorted(sweep.widths, answer.d_k))
    seen = np.isfinite(answer.scores).sum(-1)
    most = float(np.log(np.maximum(seen, 1))[seen > 0].mean()) if seen.any() else 0.0
    findings = (
        Finding("own_variance", variance_within(answer.scores.astype(np.float64)), None, {"d_k": answer.d_k}),
        *_compared(sweep, at, most),
    )
    row = int(values["row"])
    data = {
        **_shown(sweep, at, answer.scores[row].astype(np.float64), list(subject.keys)),
        "kind": str(subject.kind),
        "layer": int(values["layer"]),
        "head": int(values["head"]),
        "row": row,
        "rows": int((seen > 0).sum()),
        "placed": answer.placed,
    }
    return Numbers(findings, {"of": "head", **data})


def _compared(sweep: Sweep, at: int, most: float) -> tuple[Finding, ...]:
    """At one width, without scaling and with."""
    entropy, largest, gradient = sweep.entropy[:, at], sweep.largest[:, at], sweep.gradient[:, at]
    return (
        Finding(
            "entropy",
            float(entropy[0]),
            bool(entropy[0] < entropy[1]),
            {"scaled": float(entropy[1]), "most": float(most)},
        ),
        Finding("largest", float(largest[0]), bool(largest[0] > largest[1]), {"scaled": float(largest[1])}),
        Finding(
            "gradient", float(gradient[0]), bool(gradient[0] < gradient[1]), {"scaled": float(gradient[1])}
        ),
    )


def _shown(sweep: Sweep, at: int, scores: Doubles, names: list[str]) -> dict[str, object]:
    """The sweep, and the keys of a row that weigh most, in their own order."""
    d_k = int(sweep.widths[at])
    scaled = softmax(scores / np.sqrt(d_k))
    shown = np.sort(np.argsort(-scaled, kind="stable")[:SHOWN])
    return {
        "d_k": d_k,
        "at": at,
        "widths": sweep.widths,
        "entropy": sweep.entropy,
        "largest": sweep.largest,
        "gradient": sweep.gradient,
        "names": [names[index] for index in shown],
        "weights": np.stack([softmax(scores)[shown], scaled[shown]]),
        "keys": len(scores),
    }


def _cost(cost: ScoreCost, along: str) -> Numbers:
    size = int(cost.sizes[-1])
    d = cost.fixed if along == "n" else size
    additive, dot, scaled = (float(one) for one in cost.milliseconds[:, -1])
    findings = (
        Finding(
            "time", additive, additive > scaled, {"scaled": scaled, "size": size, "times": additive / scaled}
        ),
        Finding(
            "memory",
            int(cost.bytes[0, -1]),
            bool(cost.bytes[0, -1] == d * cost.bytes[2, -1]),
            {"scaled": int(cost.bytes[2, -1]), "times": float(cost.bytes[0, -1] / cost.bytes[2, -1])},
        ),
        Finding("scale", scaled - dot, None, {"dot": dot}),
        Finding("machine", cost.threads, None, {"runs": cost.runs}),
    )
    data = {
        "of": "cost",
        "along": along,
        "sizes": cost.sizes,
        "fixed": cost.fixed,
        "milliseconds": cost.milliseconds,
        "bytes": cost.bytes,
        "scores": list(SCORES),
    }
    return Numbers(findings, data)


SCALING = Lesson(
    "scaling",
    controls,
    numbers,
    _asks,
    unused=_unused,
    stations=lambda subject: (
        {"of": "random", "d_k": 4},
        {"of": "random", "d_k": 64},
        {"of": "random", "d_k": 1024},
        *(() if subject is None else ({"of": "head"},)),
        {"of": "cost", "along": "n"},
    ),
)
