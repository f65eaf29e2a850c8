from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from model.decoding.candidates import rank_of, ranked, top_candidates
from model.errors import HeadscopeError


def test_hand_worked() -> None:
    logits = torch.tensor([[0.0, math.log(3), math.log(4)], [math.log(5), math.log(2), 0.0]])
    best = top_candidates(logits, 2)
    np.testing.assert_array_equal(best.ids, [[2, 1], [0, 1]])
    np.testing.assert_allclose(np.exp(best.logprobs), [[4 / 8, 3 / 8], [5 / 8, 2 / 8]], rtol=1e-6)
    np.testing.assert_allclose(np.exp(best.all_logprobs.sum(0)), [5 / 64, 6 / 64, 4 / 64], rtol=1e-5)


@pytest.mark.parametrize("k", [0, 1, 5, 199, 200, 900])
def test_equal_logits_come_in_order_of_id(k: int) -> None:
    logits = torch.randint(0, 9, (3, 200), generator=torch.Generator().manual_seed(0)).float()
    best = top_candidates(logits, k)
    for row in range(3):
        values = logits[row].tolist()
        wanted = sorted(range(200), key=lambda i: (-values[i], i))[:k]
        assert best.ids[row].tolist() == wanted
    assert best.logprobs.shape == best.ids.shape == (3, min(k, 200))


@pytest.mark.parametrize("steps", [9, 10**9])
@pytest.mark.parametrize("vocab", [50_048, 50_057])
def test_a_large_vocabulary(vocab: int, steps: int) -> None:
    generator = torch.Generator().manual_seed(vocab)
    logits = torch.randint(0, steps, (2, vocab), generator=generator).float()
    logits[0, [vocab - 1, 130, 129, 3]] = 2.0**31  # neighbours, and the last one
    wanted = [sorted(range(vocab), key=lambda i: (-row[i], i))[:11] for row in logits.tolist()]
    assert top_candidates(logits, 11).ids.tolist() == wanted
    assert top_candidates(logits, 1).ids.tolist() == [row[:1] for row in wanted]


@pytest.mark.parametrize("value", [math.nan, math.inf])
def test_numbers_that_overflow_are_no_probabilities(value: float) -> None:
    logits = torch.zeros(2, 5)
    logits[0, 1] = -math.inf  # a token that cannot be; allowed
    top_candidates(logits, 2)
    logits[1, 3] = value
    with pytest.raises(HeadscopeError) as error:
        top_candidates(logits, 2)
    assert error.value.code == "model_overflow"


def test_order_is_that_of_the_logits_even_where_log_probabilities_merge() -> None:
    # float32 cannot tell these two apart once the log of the total is taken off.
    logits = torch.full((1, 60000), 0.0)
    logits[0, 10], logits[0, 20] = 1e-7, 2e-7
    assert ranked(logits, 2)[0].tolist() == [20, 10]


@pytest.mark.parametrize("k", [0, 1, 5, 200])
def test_ranks_count_from_one_and_equal_logits_go_by_id(k: int) -> None:
    logits = torch.randint(0, 9, (200,), generator=torch.Generator().manual_seed(1)).float()
    logits[17] = -math.inf
    order = sorted(range(200), key=lambda i: (-logits[i].item(), i))
    best = ranked(logits[None], k)[0]
    assert [rank_of(token, logits, best) for token in order] == list(range(1, 201))
