"""An encoder's trace against `transformers` called directly."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from model.errors import HeadscopeError
from model.foreign.reading import reader
from model.tokens.words import TokenStyle
from model.trace.trace import AttentionKind, Trace
from model.trace.trace_file import open_trace, save_trace
from tests.foreign_assets import quiet
from tests.model.foreign.encoders import PAIR, Pairs, bert, reading, roberta

KIND = AttentionKind.ENCODER_SELF


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    return bert(tmp_path_factory.mktemp("bert"))


def agree(trace: Trace, network: Any, inputs: dict[str, Any], k: int) -> None:
    """Every pattern, every candidate, every place of a token that stands there."""
    with torch.no_grad():
        output = network(**inputs, output_attentions=True)
    shape = (len(output.attentions), *output.attentions[0].shape[1:])
    assert trace.patterns.shape(KIND) == shape
    for layer, wanted in enumerate(output.attentions):
        found = trace.patterns.layer(KIND, layer)
        np.testing.assert_allclose(found, wanted[0].numpy(), rtol=0, atol=1e-5)
        np.testing.assert_allclose(found.sum(-1), 1, rtol=0, atol=1e-5)
    every = output.logits[0].double().softmax(-1).log().numpy()
    ids = inputs["input_ids"][0].numpy()
    assert trace.src_ids.tolist() == ids.tolist()
    assert trace.src_candidate_ids is not None
    assert trace.src_candidate_logprobs is not None
    assert trace.src_rank is not None
    order = np.argsort(-every, axis=1, kind="stable")
    np.testing.assert_array_equal(trace.src_candidate_ids, order[:, :k])
    best = np.take_along_axis(every, order[:, :k], 1)
    np.testing.assert_allclose(trace.src_candidate_logprobs, best, rtol=0, atol=1e-4)
    assert trace.src_logprob is not None
    np.testing.assert_allclose(trace.src_logprob, every[range(len(ids)), ids], rtol=0, atol=1e-4)
    places = [int(np.flatnonzero(row == token)[0]) + 1 for row, token in zip(order, ids)]
    assert trace.src_rank.tolist() == places


@pytest.mark.parametrize("texts", [("The cat sat on the [MASK].",), ("The cat [MASK].", "It is red")])
def test_bert_as_transformers_itself_runs_it(tiny: tuple[Any, Any], texts: tuple[str, ...]) -> None:
    network, tokenizer = tiny
    inputs = tokenizer(*texts, return_tensors="pt")
    trace = reading(network, tokenizer)(" [SEP] ".join(texts), 7)
    agree(trace, network, dict(inputs), 7)
    assert trace.src_segments is not None
    assert trace.src_segments.tolist() == inputs["token_type_ids"][0].tolist()
    assert set(trace.src_segments.tolist()) == set(range(len(texts)))
    assert trace.src_tokens == tuple(tokenizer.convert_ids_to_tokens(inputs["input_ids"][0]))
    assert trace.src_candidate_tokens[0][0] in tokenizer.get_vocab()


def test_the_second_sentence_is_read_as_the_second(tiny: tuple[Any, Any]) -> None:
    network, tokenizer = tiny
    ids, segments = Pairs(tokenizer, TokenStyle.WORDPIECE).pair(PAIR)
    with torch.no_grad():
        blind = network(input_ids=torch.tensor([ids]), output_attentions=True)
    found = reading(network, tokenizer)(PAIR, 1).patterns.layer(KIND, 0)
    assert np.abs(found - blind.attentions[0][0].numpy()).max() > 1e-3
    assert max(segments) == 1


def test_roberta_has_no_segments_of_its_own(tiny: tuple[Any, Any]) -> None:
    network, tokenizer = roberta()
    read = reading(network, tokenizer, TokenStyle.BYTE_LEVEL)
    inputs = tokenizer("The cat sat on the<mask>.", return_tensors="pt")
    inputs.pop("token_type_ids", None)
    trace = read("The cat sat on the<mask>.", 5)
    agree(trace, network, dict(inputs), 5)
    assert trace.token_style is TokenStyle.BYTE_LEVEL
    assert [trace.src_tokens[place] for place in trace.masked] == ["<mask>"]
    pair = tokenizer("A cat.", "It sat.", return_tensors="pt")
    pair.pop("token_type_ids", None)
    agree(read("A cat.</s>It sat.", 5), network, dict(pair), 5)


def test_what_the_trace_says_of_itself(tiny: tuple[Any, Any]) -> None:
    trace = reading(*tiny)("The cat [MASK].", 4)
    assert trace.kinds == (KIND,)
    assert trace.only_reads
    assert (trace.steps, trace.tgt_text, trace.tgt_in_tokens, trace.prompt_length) == (0, "", (), 0)
    assert trace.decoding == {"mode": "read", "candidates": 4}
    assert (trace.model_name, trace.model_sha256, trace.compute_dtype) == ("tiny", "ab", "float32")
    assert trace.finished
    assert trace.mask_token == "[MASK]"
    assert trace.masked == (3,)
    assert trace.token_style is TokenStyle.WORDPIECE
    assert trace.src_text == "The cat [MASK]."


def test_a_model_without_a_head_names_no_words(tmp_path: Path) -> None:
    from transformers import AutoModel

    network, tokenizer = bert(tmp_path)
    with quiet():
        plain = AutoModel.from_pretrained(tmp_path, attn_implementation="eager").eval()
    trace = reading(plain, tokenizer)(PAIR, 5)
    known = (trace.src_candidate_ids, trace.src_candidate_logprobs, trace.src_logprob, trace.src_rank)
    assert known == (None,) * 4
    assert trace.src_candidate_tokens == ()
    assert trace.mask_token == ""
    assert trace.masked == ()
    assert trace.decoding == {"mode": "read"}
    whole = reading(network, tokenizer)(PAIR, 5)
    for layer in range(3):
        np.testing.assert_array_equal(trace.patterns.layer(KIND, layer), whole.patterns.layer(KIND, layer))
    save_trace(trace, tmp_path / "a.trace")
    opened = open_trace(tmp_path / "a.trace")
    assert opened.src_candidate_ids is None
    assert opened.src_segments is not None


def test_of_every_token_something_is_recorded(tiny: tuple[Any, Any]) -> None:
    network, tokenizer = tiny
    read = reading(network, tokenizer)
    assert [len(row) for row in read("A cat", 0).src_candidate_tokens] == [1] * 4
    words = len(tokenizer)
    all_of_them = read("A cat", 10_000).src_candidate_logprobs
    assert all_of_them is not None
    assert all_of_them.shape == (4, words)
    np.testing.assert_allclose(np.exp(all_of_them.astype(float)).sum(1), 1, atol=1e-5)


def test_lone_surrogates_are_read_as_unknown(tiny: tuple[Any, Any], tmp_path: Path) -> None:
    trace = reading(*tiny)("a \ud800 cat", 2)
    assert trace.src_text == "a \ufffd cat"
    save_trace(trace, tmp_path / "a.trace")


def test_numbers_that_overflow_are_said(tmp_path: Path) -> None:
    network, tokenizer = bert(tmp_path)
    with torch.no_grad():
        network.bert.encoder.layer[0].attention.self.query.weight.fill_(float("nan"))
    for text in ("A cat", PAIR):
        with pytest.raises(HeadscopeError) as caught:
            reading(network, tokenizer)(text, 3)
        assert caught.value.code == "model_overflow"


class Odd(torch.nn.Module):
    """An encoder whose patterns are none that a map could show."""

    device, dtype, config = torch.device("cpu"), torch.float32, None

    def __init__(self, attentions: Any) -> None:
        super().__init__()
        self.attentions = attentions

    def forward(self, input_ids: Any, attention_mask: Any, **rest: Any) -> Any:
        self.given = rest
        return self


@pytest.mark.parametrize(
    ("attentions", "code"),
    [
        (None, "attention_missing"),
        ((), "attention_missing"),
        ((torch.full((1, 2, 4, 4), 0.25), None), "attention_missing"),
        ((torch.full((1, 2, 4, 3), 1 / 3),), "attention_shape_unknown"),  # a window of keys, as in Longformer
        ((torch.full((1, 2, 4, 4), 0.25), torch.full((1, 3, 4, 4), 0.25)), "attention_shape_unknown"),
        ((torch.full((2, 4, 4), 0.25),), "attention_shape_unknown"),
        ((torch.full((1, 2, 4, 4), 0.24),), "attention_rows"),
        ((torch.full((1, 2, 4, 4), float("inf")),), "model_overflow"),
    ],
)
def test_patterns_that_no_map_could_show(tiny: tuple[Any, Any], attentions: Any, code: str) -> None:
    pairs: Any = Pairs(tiny[1], TokenStyle.WORDPIECE)
    with pytest.raises(HeadscopeError) as caught:
        reader(Odd(attentions), pairs, name="odd")("A cat", 1)
    assert caught.value.code == code


def test_what_transformers_cannot_run_is_said_in_a_sentence(tiny: tuple[Any, Any]) -> None:
    class Broken(Odd):
        def forward(self, input_ids: Any, attention_mask: Any, **rest: Any) -> Any:
            raise TypeError("no such\n thing")

    pairs: Any = Pairs(tiny[1], TokenStyle.WORDPIECE)
    with pytest.raises(HeadscopeError, match="no such thing") as caught:
        reader(Broken(None), pairs, name="odd")("A cat", 1)
    assert caught.value.code == "network_failed"


def test_a_pair_may_be_longer_than_its_text_alone(tiny: tuple[Any, Any]) -> None:
    network, tokenizer = roberta()
    pairs: Any = Pairs(tokenizer, TokenStyle.BYTE_LEVEL)
    tokens = len(tokenizer("A cat.", "It sat.")["input_ids"])
    assert len(tokenizer("A cat.</s>It sat.")["input_ids"]) == tokens - 1
    reader(network, pairs, limit=tokens)("A cat.</s>It sat.", 1)
    with pytest.raises(HeadscopeError, match=f"{tokens} tokens long") as caught:
        reader(network, pairs, limit=tokens - 1)("A cat.</s>It sat.", 1)
    assert caught.value.code == "too_long"
