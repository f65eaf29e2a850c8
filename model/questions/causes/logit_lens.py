"""Logit lens: what a model would say if it stopped after each layer. No torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.answers import Lens
from model.questions.causes.method import Given, Method
from model.questions.causes.report import Report
from model.questions.questions import Question

_COLUMNS = ("layer", "layer_number", "place", "token", "logit", "logprob", "rank_of_word", "logprob_of_word")


@dataclass(frozen=True)
class LensesOf(Question, answered_by="model.causes.logit_lens:lenses_of"):
    """What stands at a step after each layer of the decoder; answered by `Lenses`.

    Attributes:
        step: of a model that only reads, the place of a token instead.
    """

    step: int


@dataclass(frozen=True, eq=False)
class Lenses:
    """One lens a layer, the last of them the model's own word.

    Attributes:
        word: id of the token that the step produced; of a model that only reads the one that it holds most
            likely there. token: its piece.
    """

    step: int
    word: int
    token: str
    lenses: tuple[Lens, ...]


def _report(answer: Lenses, given: Given) -> Report:
    facts = {
        "step": answer.step,
        "step_number": answer.step + 1,
        "word": answer.token,
        "word_id": answer.word,
    }
    rows = [
        (lens.layer, (lens.layer or 0) + 1, place + 1, token, *numbers, lens.rank, lens.produced)
        for lens in answer.lenses
        for place, (token, *numbers) in enumerate(
            zip(lens.tokens, map(float, lens.logits), map(float, lens.logprobs), strict=True)
        )
    ]
    return Report(facts, _COLUMNS, rows)


LOGIT_LENS = Method(
    "lens",
    "Words after each layer (logit lens)",
    "softmax(W · norm(h_l) + b) of the stream h_l after each layer l, through the norm that closes the "
    "stack, if there is one, and the output matrix",
    "Layers before the last were not trained to be read so: a word that does not show may well be there. Of "
    "a model that only reads, the step is the place of a token.",
    "nostalgebraist 2020, lesswrong.com/posts/AcKRB8wDpdaN6v6ru",
    lambda given: LensesOf(given["step"]),
    _report,
    needs=("step",),
)
