"""PruneOf: heads switched off one after the other over a file, and what is left. No torch.

Voita et al. 2019 (arXiv 1905.09418) and Michel et al. 2019 (arXiv 1905.10650) draw these curves.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
import numpy.typing as npt

from model.config import Split
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind

By = Literal["importance", "gradient", "random"]
"""In which order heads go: least first by what each costs alone, by its gradient, or drawn at random."""

With = Literal["zero", "mean", "resample"]
"""What takes the place of a head's output: nothing, its mean over the file, or its output elsewhere."""

BYS: tuple[By, ...] = get_args(By)
WITHS: tuple[With, ...] = get_args(With)

DEFAULT_LIMIT = 100
DEFAULT_POINTS = 16
DEFAULT_SEED = 1
MOST_POINTS = 1000

LABEL = "Heads switched off one after the other"
FORMULAS: dict[By, str] = {
    "importance": "the order is that of ln p per target token with all heads − the same with this head "
    "alone off, least first",
    "gradient": "the order is that of E|∂L/∂ξ_h|, L = −ln p of a sentence, ξ_h the factor of the head's "
    "output, divided by its L2 norm over the layer, least first",
    "random": "the order is drawn at random",
}
REPLACED: dict[With, str] = {
    "zero": "the output of a head that is off is 0, before the output projection",
    "mean": "the output of a head that is off is its mean over all tokens of the file",
    "resample": "the output of a head that is off is the one it has at a token of another sentence, drawn "
    "once for every token",
}
CAVEAT = (
    "A head that costs nothing alone may be needed once others are gone: other heads make up for it. The "
    "model is not trained again in between, as it was for the curves of 1905.09418."
)
SOURCE = "Voita et al. 2019 (arXiv 1905.09418), Michel et al. 2019 (arXiv 1905.10650)"

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class PruneOf(Question, answered_by="model.causes.pruning:prune"):
    """Log probability and BLEU as ever more heads are off; answered by `Pruned`, which grows.

    Attributes:
        path: pairs, as `evaluate --pairs` reads them.
        kinds: whose heads are switched off.
        part: only pairs of this part of the file, by the hash that `evaluate --split` names; None for all.
        limit: how many distinct sources at most, from the first on.
        points: of the curve, beside that of the whole model; fewer where there are fewer heads.
        seed: of a random order, and of what takes a head's place.
        model_sha256: whose heads.
    """

    urgency = "background"

    path: str
    by: By = "importance"
    replaced: With = "zero"
    kinds: tuple[AttentionKind, ...] = tuple(AttentionKind)
    part: Split | None = None
    limit: int = DEFAULT_LIMIT
    points: int = DEFAULT_POINTS
    seed: int = DEFAULT_SEED
    model_sha256: str = ""


@dataclass(frozen=True, eq=False)
class Pruned:
    """The curve so far.

    Attributes:
        asked: the question.
        order: all heads in the order in which they go: kind, layer, head from 0.
        measured: float64, what each is worth in that order: nats per target token that it costs alone, or
            E|∂L/∂ξ|; NaN where the order is random.
        ranked: what the order was made by; of gradients `measured` divided by its norm over the layer.
        counts: int64 [P] heads off; logprob: float64 [P] natural log probability per target token, of the
            first reference, read token by token; bleu: float64 [P] of greedy translations, 0 to 100.
        points: how many there are to be.
        sentences, left_out, tokens: distinct sources read, those too long or empty, target tokens read.
        language: of the translations; bleu_signature: sacreBLEU's words for how BLEU was measured.
    """

    asked: PruneOf
    order: tuple[tuple[AttentionKind, int, int], ...]
    measured: Doubles
    ranked: Doubles
    counts: npt.NDArray[np.int64]
    logprob: Doubles
    bleu: Doubles
    points: int
    sentences: int
    left_out: int
    tokens: int
    bleu_signature: str
    model_name: str = ""

    @property
    def joint(self) -> Doubles:
        """[P] nats per token that the heads off cost together."""
        return self.logprob[:1] - self.logprob

    @property
    def summed(self) -> Doubles:
        """[P] the sum of what each of them costs alone; NaN where that was not measured."""
        if self.asked.by != "importance":
            return np.full(len(self.counts), np.nan)
        return np.concatenate([[0.0], np.cumsum(self.measured)])[self.counts]

    def spared(self, points: float) -> int:
        """The most heads off at which BLEU, there and at all points before, fell by at most so much."""
        kept = self.bleu >= self.bleu[0] - points
        return int(self.counts[len(kept) - 1 if kept.all() else int(kept.argmin()) - 1])

    def repair(self) -> int | None:
        """The first point at which the heads off cost something, and more than the sum of each alone.

        Then others make up for one that is missing alone (self-repair). None where they nowhere do by more
        than `LEAST_REPAIR`, or it is not known. Where a model gains by heads that are off, gains that do not
        add up are no repair.
        """
        more = np.minimum(self.joint, self.joint - self.summed) > LEAST_REPAIR
        return int(more.argmax()) if more.any() else None


