"""EXPLANATION: a row of cross-attention is swapped for others, and what becomes of the word. No torch.

Jain and Wallace 2019 (arXiv 1902.10186): permuted rows, and adversarial ones that are far from the model's
own and move the output little. Wiegreffe and Pinter 2019 (arXiv 1908.04626): what that does and does not
show. Kobayashi et al. 2020 (arXiv 2004.10102): the length of what a weight moves. Serrano and Smith 2019
(arXiv 1906.03731): gradients beside weights.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from model.lessons.control import Choice, Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Floats, Ids

Doubles = npt.NDArray[np.float64]
DRAWS = 20
"""Permutations that are drawn."""
OWN, UNIFORM, FIRST_DRAWN, ADVERSARIAL = 0, 1, 2, 2 + DRAWS
"""Where the variants stand in an answer."""


@dataclass(frozen=True)
class SwapsOf(Question, answered_by="model.lessons.answers.explanation:swaps_of"):
    """A step's row of cross-attention swapped for others; answered by `Swaps`.

    Attributes:
        head: None for every head of the layer.
        epsilon: by how much (nats) the adversarial row may move the log probability of the step's token.
    """

    layer: int
    head: int | None
    step: int
    epsilon: float


@dataclass(frozen=True, eq=False)
class Swaps:
    """Variants of a row: the model's own, uniform, `DRAWS` permuted, adversarial; V in number, of n heads.

    While the adversarial one is searched for, it is missing.

    Every variant but the first was carried out as a `model.alterations.set_row.SetRow` a head.

    Attributes:
        rows: float32 [V, n, S], zeros where attention is not allowed.
        logprobs: float64 [V] natural log probability of the step's token.
        moved: float64 [V] total variation distance of the next token's distribution from the model's own.
        ids, tokens: [m] the tokens that are among the five most probable of some variant.
        probabilities: float64 [V, m] of these; top: [V] the most probable of all.
        norms: float32 [S] ‖α f(x)‖ of each key, of all heads the norm of their sum.
        gradients: float32 [n, S] ∂ log p / ∂ weight.
        searched: rows that were tried for the adversarial one.
    """

    rows: Floats
    logprobs: Doubles
    moved: Doubles
    ids: Ids
    tokens: tuple[str, ...]
    probabilities: Doubles
    top: Ids
    norms: Floats
    gradients: Floats
    searched: int


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """What the row is swapped for, and which row it is."""
    swap = Choice("swap", ("uniform", "permuted", "adversarial"), "adversarial")
    rest = (Slider("epsilon", 0.01, 1.0, 0.1, log=True), Slider("draw", 1, DRAWS, 1, whole=True))
    if subject is None or not _readable(subject):
        return (swap, *rest)
    cross = subject.kind is AttentionKind.CROSS
    layers = subject.layers[AttentionKind.CROSS]
    heads = tuple(str(n + 1) for n in range(subject.heads))
    step = len(subject.out) - 1 if subject.kind is AttentionKind.ENCODER_SELF else subject.query
    return (
        swap,
        Place("step", subject.out, min(step, len(subject.out) - 1), pieces=True),
        Place("layer", tuple(str(n + 1) for n in range(layers)), subject.layer if cross else layers - 1),
        Choice("head", (*heads, "all"), str(subject.head + 1) if cross else "all"),
        *rest,
    )


def _readable(subject: Subject) -> bool:
    return bool(subject.layers.get(AttentionKind.CROSS)) and bool(subject.out)


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None:
        return None
    head, epsilon = str(values.get("head", "all")), float(values["epsilon"])
    place = int(values.get("layer", 0)), None if head == "all" else int(head) - 1
    return SwapsOf(*place, int(values.get("step", 0)), epsilon), subject.reading


def numbers(values: Values, answer: Swaps | None, subject: Subject | None) -> Numbers:
    """The variant in view beside the model's own row."""
    assert answer is not None
    assert subject is not None
    swap, epsilon = str(values["swap"]), float(values["epsilon"])
    drawn = FIRST_DRAWN + int(values["draw"]) - 1
    searching = len(answer.rows) <= ADVERSARIAL
    at = {"uniform": UNIFORM, "permuted": drawn, "adversarial": OWN if searching else ADVERSARIAL}[swap]
    rows = answer.rows.astype(np.float64)
    jsd = np.array([np.mean(divergence(rows[OWN], row)) for row in rows])
    tvd = np.array([np.mean(variation(rows[OWN], row)) for row in rows])
    change = answer.logprobs - answer.logprobs[OWN]
    stays = answer.top == answer.top[OWN]
    permuted = slice(FIRST_DRAWN, FIRST_DRAWN + DRAWS)
    weights = rows[OWN].mean(axis=0)
    effect = np.abs((rows[OWN] * answer.gradients).sum(axis=0))
    measures = {"weights": weights, "norms": answer.norms.astype(np.float64), "gradients": effect}
    taus = {
        f"{one}_{other}": kendall(measures[one], measures[other])
        for one, other in (("weights", "norms"), ("weights", "gradients"), ("norms", "gradients"))
    }
    known = at != OWN
    findings = [
        Finding(
            "permuted",
            float(np.median(np.abs(change[permuted]))),
            None,
            {
                "draws": DRAWS,
                "most": float(np.abs(change[permuted]).max()),
                "stay": int(stays[permuted].sum()),
            },
        ),
        Finding("kendall", taus["weights_norms"], None, taus),
    ]
    if known:
        about = {"jsd": float(jsd[at]), "tvd": float(tvd[at]), "moved": float(answer.moved[at])}
        one = [Finding("swapped", float(change[at]), None, about), Finding("top", bool(stays[at]))]
        findings = [
            *one,
            *([_furthest(answer, jsd, change, epsilon)] if at == ADVERSARIAL else ()),
            *findings,
        ]
    else:
        findings.insert(0, Finding("searching", None))
    data = {
        "swap": swap,
        "token": subject.out[int(values.get("step", 0))],
        "prefix": list(subject.out[: int(values.get("step", 0))]),
        "keys": list(subject.src),
        "heads": rows.shape[1],
        "own": weights,
        "swapped": rows[at].mean(axis=0) if known else np.full(len(weights), np.nan),
        "tokens": list(answer.tokens),
        "before": answer.probabilities[OWN],
        "after": answer.probabilities[at] if known else np.full(len(answer.tokens), np.nan),
        "measures": {name: _shares(measure) for name, measure in measures.items()},
        "jsd": jsd,
        "change": change,
        "shown": at,
        "epsilon": epsilon,
    }
    return Numbers(tuple(findings), data)


