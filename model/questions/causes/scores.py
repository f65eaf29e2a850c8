"""Scores taken apart: why a query looks at a key, in parts of the query times parts of the key. No torch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.questions.causes.meaning import sum_said
from model.questions.causes.method import Given, Method
from model.questions.causes.parts import GROUPS, Part, columns
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind

Doubles = npt.NDArray[np.float64]

_UNREAD = GROUPS[:2]  # word and position: what is there before any layer


@dataclass(frozen=True)
class ScoreOf(Question, answered_by="model.causes.scores:score_of"):
    """One score before the softmax as a sum over pairs of parts; answered by `ScoreParts`."""

    kind: AttentionKind
    layer: int
    head: int
    query: int
    key: int


@dataclass(frozen=True, eq=False)
class ScoreParts:
    """A score q·k / √d_head, q and k each a sum of what earlier parts of the model wrote.

    Attributes:
        asked: which score.
        query_parts, key_parts: A and B parts: those of the streams, last the bias of the projection if there
            is one.
        products: [A, B] (r_a W_Q) · (r_b W_K) / √d_head; they add up to `score`, up to rounding.
        score: worked out whole from the recorded rows, as the arithmetic of a weight shows it.
        placed: what positions add to it by distance; None where they add nothing to scores.
        forbidden: attention is not allowed there: the softmax never sees the score.
    """

    asked: ScoreOf
    query_parts: tuple[Part, ...]
    key_parts: tuple[Part, ...]
    products: Doubles
    score: float
    placed: float | None = None
    forbidden: bool = False

    @property
    def total(self) -> float:
        """What the products add up to."""
        return float(self.products.sum())

    def grouped(self) -> Doubles:
        """[group of the query, group of the key], in the order of `GROUPS`."""
        found = np.zeros((len(GROUPS), len(GROUPS)))
        rows = [GROUPS.index(part.group) for part in self.query_parts]
        places = [GROUPS.index(part.group) for part in self.key_parts]
        np.add.at(found, np.ix_(rows, places), self.products)
        return found

    def ranked(self, most: int | None = None) -> list[tuple[Part, Part, float]]:
        """All pairs, or the first so many, largest effect first."""
        order = np.argsort(-np.abs(self.products), axis=None, kind="stable")[:most]
        places = zip(*np.unravel_index(order, self.products.shape), strict=True)
        return [(self.query_parts[a], self.key_parts[b], float(self.products[a, b])) for a, b in places]


def _ask(given: Given) -> ScoreOf:
    return ScoreOf(*(given[name] for name in ("kind", "layer", "head", "query", "key")))


def _report(answer: ScoreParts, given: Given) -> Report:
    asked, trace = answer.asked, given.trace
    groups = answer.grouped()
    tokens = trace.query_tokens(asked.kind)[asked.query], trace.key_tokens(asked.kind)[asked.key]
    facts = {
        "kind": asked.kind,
        "layer": asked.layer,
        "layer_number": asked.layer + 1,
        "head": asked.head,
        "head_number": asked.head + 1,
        "query": asked.query,
        "query_number": asked.query + 1,
        "key": asked.key,
        "key_number": asked.key + 1,
        "query_token": tokens[0],
        "key_token": tokens[1],
        "score": answer.score,
        "sum_of_parts": answer.total,
        "position_bias": answer.placed,
        "allowed": not answer.forbidden,
        "groups": {a: dict(zip(GROUPS, row, strict=True)) for a, row in zip(GROUPS, groups, strict=True)},
    }
    rows = [(*a.cells(), *b.cells(), value) for a, b, value in answer.ranked()]
    arrays = {
        "products": answer.products,
        "query_parts": np.array([part.label for part in answer.query_parts]),
        "key_parts": np.array([part.label for part in answer.key_parts]),
        "groups": groups,
        "group_names": np.array(GROUPS),
    }
    return Report(
        facts,
        (*columns("query_"), *columns("key_"), "value"),
        rows,
        arrays,
        told=("query_part", "key_part", "value"),
        meaning=(_meaning(answer, *tokens),),
    )


def _meaning(answer: ScoreParts, query: str, key: str) -> str:
    """What words and positions alone would give, and what a side's groups do."""
    own = range(len(_UNREAD))
    alone = float(answer.grouped()[np.ix_(own, own)].sum())
    sums = dict(zip(GROUPS, answer.grouped().sum(1).tolist(), strict=True))
    there = {group: value for group, value in sums.items() if value}
    return (
        f"{query} to {key}: {sum_said(there)}, by what is in the query; together {answer.total:+.2f}. "
        f"Words and positions on both sides, as they were before any layer, give {alone:+.2f} of it."
    )


SCORES = Method(
    "scores",
    "Why it looks there",
    "q·k / √d_head = Σ_a Σ_b (r_a W_Q) · (r_b W_K) / √d_head, over all parts a of the query's residual "
    "stream and b of the key's, every norm held at its recorded deviation",
    "Parts are of this sentence, and with the norms held they say nothing of what another part would have "
    "become. Only differences within a row matter to the softmax: what a part adds for all keys alike moves "
    "no weight.",
    "transformer-circuits.pub/2025/attention-qk; Elhage et al. 2021, transformer-circuits.pub/2021/framework",
    _ask,
    _report,
    needs=("kind", "layer", "head", "query", "key"),
)
