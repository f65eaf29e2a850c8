from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch

from model.errors import HeadscopeError
from model.translator.filling import fill
from tests.model.foreign.encoders import bert, reading
from tests.model.trace.reading_trace import reading_trace


def test_the_most_probable_word_stands_in_the_place_of_each_mask(tmp_path: Path) -> None:
    network, tokenizer = bert(tmp_path)
    text = "The [MASK] sat on  the [MASK]!"
    done = fill(reading(network, tokenizer)(text, 3), text)
    inputs = tokenizer(text, return_tensors="pt")
    with torch.no_grad():
        scores = network(**inputs).logits[0].log_softmax(-1)
    masks = [place for place, i in enumerate(inputs["input_ids"][0]) if i == tokenizer.mask_token_id]
    best = [int(scores[place].argmax()) for place in masks]
    assert [step.token for step in done.steps] == tokenizer.convert_ids_to_tokens(best)
    logprobs = [float(scores[place, token]) for place, token in zip(masks, best)]
    assert [step.logprob for step in done.steps] == pytest.approx(logprobs, abs=1e-4)
    assert [step.rank for step in done.steps] == [1, 1]
    assert [len(step.candidates) for step in done.steps] == [3, 3]
    assert done.score == pytest.approx(sum(logprobs), abs=1e-4)
    assert done.finished
    assert list(done.src_tokens) == tokenizer.convert_ids_to_tokens(inputs["input_ids"][0])


def test_the_text_around_stays_as_it_was_typed() -> None:
    trace = reading_trace(("[CLS]", "a", "[MASK]", "b", "[MASK]", "[SEP]"), {2: "[MASK]", 4: "##ing"})
    assert fill(trace, "A  [MASK] b [MASK]\n").text == "A  [MASK] bing\n"
    trace = reading_trace(("[CLS]", "[MASK]", "[SEP]"), {1: "cat"})
    assert fill(trace, "[MASK]").text == "cat"


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({}, "no_mask"),
        ({"extra": {}}, "no_mask"),
        ({"src_candidate_ids": None, "src_candidate_logprobs": None}, "model_only_reads"),
    ],
)
def test_why_nothing_is_filled_in(changes: dict[str, Any], code: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        fill(reading_trace(("[CLS]", "a", "[SEP]"), {}, **changes), "a")
    assert caught.value.code == code
    assert "{" not in str(caught.value)