def _furthest(answer: Swaps, jsd: Doubles, change: Doubles, epsilon: float) -> Finding:
    about = {"epsilon": epsilon, "searched": answer.searched, "most": math.log(2)}
    return Finding("furthest", float(jsd[ADVERSARIAL]), bool(abs(change[ADVERSARIAL]) <= epsilon), about)


def _shares(measure: Doubles) -> Doubles:
    total = float(measure.sum())
    return measure / total if total else measure


def variation(one: Doubles, other: Doubles) -> Doubles:
    """Total variation distance along the last axis, 0 to 1: half the summed absolute differences."""
    result: Doubles = 0.5 * np.abs(one - other).sum(axis=-1)
    return result


def divergence(one: Doubles, other: Doubles) -> Doubles:
    """Jensen-Shannon divergence along the last axis in nats, 0 to ln 2."""
    middle = (one + other) / 2
    result: Doubles = 0.5 * (_relative(one, middle) + _relative(other, middle))
    return np.maximum(result, 0.0)


def _relative(one: Doubles, other: Doubles) -> Doubles:
    """Kullback-Leibler divergence; what has no probability adds nothing."""
    ratio = np.divide(one, other, out=np.ones_like(one), where=one > 0)
    result: Doubles = (one * np.log(ratio)).sum(axis=-1)
    return result


def kendall(one: Doubles, other: Doubles) -> float:
    """Kendall's rank correlation τ_b of two measures of the same things; NaN where one is constant."""
    first, second = np.triu_indices(len(one), 1)
    signs = np.sign(one[first] - one[second]), np.sign(other[first] - other[second])
    untied = [float(np.abs(sign).sum()) for sign in signs]
    return float((signs[0] * signs[1]).sum()) / math.sqrt(untied[0] * untied[1]) if all(untied) else math.nan


def _unused(values: Values) -> frozenset[str]:
    return frozenset() if values["swap"] == "permuted" else frozenset(("draw",))


def _stations(subject: Subject | None) -> tuple[dict[str, Any], ...]:
    turned: tuple[dict[str, Any], ...] = (
        {"swap": "uniform"},
        {"swap": "permuted", "draw": 1},
        {"swap": "adversarial", "epsilon": 0.1},
    )
    all_heads = ({"head": "all"}, {"head": "all", "swap": "permuted"})
    return (*turned, *(all_heads if subject is not None and _readable(subject) else ()))


EXPLANATION = Lesson(
    "explanation", controls, numbers, _asks, needs_answer=True, unused=_unused, stations=_stations
)
