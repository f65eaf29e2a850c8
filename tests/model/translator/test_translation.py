from __future__ import annotations

from pathlib import Path

import pytest

from model.decoding.batch_decoding import translate_texts
from model.decoding.decode_config import DecodeConfig
from model.translator.translation import Translation, translate_batch
from model.translator.translator import Translator
from tests.assets import PAIRS

TEXTS = [text for text, _ in PAIRS] + ["A dog.", "The red cat drinks my soup near the big old river today."]


@pytest.fixture(scope="module")
def translator(tiny_bundle: Path) -> Translator:
    return Translator.load(tiny_bundle)


def one_by_one(translator: Translator, config: DecodeConfig) -> list[Translation]:
    return [Translation.of_trace(list(translator.decode(text, config))[-1].trace, config) for text in TEXTS]


@pytest.mark.parametrize("max_length", [None, 5])
def test_a_batch_is_the_same_as_one_by_one(translator: Translator, max_length: int | None) -> None:
    config = DecodeConfig(max_length=max_length, length_penalty=0.7)
    for single, batched in zip(one_by_one(translator, config), translate_batch(translator, TEXTS, config)):
        assert batched.src_tokens == single.src_tokens
        assert batched.text == single.text
        assert batched.finished == single.finished
        assert [step.token for step in batched.steps] == [step.token for step in single.steps]
        assert [step.rank for step in batched.steps] == [step.rank for step in single.steps]
        for ours, theirs in zip(batched.steps, single.steps):
            assert ours.logprob == pytest.approx(theirs.logprob, abs=1e-5)
            wanted = [logprob for _, logprob in theirs.candidates]
            assert [logprob for _, logprob in ours.candidates] == pytest.approx(wanted, abs=1e-5)
        assert batched.score == pytest.approx(single.score, abs=1e-4)
        assert batched.rank_score == pytest.approx(single.rank_score, abs=1e-4)


def test_evaluation_translates_the_same(translator: Translator) -> None:
    bundle = translator.bundle
    pair = bundle.source_tokenizer, bundle.target_tokenizer
    found = dict(translate_texts(bundle.transformer, *pair, TEXTS, most=bundle.target_limit))
    for number, single in enumerate(one_by_one(translator, DecodeConfig())):
        assert found[number] == single.text


def test_scores_are_the_sums_of_the_steps(translator: Translator) -> None:
    config = DecodeConfig(length_penalty=0.5, candidates=2)
    values = one_by_one(translator, config)[0].to_json()
    assert len(values["steps"]) == len(values["tgt_tokens"])
    assert values["score"] == pytest.approx(sum(step["logprob"] for step in values["steps"]))
    assert values["rank_score"] == pytest.approx(values["score"] / len(values["tgt_tokens"]) ** 0.5)
    assert [step["token"] for step in values["steps"]] == values["tgt_tokens"]
    assert values["tgt_tokens"][-1] == "</s>"
    for step in values["steps"]:
        assert step["candidates"][0] == [step["token"], step["logprob"]]
        assert len(step["candidates"]) == 2