SPARED = 1.0
"""BLEU that may be lost where heads are called spared."""

LEAST_REPAIR = 0.01
"""Nats per token below which nothing is said of self-repair."""


def notes_of(asked: PruneOf) -> tuple[str, ...]:
    """Formula, caveat and source, in English."""
    return (
        f"{LABEL}: {FORMULAS[asked.by]}; {REPLACED[asked.replaced]}",
        CAVEAT,
        f"Source: {SOURCE}",
    )


def sentences() -> tuple[str, ...]:
    """What the window translates, context `Methods`."""
    return (LABEL, *FORMULAS.values(), *REPLACED.values(), CAVEAT)


def report_of(found: Pruned) -> Report:
    """A row for each head in the order in which they go, with the numbers of its point where it is one."""
    points = {int(count): place for place, count in enumerate(found.counts)}
    columns = (
        *("heads_off", "kind", "layer", "layer_number", "head", "head_number"),
        *("measured", "ranked_by", "logprob", "bleu", "joint_cost", "summed_cost"),
    )
    rows = []
    for count in range(len(found.order) + 1):
        head = found.order[count - 1] if count else None
        place = () if head is None else (str(head[0]), head[1], head[1] + 1, head[2], head[2] + 1)
        worth = () if head is None else (float(found.measured[count - 1]), float(found.ranked[count - 1]))
        at = points.get(count)
        numbers = (
            (None,) * 4
            if at is None
            else tuple(float(each[at]) for each in (found.logprob, found.bleu, found.joint, found.summed))
        )
        rows.append((count, *(place or (None,) * 5), *(worth or (None, None)), *numbers))
    facts = {
        "model": found.model_name,
        "model_sha256": found.asked.model_sha256,
        "pairs": found.asked.path,
        "part": found.asked.part,
        "by": found.asked.by,
        "with": found.asked.replaced,
        "kinds": [str(kind) for kind in found.asked.kinds],
        "seed": found.asked.seed,
        "sentences": found.sentences,
        "left_out": found.left_out,
        "tokens": found.tokens,
        "heads": len(found.order),
        "bleu_signature": found.bleu_signature,
        **_repaired(found),
    }
    return Report(facts, columns, rows, {}, notes_of(found.asked), meaning=_meaning(found))


def _meaning(found: Pruned) -> tuple[str, ...]:
    """How many heads can go, and whether others make up for one."""
    said = [
        f"All heads: {found.logprob[0]:.3f} nats per target token, BLEU {found.bleu[0]:.1f}. Up to "
        f"{found.spared(SPARED)} of {len(found.order)} heads off cost at most {SPARED:g} BLEU."
    ]
    at = found.repair()
    if at is not None:
        said.append(
            f"From {found.counts[at]} off on they cost more together than the sum of each alone: others make "
            "up for one that is missing (self-repair)."
        )
    return (" ".join(said),)


def _repaired(found: Pruned) -> dict[str, object]:
    """Where other heads begin to make up for single ones."""
    at = found.repair()
    if at is None:
        return {}
    return {
        "repair_heads_off": int(found.counts[at]),
        "repair_joint_cost": float(found.joint[at]),
        "repair_summed_cost": float(found.summed[at]),
    }
