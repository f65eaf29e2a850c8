"""WithoutSource: what each word of a translation is worth with and without the source. Frozen, no torch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from model.questions.causes.method import Given, Method
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import Floats

LEAST_WORTH = 0.1
"""Nats below which the source is said to add next to nothing to a word."""

_MOST = 3


@dataclass(frozen=True)
class WithoutSource(Question, answered_by="model.causes.without_source:without_source"):
    """The log probability of each token of the reading, as it is and detached; answered by `SourceWorth`."""


@dataclass(frozen=True, eq=False)
class SourceWorth:
    """What the source is worth to each token.

    Attributes:
        attached: float32 [T] natural log probability of each token after those before it.
        detached: the same with all cross-attention multiplied by 0, whatever multiplied it in the reading.
    """

    attached: Floats
    detached: Floats

    @property
    def worth(self) -> Floats:
        """[T] nats that the source adds to each token; negative where it speaks against it."""
        return self.attached - self.detached


def _report(found: SourceWorth, given: Given) -> Report:
    columns = ("step", "step_number", "token", "logprob", "logprob_without_source", "difference")
    rows = [
        (step, step + 1, given.trace.tgt_out_tokens[step], *numbers)
        for step, numbers in enumerate(
            zip(found.attached.tolist(), found.detached.tolist(), found.worth.tolist(), strict=True)
        )
    ]
    sums = {
        "logprob": float(found.attached.sum(dtype="float64")),
        "logprob_without_source": float(found.detached.sum(dtype="float64")),
    }
    arrays = {"attached": found.attached, "detached": found.detached}
    return Report(sums, columns, rows, arrays, meaning=_meaning(found, given.trace.tgt_out_tokens))


def _meaning(found: SourceWorth, tokens: Sequence[str]) -> tuple[str, ...]:
    """Which words need the source most, and how many it adds nothing to."""
    if not len(found.worth):
        return ()
    order = np.argsort(-found.worth, kind="stable")[:_MOST]
    needy = ", ".join(f"{tokens[step]} (step {step + 1}) {found.worth[step]:.2f}" for step in order.tolist())
    free = [
        f"{tokens[step]} (step {step + 1})" for step in np.flatnonzero(found.worth < LEAST_WORTH).tolist()
    ]
    return (
        f"Most is lost without the source, in nats, by {needy}; less than {LEAST_WORTH} by "
        f"{', '.join(free) or 'no word'}.",
    )


WITHOUT_SOURCE = Method(
    "source",
    "Each word with and without the source",
    "ln p(word) with all cross-attention × 0, beside ln p(word) as it is, after the same words",
    "A word that needs no source is not for that reason made up: grammar and common endings need none. To "
    "find made-up translations the log probability alone does at least as well as attention does (HalOmi).",
    "Dale et al. 2023 (HalOmi, arXiv 2305.11746)",
    lambda given: WithoutSource(),
    _report,
)
