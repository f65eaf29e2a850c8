"""Meanings: the sentences that close a report, of numbers worked out by hand."""

from __future__ import annotations

import numpy as np

from model.questions.causes.decoder_lens import DECODER_LENS, LayerRow, LayersRead
from model.questions.causes.meaning import most, signed_most
from model.questions.causes.method import Given
from model.questions.causes.without_source import WITHOUT_SOURCE, SourceWorth
from tests.model.tiny_trace import make_trace


def test_the_largest_shares_are_named() -> None:
    assert most(["a", "b", "c", "d"], np.float32([0.1, 0.52, 0.08, 0.3])) == "b 52 %, d 30 %, a 10 %"


def test_values_either_way_are_named_by_size() -> None:
    assert signed_most(["a", "b", "c", "d"], np.array([0.5, -2, np.nan, 1])) == "b -2.00, d +1.00, a +0.50"


def test_the_layer_from_which_nothing_changes() -> None:
    def read(*texts: str) -> LayersRead:
        none = np.zeros(0, np.float32)
        return LayersRead(tuple(LayerRow(n, text, (), none, True, 0.0) for n, text in enumerate(texts)), 3)

    def said(found: LayersRead) -> str:
        return DECODER_LENS.report(found, Given(make_trace(), {})).lines()[-1]

    assert said(read("x", "b", "a", "b", "b")) == "From layer 3 on the text is that of the last layer."
    assert said(read("b", "b", "a", "b")) == "No earlier layer gives the text of the last one."


def test_words_that_need_the_source_and_words_that_do_not() -> None:
    trace = make_trace()
    worth = np.linspace(3.0, 0.0, trace.steps, dtype=np.float32)
    found = SourceWorth(np.zeros_like(worth), -worth)
    said = WITHOUT_SOURCE.report(found, Given(trace, {})).lines()[-1]
    tokens = trace.tgt_out_tokens
    assert f"by {tokens[0]} (step 1) 3.00" in said
    assert said.endswith(f"less than 0.1 by {tokens[-1]} (step {trace.steps}).")
