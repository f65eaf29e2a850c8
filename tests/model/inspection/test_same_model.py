"""Where a recording does not name its model, another model does not answer for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from model.alterations.registry import all_to_json
from model.errors import HeadscopeError
from model.questions.questions import EmbeddingOf, Question, Reading, RowOf, SharesOf, ValueNorms, WalkOf
from model.trace.trace import ArrayPatterns, Trace
from tests.model.inspection.asked import CHANGED, CHANGES, CROSS, OUT, SOURCE, ask, oracle, reading
from tests.model.inspection.conftest import KINDS, Make

QUESTIONS = (SharesOf(), ValueNorms(), WalkOf("source", 0), RowOf(CROSS, 0, 0, 1), EmbeddingOf("source"))


def recorded(make: Make, kind: str = "post_norm", changed: bool = False) -> Reading:
    """With log probabilities of the oracle's."""
    logprobs = oracle(make(**KINDS[kind]).folder, **(CHANGED if changed else {})).read(SOURCE, OUT)
    about = reading(*CHANGES) if changed else reading()
    return replace(about, logprobs=tuple(float(logprobs[t, token]) for t, token in enumerate(OUT)))


@pytest.mark.parametrize("changed", [False, True], ids=["plain", "altered"])
@pytest.mark.parametrize("kind", list(KINDS))
def test_the_model_that_computes_the_recorded_log_probabilities_answers(
    make: Make, kind: str, changed: bool
) -> None:
    assert ask(make(**KINDS[kind]).bundle, SharesOf(), recorded(make, kind, changed)).source.shape == (3, 5)


@pytest.mark.parametrize("question", QUESTIONS)
def test_any_other_model_is_refused(make: Make, question: Question) -> None:
    about = replace(recorded(make), model_name="theirs")
    other = replace(about, logprobs=(*about.logprobs[:-1], about.logprobs[-1] - 0.3))
    ask(make().bundle, question, about)
    with pytest.raises(HeadscopeError) as caught:
        ask(make().bundle, question, other)
    assert caught.value.code == "run_other_model"
    assert "the model theirs" in str(caught.value)


def trace(**changes: object) -> Trace:
    steps = len(OUT)
    fields: dict[str, object] = {
        "patterns": ArrayPatterns({CROSS: np.ones((1, 1, steps, 1), np.float32)}),
        "src_text": "a",
        "tgt_text": "b",
        "src_tokens": ("a",),
        "tgt_in_tokens": ("b",) * steps,
        "tgt_out_tokens": ("b",) * steps,
        "src_ids": np.array([3]),
        "tgt_in_ids": np.array([2, *OUT[:-1]]),
        "tgt_out_ids": np.array(OUT),
        "step_logprob": np.array([-0.5, -1.0, -2.0, -0.25, -4.0], np.float32),
        "candidate_ids": np.zeros((steps, 0), np.int64),
        "candidate_logprobs": np.zeros((steps, 0), np.float32),
        "candidate_tokens": ((),) * steps,
        "alterations": all_to_json(CHANGES),
    }
    return Trace(**(fields | changes))  # type: ignore[arg-type]


def test_a_reading_holds_log_probabilities_only_where_nothing_else_tells_the_model() -> None:
    assert Reading.of(trace()).logprobs == (-0.5, -1.0, -2.0, -0.25, -4.0)
    assert Reading.of(trace(model_sha256="00")).logprobs == ()
    assert Reading.of(trace(step_logprob=np.zeros(5, np.float32))).logprobs == ()
    assert Reading.of(trace(step_logprob=np.full(5, np.nan, np.float32))).logprobs == ()
