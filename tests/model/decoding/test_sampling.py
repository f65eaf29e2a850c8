from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from model.decoding.sampling import Sampler, filtered

# Probabilities 0.4, 0.3, 0.2, 0.1 in another order, and one token that is next to impossible.
PROBABILITIES = [0.1, 0.4, 1e-12, 0.2, 0.3]
LOGITS = torch.tensor([math.log(p) for p in PROBABILITIES]) + 5.0


def distribution(temperature: float = 1.0, top_k: int = 0, top_p: float = 1.0) -> dict[int, float]:
    ids, probabilities, vocab = filtered(LOGITS, temperature=temperature, top_k=top_k, top_p=top_p)
    assert vocab == len(LOGITS)
    return dict(zip(ids.tolist(), probabilities.tolist()))


def test_nothing_filtered_is_the_softmax() -> None:
    assert distribution() == pytest.approx(dict(enumerate(PROBABILITIES)), abs=1e-6)


def test_top_k_keeps_the_most_probable_and_renormalises() -> None:
    assert distribution(top_k=2) == pytest.approx({1: 4 / 7, 4: 3 / 7}, abs=1e-6)
    assert distribution(top_k=1) == {1: 1.0}
    assert distribution(top_k=99) == pytest.approx(dict(enumerate(PROBABILITIES)), abs=1e-6)


@pytest.mark.parametrize(
    ("top_p", "kept"),
    [(0.01, [1]), (0.39, [1]), (0.41, [1, 4]), (0.69, [1, 4]), (0.71, [1, 4, 3]), (0.95, [1, 4, 3, 0])],
)
def test_top_p_keeps_the_fewest_that_reach_it(top_p: float, kept: list[int]) -> None:
    total = sum(PROBABILITIES[i] for i in kept)
    wanted = {i: PROBABILITIES[i] / total for i in kept}
    assert distribution(top_p=top_p) == pytest.approx(wanted, abs=1e-6)


def test_top_p_counts_within_top_k() -> None:
    # Of the two that are left, 4/7 = 0.571 and 3/7.
    assert list(distribution(top_k=2, top_p=0.57)) == [1]
    assert list(distribution(top_k=2, top_p=0.58)) == [1, 4]


def test_temperature_comes_first() -> None:
    squared = {i: p**2 for i, p in enumerate(PROBABILITIES)}
    total = sum(squared.values())
    assert distribution(temperature=0.5) == pytest.approx(
        {i: p / total for i, p in squared.items()}, abs=1e-6
    )
    # 0.16 / 0.30 = 0.533 after squaring, 0.4 before: one token is enough to reach a half.
    assert list(distribution(temperature=0.5, top_p=0.5)) == [1]
    assert list(distribution(top_p=0.5)) == [1, 4]


def test_next_to_no_temperature_is_greedy() -> None:
    assert distribution(temperature=1e-30)[1] == 1.0
    assert distribution(temperature=1e30) == pytest.approx(dict.fromkeys(range(5), 0.2))


def test_drawn_as_often_as_probable() -> None:
    sampler = Sampler(temperature=1.0, top_k=3, top_p=1.0, seed=0)
    counts = dict.fromkeys(range(5), 0)
    for _ in range(9000):
        counts[sampler.draw(sampler.distribution(LOGITS))] += 1
    assert counts[0] == counts[2] == 0
    # Three standard deviations are at most 142 of 9,000.
    for token in (1, 4, 3):
        assert abs(counts[token] - 10000 * PROBABILITIES[token]) < 142


def test_a_seed_gives_the_same_tokens_whatever_else_draws() -> None:
    def draw(seed: int) -> list[int]:
        sampler = Sampler(temperature=1.0, top_k=0, top_p=1.0, seed=seed)
        torch.rand(3)
        return [sampler.draw(sampler.distribution(LOGITS)) for _ in range(40)]

    assert draw(1) == draw(1) != draw(2)


@pytest.mark.parametrize(("top_k", "top_p"), [(0, 1.0), (3, 1.0), (0, 0.71), (3, 0.6)])
def test_logprobs_are_those_of_what_is_drawn_from(top_k: int, top_p: float) -> None:
    sampler = Sampler(temperature=0.5, top_k=top_k, top_p=top_p, seed=0)
    told = sampler.distribution(LOGITS).logprobs(np.array([4, 2, 0, 1]))
    wanted = distribution(0.5, top_k, top_p)
    np.testing.assert_allclose(np.exp(told), [wanted.get(i, 0.0) for i in (4, 2, 0, 1)], rtol=1e-6)
    assert told.dtype == np.float32
    assert np.isneginf(told).tolist() == [i not in wanted for i in (4, 2, 0, 1)]
