"""SEARCH: greedy, beam and sampling on one tree: a small one worked by hand, then the model's own. No torch.

Length penalty: Wu et al. 2016 (arXiv 1609.08144), section 7; beam of 4 and α = 0.6: Vaswani et al. 2017,
section 6.1. Temperature: p_i ∝ exp(log p_i / τ).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from model.lessons.control import Choice, Control, Place, Slider
from model.lessons.lesson import Ask, Finding, Lesson, Numbers, Subject, Values
from model.lessons.search_tree import (
    Rank,
    Search,
    TokenTree,
    beam,
    greedy,
    ranking,
    sampled,
    shares,
    tree_of,
)
from model.questions.questions import Question
from model.trace.trace import AttentionKind

ALPHAS = np.linspace(0.0, 2.0, 41)
DEPTH = 3
_LISTED = 8

# Probabilities after what stands before; a mark ends the sentence.
_TOY: Mapping[str, Any] = {
    "it": (
        0.44,
        {
            "rains": (0.40, {".": 0.60, "!": 0.40}),
            "pours": (0.35, {".": 0.45, "!": 0.55}),
            "falls": (0.25, {".": 0.90, "!": 0.10}),
        },
    ),
    "rain": (
        0.42,
        {
            ".": 0.50,
            "falls": (0.48, {".": 0.98, "!": 0.02}),
            "pours": (0.02, {".": 0.70, "!": 0.30}),
        },
    ),
    "water": (
        0.14,
        {"falls": (0.60, {".": 0.80, "!": 0.20}), "pours": (0.30, {".": 0.60, "!": 0.40}), ".": 0.10},
    ),
}


@dataclass(frozen=True)
class TreeOf(Question, answered_by="model.lessons.answers.search:tree_of"):
    """What the model would write next, and after that; answered by `TokenTree`.

    Attributes:
        step: how many tokens of the translation stand before the tree.
        branches: how many of the most probable tokens follow each node.
        depth: how many tokens deep.
    """

    step: int
    branches: int
    depth: int = DEPTH


@cache
def toy() -> TokenTree:
    """The tree that is worked by hand."""
    return tree_of(_TOY)


def controls(subject: Subject | None) -> tuple[Control, ...]:
    """The method and its numbers; of a model, where in the translation and how many branches."""
    own: tuple[Control, ...] = (
        Choice("method", ("greedy", "beam", "sampling"), "beam"),
        Slider("width", 1, 4, 2, whole=True),
        Choice("penalty", ("power", "gnmt"), "power"),
        Slider("alpha", 0.0, 2.0, 0.6),
        Slider("temperature", 0.1, 3.0, 1.0, log=True),
        Slider("samples", 10, 5000, 200, whole=True, log=True),
        Slider("seed", 0, 99, 1, whole=True),
    )
    if subject is None or not subject.out or AttentionKind.CROSS not in subject.layers:
        return (Choice("of", ("toy",), "toy"), *own)
    step = 0 if subject.kind is AttentionKind.ENCODER_SELF else min(subject.query, len(subject.out) - 1)
    return (
        Choice("of", ("toy", "model"), "toy"),
        *own,
        Place("step", subject.out, step, pieces=True),
        Slider("branches", 2, 4, 3, whole=True),
    )


def _asks(values: Values, subject: Subject | None) -> Ask | None:
    if subject is None or values["of"] != "model":
        return None
    return TreeOf(int(values["step"]), int(values["branches"])), subject.reading


def numbers(values: Values, answer: TokenTree | None, subject: Subject | None) -> Numbers:
    """What the method does on the tree, and what else there was."""
    tree = toy() if answer is None else answer
    rank = ranking(str(values["penalty"]), float(values["alpha"]))
    data: dict[str, Any] = {
        "of": "toy" if answer is None else "model",
        "method": values["method"],
        "tokens": list(tree.tokens),
        "pieces": tree.pieces,
        "parents": tree.parents,
        "probabilities": np.exp(tree.logprobs),
        "scores": tree.scores,
        "lengths": tree.lengths,
        "ends": tree.ends,
    }
    method = {"greedy": _greedy, "beam": _beam, "sampling": _sampling}[str(values["method"])]
    findings, more = method(tree, values, rank)
    return Numbers(findings, {**data, **more})


def _greedy(tree: TokenTree, values: Values, rank: Rank) -> tuple[tuple[Finding, ...], dict[str, Any]]:
    found = greedy(tree)
    best = max(tree.leaves, key=lambda leaf: tree.scores[leaf])
    path = found.ended[0]
    missed = bool(tree.scores[best] > tree.scores[path])
    findings = [_named("greedy", tree, path, None)]
    if missed:
        findings.append(_named("missed", tree, best, True))
    else:  # the small tree is one where it must not happen
        findings.append(_named("found", tree, path, False if not tree.pieces else None))
    ended = (path, best) if missed else (path,)
    return tuple(findings), _searched(tree, found, ended, path, rank)


def _beam(tree: TokenTree, values: Values, rank: Rank) -> tuple[tuple[Finding, ...], dict[str, Any]]:
    width = int(values["width"])
    found = beam(tree, width, rank)
    lone = greedy(tree).ended[0]
    winner = found.ended[0]
    score, other = _ranked(rank, tree, winner), _ranked(rank, tree, lone)
    plain = max(found.ended, key=lambda leaf: tree.scores[leaf])
    about = {"plain": _words(tree, plain), "plain_tokens": int(tree.lengths[plain])}
    # A score below 0 over a growing function of the length: never a shorter one than without.
    longer = bool(tree.lengths[winner] >= tree.lengths[plain])
    findings = (
        _named("beam", tree, winner, score >= other - 1e-12, width=width, score=score, greedy=other),
        _named("same" if winner == plain else "flipped", tree, winner, longer, **about),
    )
    curves = [
        [
            ranking(str(values["penalty"]), float(a))(float(tree.scores[leaf]), int(tree.lengths[leaf]))
            for a in ALPHAS
        ]
        for leaf in found.ended
    ]
    more = _searched(tree, found, found.ended, winner, rank)
    return findings, {**more, "alphas": ALPHAS, "curves": np.array(curves), "alpha": float(values["alpha"])}


def _sampling(tree: TokenTree, values: Values, rank: Rank) -> tuple[tuple[Finding, ...], dict[str, Any]]:
    temperature, count = float(values["temperature"]), int(values["samples"])
    counts = sampled(tree, temperature, count, int(values["seed"]))
    exact = shares(tree, temperature)
    leaves = np.array(tree.leaves)
    p = exact[leaves]
    distance = 0.5 * float(np.abs(counts[leaves] / count - p).sum())
    expected = 0.5 * float(np.sqrt(p * (1 - p) / count).sum())
    # McDiarmid's inequality: more than this beyond its mean, it is once in a thousand seeds.
    most = expected + math.sqrt(math.log(1000) / (2 * count))
    likeliest = int(leaves[p.argmax()])
    findings = (
        Finding("distance", distance, distance <= most, {"expected": expected, "samples": count}),
        _named(
            "likeliest", tree, likeliest, None, share=float(counts[likeliest] / count), exact=float(p.max())
        ),
        Finding("different", int((counts[leaves] > 0).sum()), None, {"leaves": len(leaves)}),
    )
    shown = leaves[np.argsort(-p, kind="stable")]
    rows = shown[:_LISTED].tolist()
    rest = shown[_LISTED:]
    data = {
        "probabilities": tree.tempered(temperature),
        "counts": counts,
        "samples": count,
        "exact": exact,
        "kept": [node for node in range(len(tree.tokens)) if counts[node]],
        "lit": [],
        "paths": [_words(tree, leaf) for leaf in rows],
        "listed_exact": [*exact[rows].tolist(), *([float(exact[rest].sum())] if len(rest) else [])],
        "listed_sampled": [
            *(counts[rows] / count).tolist(),
            *([float(counts[rest].sum() / count)] if len(rest) else []),
        ],
        "others": len(rest),
    }
    return findings, data


def _searched(
    tree: TokenTree, found: Search, listed: tuple[int, ...], winner: int, rank: Rank
) -> dict[str, Any]:
    """The picture of a search: nodes kept and lit, and hypotheses with their scores."""
    return {
        "kept": sorted(found.kept),
        "lit": [0, *tree.path(winner)],
        "leaves": list(listed),
        "paths": [_words(tree, leaf) for leaf in listed],
        "leaf_probabilities": np.exp(tree.scores[list(listed)] - tree.before_score),
        "leaf_scores": tree.scores[list(listed)],
        "leaf_lengths": tree.lengths[list(listed)],
        "ranks": np.array([_ranked(rank, tree, leaf) for leaf in listed]),
    }


def _ranked(rank: Rank, tree: TokenTree, leaf: int) -> float:
    return rank(float(tree.scores[leaf]), int(tree.lengths[leaf]))


def _words(tree: TokenTree, leaf: int) -> list[str]:
    return [tree.tokens[node] for node in tree.path(leaf)]


def _named(name: str, tree: TokenTree, leaf: int, holds: bool | None, **about: Any) -> Finding:
    """A finding about a hypothesis, its value the probability of what the root is followed by."""
    facts = {"words": _words(tree, leaf), "pieces": tree.pieces, "tokens": int(tree.lengths[leaf]), **about}
    return Finding(name, float(math.exp(tree.scores[leaf] - tree.before_score)), holds, facts)


def _unused(values: Values) -> frozenset[str]:
    of_method = {
        "greedy": ("width", "penalty", "alpha", "temperature", "samples", "seed"),
        "beam": ("temperature", "samples", "seed"),
        "sampling": ("width", "penalty", "alpha"),
    }[str(values["method"])]
    return frozenset((*of_method, *(("step", "branches") if values["of"] == "toy" else ())))


SEARCH = Lesson(
    "search",
    controls,
    numbers,
    _asks,
    unused=_unused,
    stations=lambda subject: (
        {"of": "toy", "method": "greedy"},
        {"of": "toy", "method": "beam", "width": 2, "penalty": "power", "alpha": 0.0},
        {"of": "toy", "method": "beam", "width": 2, "penalty": "power", "alpha": 0.6},
        {"of": "toy", "method": "sampling", "temperature": 1.0},
        *(
            ()
            if subject is None or "model" not in _of(subject)
            else ({"of": "model", "method": "beam", "width": 2},)
        ),
    ),
)


def _of(subject: Subject) -> tuple[str, ...]:
    first = controls(subject)[0]
    return first.options if isinstance(first, Choice) else ()
