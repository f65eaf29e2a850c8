from __future__ import annotations

from collections.abc import Generator
from pathlib import Path
from typing import TypeVar

import pytest
import sacrebleu
import torch
import torch.nn.functional as F

from model.bundle.bundle import Bundle, load_bundle
from model.data.corpus import encode_pairs
from model.tokens.bleu_tokens import bleu_tokenizer
from model.training.heldout import Heldout, heldout_bleu, heldout_loss
from model.work import result_of
from tests.assets import END, PAIRS, START
from tests.model.decoding.test_batch_decoding import plain_greedy

T = TypeVar("T")


def result(work: Generator[object, None, T]) -> tuple[T, int]:
    """What a generator returns, and how often it yielded."""
    yields = 0
    while True:
        try:
            next(work)
        except StopIteration as end:
            return end.value, yields
        yields += 1


@pytest.fixture(scope="module")
def bundle(tiny_bundle: Path) -> Bundle:
    return load_bundle(tiny_bundle)


def heldout(bundle: Bundle, pairs: list[tuple[str, str]], language: str = "fr") -> Heldout:
    corpus = result_of(encode_pairs(pairs, bundle.source_tokenizer, bundle.target_tokenizer, 64))
    return Heldout(corpus, pairs, [], language, len(pairs))


def test_loss_is_the_mean_over_tokens(bundle: Bundle) -> None:
    pairs = [*PAIRS[:3], ("The cat is red.", "Il pleut."), ("a", "Elle a un petit chien chaque jour.")]
    total, tokens = 0.0, 0
    for source, target in pairs:
        ids = bundle.source_tokenizer.encode(source)
        out = [*bundle.target_tokenizer.encode(target), END]
        with torch.no_grad():
            hidden = bundle.transformer.forward(
                torch.tensor([[*ids, END]]), torch.tensor([[START, *out[:-1]]])
            )
            logits = bundle.transformer.project(hidden[0]).double()
        total += float(F.cross_entropy(logits, torch.tensor(out), reduction="sum"))
        tokens += len(out)
    args = bundle.source_tokenizer, bundle.target_tokenizer
    found, yields = result(heldout_loss(bundle.transformer, heldout(bundle, pairs), *args, torch.float32))
    assert found == pytest.approx(total / tokens, rel=1e-4)
    assert yields >= 1
    low, _ = result(heldout_loss(bundle.transformer, heldout(bundle, pairs), *args, torch.bfloat16))
    assert low == pytest.approx(found, rel=0.05)
    assert low != found


def test_bleu_is_sacrebleu_of_greedy_outputs(bundle: Bundle) -> None:
    pairs = [
        *PAIRS[:5],
        ("The little cat.", "Le petit chat dort bien."),
        ("Where is it?", "Où est la gare ?"),
    ]
    outputs = []
    for source, _ in pairs:
        ids = [*bundle.source_tokenizer.encode(source), END]
        outputs.append(bundle.target_tokenizer.decode(plain_greedy(bundle, ids, len(ids) * 3 // 2 + 20)))
    wanted = sacrebleu.corpus_bleu(outputs, [[target for _, target in pairs]]).score
    assert 10 < wanted < 99
    args = bundle.source_tokenizer, bundle.target_tokenizer
    (found, samples), yields = result(
        heldout_bleu(bundle.transformer, heldout(bundle, pairs), *args, torch.float32)
    )
    assert found == pytest.approx(wanted)
    assert yields >= 1
    assert samples == tuple((pairs[i][0], outputs[i]) for i in (0, 2, 4))


def test_the_mode_does_not_leak_between_yields(bundle: Bundle) -> None:
    args = bundle.source_tokenizer, bundle.target_tokenizer
    for work in (heldout_loss, heldout_bleu):
        for _ in work(bundle.transformer, heldout(bundle, PAIRS[:3]), *args, torch.bfloat16):
            assert not torch.is_autocast_enabled("cpu")
            assert not torch.is_inference_mode_enabled()
            assert torch.is_grad_enabled()


def test_tokenizers_by_language() -> None:
    assert [bleu_tokenizer(code) for code in ("fr", "en", "und", "de-CH")] == ["13a"] * 4
    assert [bleu_tokenizer(code) for code in ("zh", "zh-Hans", "zh_CN", "ZH")] == ["zh"] * 4
    assert bleu_tokenizer("ja") == "char"
    # What 13a would do: Chinese without spaces is one word, right or wrong as a whole.
    outputs, references = ["我今天吃了一个苹果。"], [["我今天吃了一个梨。"]]
    assert sacrebleu.corpus_bleu(outputs, references, tokenize="13a").score == 0
    assert sacrebleu.corpus_bleu(outputs, references, tokenize=bleu_tokenizer("zh")).score > 50
