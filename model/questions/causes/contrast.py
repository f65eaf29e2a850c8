"""Contributions of tokens to a word, or to one word rather than another: gradient × input, and taking away.

No torch. Yin and Neubig 2022, "Interpreting Language Models with Contrastive Explanations" (arXiv
2202.10419), sections 3.1 to 3.3: gradient norm, gradient × input, input erasure; there over a
prefix, here over the source too. Shapes: n tokens of a side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.questions.causes.meaning import signed_most
from model.questions.causes.method import Given, Method
from model.questions.causes.report import Cell, Report
from model.questions.questions import Question
from model.trace.trace import Side

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class ContrastOf(Question, answered_by="model.causes.contrast:contrast_of"):
    """What each token did for a word of a step; answered by `Contrast`.

    Attributes:
        word: id of the word; None for the one that the step produced.
        rival: id of another; None for none: then it is about log p(word) alone.
    """

    step: int
    word: int | None = None
    rival: int | None = None


@dataclass(frozen=True, eq=False)
class Contributed:
    """What the tokens of a side did; D is log p(word) - log p(rival), or log p(word).

    Attributes:
        tokens: raw pieces as they were read.
        products: [n] gradient × input: ∂D/∂x · x with x the token's word vector as it enters, scaled, without
            its position.
        positions: [n] the same with the position's vector; zeros where none is added.
        lengths: [n] sum of |∂D/∂x| over the numbers of x (L1), which has no sign.
        effects: [n] D minus D without the token.
    """

    side: Side
    tokens: tuple[str, ...]
    products: Doubles
    positions: Doubles
    lengths: Doubles
    effects: Doubles


@dataclass(frozen=True, eq=False)
class Contrast:
    """Signed contributions of all that a step reads.

    Attributes:
        step: which step; word, rival: ids, their tokens `word_token` and `rival_token` (empty without one).
        logprobs: natural log probabilities of word and rival; of the word alone without a rival.
        source: of the source; prefix: of what the decoder read until the step, its last one included.
    """

    step: int
    word: int
    rival: int | None
    word_token: str
    rival_token: str
    logprobs: tuple[float, ...]
    source: Contributed
    prefix: Contributed

    @property
    def value(self) -> float:
        """D: what is explained."""
        return self.logprobs[0] - (self.logprobs[1] if self.rival is not None else 0.0)

    @property
    def sides(self) -> tuple[Contributed, Contributed]:
        """Source, then prefix."""
        return self.source, self.prefix

    @property
    def total(self) -> float:
        """All of gradient × input, words and positions."""
        return float(sum((side.products + side.positions).sum() for side in self.sides))

    def rows(self) -> Iterator[tuple[Cell, ...]]:
        """As `COLUMNS` names them."""
        for side in self.sides:
            name = "source" if side.side == "source" else "prefix"
            for place, token in enumerate(side.tokens):
                numbers = (side.products, side.positions, side.lengths, side.effects)
                yield (name, place, place + 1, token, *(float(each[place]) for each in numbers))


COLUMNS = (
    "side", "position", "position_number", "token",
    "gradient_x_input", "gradient_x_position", "gradient_l1", "taken_away",
)  # fmt: skip


def _ask(given: Given) -> ContrastOf:
    return ContrastOf(given["step"], given.get("word"), given.get("rival"))


def _report(answer: Contrast, given: Given) -> Report:
    facts = {
        "step": answer.step,
        "step_number": answer.step + 1,
        "word": answer.word_token,
        "word_id": answer.word,
        "rival": answer.rival_token,
        "rival_id": answer.rival,
        "word_logprob": answer.logprobs[0],
        "rival_logprob": answer.logprobs[1] if answer.rival is not None else None,
        "logprob" if answer.rival is None else "logprob_difference": answer.value,
        "sum_of_gradient_x_input": answer.total,
    }
    told = ("side", "token", "gradient_x_input", "taken_away", "gradient_l1")
    return Report(facts, COLUMNS, list(answer.rows()), told=told, meaning=(_meaning(answer),))


def _meaning(answer: Contrast) -> str:
    """Which tokens do most, by either measure."""
    names = [token for side in answer.sides for token in side.tokens]
    effects, products = (
        np.concatenate([getattr(side, field) for side in answer.sides]) for field in ("effects", "products")
    )
    return (
        f"Of {answer.value:+.2f} most goes when these are taken away: {signed_most(names, effects)}. Largest "
        f"by gradient × input: {signed_most(names, products)}."
    )


_CAVEAT = (
    "Gradient × input tells of small changes, and its sum need not be what is explained. A token taken away "
    "leaves a sentence that nobody trained on; of two that say the same, each alone seems to do nothing."
)
_SOURCE = "Yin & Neubig 2022, arXiv 2202.10419"

CONTRAST = Method(
    "contrast",
    "Why this word and not that",
    "D = log p(a) − log p(b); gradient × input: ∂D/∂x · x with x the token's word vector without its "
    "position (L1: Σ |∂D/∂x|); taken away: D minus D where nobody may look at the token and its "
    "word vector is 0",
    _CAVEAT,
    _SOURCE,
    _ask,
    _report,
    needs=("step", "rival"),
    takes=("word",),
)
GRADIENT = Method(
    "gradient",
    "What brought this word",
    "D = log p(a); gradient × input: ∂D/∂x · x with x the token's word vector without its position (L1: "
    "Σ |∂D/∂x|); taken away: D minus D where nobody may look at the token and its word vector is 0",
    _CAVEAT,
    "Simonyan et al. 2013, arXiv 1312.6034; Shrikumar et al. 2016, arXiv 1605.01713; Li et al. 2016, arXiv "
    "1612.08220",
    _ask,
    _report,
    needs=("step",),
    takes=("word",),
)
