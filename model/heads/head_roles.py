"""Head roles: names given only after a corpus and beside a model of random weights. No torch.

Rules (`RULES`): a score of at least one half over the whole corpus, and at least `MARGIN` above the largest
that any head of the random model's same kind reaches on the same texts. The score stands beside the name
wherever that is shown. What is scored:

- previous, next, same token: the share of rows whose largest weight is there. After Voita et al. 2019 (arXiv
  1905.09418), who call a head positional if its largest weight is on one relative position, in practice -1 or
  +1, in at least 90 % of the cases; here it is a majority of them.
- sink (end, start, punctuation): the share of all weight. Clark et al. 2019 (arXiv 1906.04341) find more than
  half of the weight of several layers on [SEP], and read that as a way of doing nothing.
- alignment (cross-attention, where gold links are given): 1 - AER.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from model.heads.head_metrics import Metric
from model.heads.head_scores import Doubles, HeadScores
from model.trace.trace import AttentionKind

RoleName = Literal[
    "previous_token", "next_token", "same_token", "sink_end", "sink_start", "sink_punctuation", "alignment"
]

MARGIN = 0.2
LEAST_SENTENCES = 20
"""From fewer no role is named: what a head does in a few sentences may be their doing."""


@dataclass(frozen=True)
class Rule:
    """When a head gets a role.

    Attributes:
        metric: whose score; None for 1 - AER.
        least: the lowest score.
    """

    metric: Metric | None
    least: float


RULES: dict[RoleName, Rule] = {
    "previous_token": Rule(Metric.PREVIOUS_TOP, 0.5),
    "next_token": Rule(Metric.NEXT_TOP, 0.5),
    "same_token": Rule(Metric.SAME_TOP, 0.5),
    "sink_end": Rule(Metric.END, 0.5),
    "sink_start": Rule(Metric.START, 0.5),
    "sink_punctuation": Rule(Metric.PUNCTUATION, 0.5),
    "alignment": Rule(None, 0.5),
}


@dataclass(frozen=True)
class Role:
    """A name for what a head does.

    Attributes:
        score: of the head, by the rule of the role.
        random: the largest such score of any head of the kind in the random model.
    """

    name: RoleName
    score: float
    random: float


@dataclass(frozen=True, eq=False)
class CorpusScores:
    """Metrics of every head over a corpus, and of a model of random weights over the same texts.

    Attributes:
        path: of the file; `gold` that of the alignments, empty without.
        sentences: how many were read; `left_out`: how many the model cannot read.
        forced: the targets of the file were read token by token; False: greedy translations.
        seed: of the random weights.
        scores, random: the model's and the random model's metrics.
        aer, random_aer: float64 [L, H] of cross-attention; NaN where there are no links, None without gold.
        diagonal: AER of the plain diagonal, which knows no word; None without gold.
        rule: which row of the decoder speaks for a target word, see `model.alignment.hard`.
        model_name, model_sha256: whose heads.
    """

    path: str
    sentences: int
    left_out: int
    forced: bool
    seed: int
    scores: HeadScores
    random: HeadScores
    aer: Doubles | None = None
    random_aer: Doubles | None = None
    gold: str = ""
    rule: str = ""
    model_name: str = ""
    model_sha256: str = ""
    diagonal: float | None = None

    def roles(self, kind: AttentionKind) -> Mapping[tuple[int, int], tuple[Role, ...]]:
        """By (layer, head) the roles of the heads of a kind, the surest first; only heads that have one."""
        found: dict[tuple[int, int], list[Role]] = {}
        if self.sentences < LEAST_SENTENCES:
            return {}
        for name, rule in RULES.items():
            scores, random = self._scores(kind, rule)
            if scores is None or random is None:
                continue
            best = float(np.nanmax(random, initial=0.0))
            for layer, head in zip(*np.nonzero(scores >= max(rule.least, best + MARGIN))):
                role = Role(name, float(scores[layer, head]), best)
                found.setdefault((int(layer), int(head)), []).append(role)
        return {
            place: tuple(sorted(roles, key=lambda role: role.random - role.score))
            for place, roles in found.items()
        }

    def _scores(self, kind: AttentionKind, rule: Rule) -> tuple[Doubles | None, Doubles | None]:
        if rule.metric is not None:
            return self.scores.of(kind, rule.metric), self.random.of(kind, rule.metric)
        if kind is not AttentionKind.CROSS or self.aer is None or self.random_aer is None:
            return None, None
        return 1.0 - self.aer, 1.0 - self.random_aer
