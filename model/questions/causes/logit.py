"""Logit attribution: what each head, network and constant wrote for a word, or for one and against another.

No torch.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from model.questions.causes.meaning import by_group, sum_said
from model.questions.causes.method import Given, Method
from model.questions.causes.parts import Part, columns
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Floats

Doubles = npt.NDArray[np.float64]


@dataclass(frozen=True)
class LogitOf(Question, answered_by="model.causes.logit:logit_of"):
    """What adds up to a word's logit at a step; answered by `LogitParts`.

    Attributes:
        word: id of the word; None for the one that the step produced.
        rival: id of another; None for none. The difference of both logits is taken apart.
    """

    step: int
    word: int | None = None
    rival: int | None = None


@dataclass(frozen=True, eq=False)
class LogitParts:
    """A logit, or a difference of two, as a sum (direct logit attribution).

    Attributes:
        step: which step; word, rival: ids, their tokens `word_token` and `rival_token` (empty without one).
        parts: of the decoder's stream, last the bias of the output matrix where there is one.
        values: float64 [P] out_c · (U_word - U_rival), the closing norms held; they add up to `logit`.
        logit: worked out whole, as the model does.
        logprobs: natural log probabilities of word and rival; of the word alone without a rival.
        copies: the model also copies words: probabilities are not those of the logits alone.
        layers, heads: size of the decoder.
    """

    step: int
    word: int
    rival: int | None
    word_token: str
    rival_token: str
    parts: tuple[Part, ...]
    values: Doubles
    logit: float
    logprobs: tuple[float, ...]
    copies: bool
    layers: int
    heads: int

    @property
    def total(self) -> float:
        """What the parts add up to."""
        return float(self.values.sum())

    def by_head(self) -> Mapping[AttentionKind, Floats]:
        """float32 [layer, head] of the kinds that write to the decoder's stream."""
        kinds = dict.fromkeys(part.kind for part in self.parts if part.kind is not None)
        found = {kind: np.zeros((self.layers, self.heads), np.float32) for kind in kinds}
        for part, value in zip(self.parts, self.values, strict=True):
            if part.kind is not None:
                found[part.kind][part.layer, part.head] = value
        return found

    def ranked(self) -> list[tuple[Part, float]]:
        """All parts, largest effect first."""
        order = np.argsort(-np.abs(self.values), kind="stable")
        return [(self.parts[place], float(self.values[place])) for place in order]


def _ask(given: Given) -> LogitOf:
    return LogitOf(given["step"], given.get("word"), given.get("rival"))


def _report(answer: LogitParts, given: Given) -> Report:
    facts = {
        "step": answer.step,
        "step_number": answer.step + 1,
        "word": answer.word_token,
        "word_id": answer.word,
        "rival": answer.rival_token,
        "rival_id": answer.rival,
        "logit" if answer.rival is None else "logit_difference": answer.logit,
        "sum_of_parts": answer.total,
        "word_logprob": answer.logprobs[0],
        "rival_logprob": answer.logprobs[1] if answer.rival is not None else None,
        "also_copies": answer.copies,
    }
    rows = [(*part.cells(), value) for part, value in answer.ranked()]
    arrays = {str(kind): values for kind, values in answer.by_head().items()}
    against = f" rather than {answer.rival_token}" if answer.rival is not None else ""
    said = sum_said(by_group(answer.ranked()))
    meaning = (f"For {answer.word_token}{against}: {said}; together {answer.total:+.2f}.",)
    return Report(facts, (*columns(), "value"), rows, arrays, told=("part", "value"), meaning=meaning)


LOGIT = Method(
    "logit",
    "What each head wrote",
    "logit(a) − logit(b) = Σ_c out_c · (U_a − U_b), over everything c that was written to the decoder's "
    "residual stream, every norm held at its recorded deviation; without a rival, U_b is 0",
    "Direct effects only: what a part did through later heads and networks counts as theirs, and the "
    "encoder's heads write nothing here themselves. A part that raises all words alike shows in a single "
    "word's logit, though it changes no probability: name a rival.",
    "Elhage et al. 2021, transformer-circuits.pub/2021/framework; Wang et al. 2022, arXiv 2211.00593",
    _ask,
    _report,
    needs=("step",),
    takes=("word", "rival"),
)
