"""The penalty and its gradient, cell by cell in numpy from the paper's formula."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
import torch

from model.network.attention import AttentionSite
from model.tokens.tokenizer import SentencePieceTokenizer
from model.trace.trace import AttentionKind
from model.training.objectives.guided_attention import penalty_map
from tests.assets import PAD, tiny_tokenizer_bytes
from tests.model.training.test_trainer import trainer

WIDTH, WEIGHT = 0.3, 2.5


@pytest.fixture(scope="module")
def tokenizer() -> SentencePieceTokenizer:
    return SentencePieceTokenizer.from_bytes(tiny_tokenizer_bytes(byte_fallback=False, vocab_size=144))


def diagonal(pattern: np.ndarray, targets: int, sources: int) -> float:
    """Sum of W ⊙ A of one sentence and head, padding left out."""
    total = 0.0
    for t in range(targets):
        for s in range(sources):
            far = t / targets - s / sources
            total += pattern[t, s] * (1 - math.exp(-(far**2) / (2 * WIDTH**2)))
    return total


def monotonic(pattern: np.ndarray, targets: int, sources: int) -> float:
    """Sum of the steps backwards of the mean place that is read."""
    means = [sum(pattern[t, s] * s for s in range(sources)) / sources for t in range(targets)]
    return sum(max(0.0, one - two) for one, two in itertools.pairwise(means))


@pytest.mark.parametrize("guide", ["diagonal", "monotonic"])
@pytest.mark.parametrize("heads", [0, 1])
def test_the_penalty_is_the_papers(tokenizer: SentencePieceTokenizer, guide: str, heads: int) -> None:
    told = {"guide": guide, "guide_weight": WEIGHT, "guide_width": WIDTH, "guide_heads": heads}
    subject, plain = (trainer(tokenizer, dropout=0.0, batch_tokens=256, **more) for more in (told, {}))
    inputs = subject._inputs(subject.corpus, subject._plan.batches(0)[0])
    assert inputs.mask is not None
    found, nll = subject._loss(inputs)
    bare, same = plain._loss(inputs)
    assert float(nll) == float(same)
    patterns: dict[AttentionSite, torch.Tensor] = {}
    with torch.no_grad():
        plain.transformer(inputs.source, inputs.target_in, source_mask=inputs.mask, tap=patterns.__setitem__)
    cross = patterns[AttentionSite(AttentionKind.CROSS, 0)].numpy()
    measure = diagonal if guide == "diagonal" else monotonic
    total = 0.0
    for row in range(len(cross)):
        targets = int((inputs.target_in[row] != PAD).sum())
        sources = int(inputs.mask[row].sum())
        guided = cross[row, : heads or None]
        total += sum(measure(head, targets, sources) for head in guided) / len(guided)
    expected = WEIGHT * total / len(inputs.gold)
    assert expected > 0.01
    assert float((found - bare).detach()) == pytest.approx(expected, rel=1e-4)


def test_only_guided_heads_feel_it(tokenizer: SentencePieceTokenizer) -> None:
    """The penalty alone moves the queries of the first head and of no other."""
    told = {"guide": "diagonal", "guide_weight": 1.0, "guide_heads": 1}
    subject, plain = (trainer(tokenizer, dropout=0.0, **more) for more in (told, {}))
    for each in (subject, plain):
        torch.autograd.backward(each._loss(each._inputs(each.corpus, each._plan.batches(0)[0]))[0])
    name = "decoder.layers.0.multihead_attn.in_proj_weight"
    one, other = (each.transformer.get_parameter(name).grad for each in (subject, plain))
    assert one is not None
    assert other is not None
    first, second = (one - other)[:32].split(16)
    assert float(first.abs().max()) > 1e-6
    assert float(second.abs().max()) < 1e-7


def test_the_map_of_the_penalty() -> None:
    found = penalty_map(2, 4, 3, 5, 0.5).numpy()
    expected = [[1 - math.exp(-((t / 2 - s / 4) ** 2) / 0.5) for s in range(5)] for t in range(3)]
    np.testing.assert_allclose(found, expected, atol=1e-6)
