"""Models of others, changed in the window: what is offered, and what is said of prompts and of guesses."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from model.abilities import Ability
from model.alterations.block_token import BlockToken
from model.trace.trace import AttentionKind
from tests.viewer.foreign.samples import info_of, prompt_trace, reading_trace
from viewer.document.alterations.alteration_text import blocked_keys
from viewer.document.alterations.registry import is_offered, row_of, sections
from viewer.document.document import Run
from viewer.document.what_if.guesses import guesses_sentence
from viewer.document.what_if.what_if import Pair, held_logprob, held_tokens, total_logprob
from viewer.document.what_if.what_if_text import outcome_sentence

BLOCKED = BlockToken(1).to_json()


@pytest.mark.parametrize(
    ("family", "missing"),
    [
        ("encoder_decoder", {"LayerSection"}),
        ("decoder_only", {"LayerSection", "DetachSection"}),
        ("encoder_only", {"LayerSection", "DetachSection"}),
    ],
)
def test_only_what_can_be_changed_is_offered(family: str, missing: set[str]) -> None:
    info = info_of(family, can=frozenset((Ability.ALTER,)))
    names = {name: name.rpartition(":")[2] for name in sections()}
    assert {names[name] for name in names if not is_offered(name, info)} == missing
    assert all(is_offered(name, None) for name in names)


def test_a_prompts_tokens_are_blocked_where_the_decoder_reads_them(qapp: object) -> None:
    trace = prompt_trace(alterations=(BLOCKED,))
    assert blocked_keys(trace, AttentionKind.DECODER_SELF) == (1,)
    assert "prompt token 2" in row_of(BlockToken(1)).text(BlockToken(1), trace)
    assert blocked_keys(reading_trace(alterations=(BLOCKED,)), AttentionKind.DECODER_SELF) == ()


def test_what_a_prompt_says_by_itself_counts_for_nothing() -> None:
    """Of the four rows of the sample the first predicts a given token."""
    trace = prompt_trace()
    held = np.log(np.array([0.9, 0.25, 0.25, 0.25], np.float32))
    pair = Pair(Run("a", trace), Run("a~what-if", prompt_trace(alterations=(BLOCKED,)), held=held))
    assert total_logprob(trace) == pytest.approx(math.log(0.5 * 0.25 * 0.125), rel=1e-6)
    assert held_logprob(pair) == pytest.approx(3 * math.log(0.25), rel=1e-6)
    assert [row.step for row in held_tokens(pair)] == [1, 2, 3]


def test_guesses_before_and_after(qapp: object) -> None:
    def sorted_as(*logits: float) -> object:
        numbers = np.log(np.array(logits, np.float32))
        return reading_trace(class_logits=numbers, class_names=("bad", "good"))

    before, after = sorted_as(0.25, 0.75), sorted_as(0.6, 0.4)
    assert guesses_sentence(before, after) == "“good” 75.0 % → “bad” 60.0 %"  # type: ignore[arg-type]
    plain = reading_trace()
    altered = replace(plain, alterations=(BLOCKED,))
    said = outcome_sentence(Pair(Run("a", plain), Run("a~what-if", altered)))
    assert said == "This model says nothing of the text: only its maps change"


def test_the_word_at_a_mask_before_and_after(qapp: object) -> None:
    def read(word: str, share: float) -> object:
        rows = np.log(np.full((4, 1), share, np.float32))
        words = tuple(("x",) if place != 1 else (word,) for place in range(4))
        return reading_trace(
            src_tokens=("[CLS]", "[MASK]", "apples", "[SEP]"),
            src_candidate_ids=np.zeros((4, 1), np.int64),
            src_candidate_logprobs=rows,
            src_candidate_tokens=words,
            extra={"token_style": "wordpiece", "mask_token": "[MASK]"},
        )

    said = guesses_sentence(read("red", 0.5), read("green", 0.125))  # type: ignore[arg-type]
    assert said == "“red” 50.0 % → “green” 12.5 %"
