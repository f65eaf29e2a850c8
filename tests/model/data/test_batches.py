from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.config import TrainConfig
from model.data.batches import make_batch, plan_batches, plan_epoch, plan_sentences, share_of
from model.data.corpus import EncodedCorpus

LENGTHS = st.lists(st.tuples(st.integers(1, 60), st.integers(0, 60)), max_size=200)


def corpus_of(rows: list[tuple[list[int], list[int]]]) -> EncodedCorpus:
    sources, targets = [s for s, _ in rows], [t for _, t in rows]

    def offsets(side: list[list[int]]) -> np.ndarray:
        return np.cumsum([0, *(len(row) for row in side)], dtype=np.int64)

    return EncodedCorpus(
        np.array(sum(sources, []), dtype=np.int32),  # noqa: RUF017 (a handful of rows)
        offsets(sources),
        np.array(sum(targets, []), dtype=np.int32),  # noqa: RUF017
        offsets(targets),
        0,
        0,
    )


@given(LENGTHS, st.integers(1, 300), st.integers(0, 2**40), st.integers(0, 5))
@settings(deadline=None)
def test_every_pair_once_and_never_too_many_tokens(
    lengths: list[tuple[int, int]], budget: int, seed: int, epoch: int
) -> None:
    sources = np.array([s for s, _ in lengths], dtype=np.int64)
    targets = np.array([t for _, t in lengths], dtype=np.int64)
    batches = plan_batches(sources, targets, budget, seed, epoch)
    together = [int(i) for batch in batches for i in batch]
    assert sorted(together) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) > 0
        cost = len(batch) * max(sources[batch].max(), targets[batch].max() + 1)
        assert cost <= budget or len(batch) == 1


def _lengths(count: int) -> tuple[np.ndarray, np.ndarray]:
    draw = np.random.default_rng(0)
    sources = np.clip(draw.gamma(4, 2.5, count), 2, 100).astype(np.int64)
    targets = np.clip(sources + draw.normal(0, 2, count), 1, 110).astype(np.int64)
    return sources, targets


def test_plan_is_a_pure_function_that_differs_by_epoch_and_seed() -> None:
    sources, targets = _lengths(2000)

    def plan(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in plan_batches(sources, targets, 512, seed, epoch)]

    assert plan(1, 0) == plan(1, 0)
    contents = {epoch: {tuple(sorted(batch)) for batch in plan(1, epoch)} for epoch in (0, 1)}
    assert len(contents[0] & contents[1]) < len(contents[0]) / 4
    assert plan(1, 0) != plan(2, 0)


def test_batches_are_not_in_order_of_length() -> None:
    sources, targets = _lengths(5000)
    longest = [int(sources[batch].max()) for batch in plan_batches(sources, targets, 512, 0, 0)]
    assert longest != sorted(longest)


def test_little_padding() -> None:
    sources, targets = _lengths(20_000)
    batches = plan_batches(sources, targets, 4096, 0, 0)
    padded = sum(len(batch) * int(targets[batch].max() + 1) for batch in batches)
    assert padded < 1.3 * (targets + 1).sum()


def test_input_arrays_are_left_alone() -> None:
    sources, targets = _lengths(50)
    before = sources.copy(), targets.copy()
    plan_batches(sources, targets, 64, 0, 0)
    assert (sources == before[0]).all()
    assert (targets == before[1]).all()


def test_batch_by_hand() -> None:
    corpus = corpus_of([([7, 8, 3], [5]), ([9, 3], [4, 6, 5]), ([7, 3], [6])])
    batch = make_batch(corpus, np.array([1, 0]), pad_id=0, start_id=2, end_id=3)
    assert batch.source.tolist() == [[9, 3, 0], [7, 8, 3]]
    assert batch.source_mask.tolist() == [[True, True, False], [True, True, True]]
    assert batch.target_in.tolist() == [[2, 4, 6, 5], [2, 5, 0, 0]]
    assert batch.target_out.tolist() == [[4, 6, 5, 3], [5, 3, 0, 0]]
    assert batch.target_mask.tolist() == [[True, True, True, True], [True, True, False, False]]
    assert batch.target_tokens == 6
    assert {array.dtype.name for array in (batch.source, batch.target_in, batch.target_out)} == {"int64"}


def test_padding_may_differ_and_may_equal_a_real_token() -> None:
    corpus = corpus_of([([7, 3], [0, 5]), ([3], [1])])
    batch = make_batch(corpus, np.array([0, 1]), pad_id=0, start_id=2, end_id=3, source_pad_id=7)
    assert batch.source.tolist() == [[7, 3], [3, 7]]
    assert batch.source_mask.tolist() == [[True, True], [True, False]]
    assert batch.target_mask.tolist() == [[True, True, True], [True, True, False]]


def test_batch_is_frozen() -> None:
    batch = make_batch(corpus_of([([3], [5])]), np.array([0]), pad_id=0, start_id=2, end_id=3)
    with pytest.raises(AttributeError):
        batch.target_tokens = 5  # type: ignore[misc]


@given(LENGTHS, st.integers(1, 40), st.integers(0, 2**40), st.integers(0, 5))
@settings(deadline=None)
def test_batches_of_pairs_have_that_many_and_each_once(
    lengths: list[tuple[int, int]], count: int, seed: int, epoch: int
) -> None:
    sources = np.array([s for s, _ in lengths], dtype=np.int64)
    targets = np.array([t for _, t in lengths], dtype=np.int64)
    batches = plan_sentences(sources, targets, count, seed, epoch)
    assert sorted(int(i) for batch in batches for i in batch) == list(range(len(lengths)))
    sizes = sorted(len(batch) for batch in batches)
    assert sizes[1:] == [count] * (len(sizes) - 1)
    assert not sizes or sizes[0] == (len(lengths) % count or count)


def test_batches_of_pairs_are_shuffled_and_a_pure_function() -> None:
    sources, targets = _lengths(3000)

    def plan(seed: int, epoch: int) -> list[list[int]]:
        return [batch.tolist() for batch in plan_sentences(sources, targets, 16, seed, epoch)]

    assert plan(1, 0) == plan(1, 0)
    assert len({tuple(sorted(batch)) for epoch in (0, 1) for batch in plan(1, epoch)}) > 370
    assert plan(1, 0) != plan(2, 0)
    longest = [int(sources[batch].max()) for batch in plan_sentences(sources, targets, 16, 0, 0)]
    assert longest != sorted(longest)
    padded = sum(16 * int(targets[batch].max() + 1) for batch in plan_sentences(sources, targets, 16, 0, 0))
    assert padded < 1.4 * (targets + 1).sum()  # 1.9 where nothing is sorted


def test_the_configuration_says_how_batches_are_cut() -> None:
    corpus = corpus_of([([5] * n, [6] * n) for n in range(1, 9)])
    lengths = corpus.source_lengths, corpus.target_lengths

    def plan(**fields: Any) -> list[list[int]]:
        return [batch.tolist() for batch in plan_epoch(corpus, TrainConfig(**fields), 3)]

    by_tokens = [batch.tolist() for batch in plan_batches(*lengths, 12, 4, 3)]
    assert plan(batch_tokens=12, seed=4) == by_tokens
    by_pairs = [batch.tolist() for batch in plan_sentences(*lengths, 3, 4, 3)]
    assert plan(batch_tokens=12, batch_sentences=3, seed=4) == by_pairs


@given(st.lists(st.integers(1, 60), max_size=60), st.integers(1, 7))
def test_shares_are_even_and_complete(lengths: list[int], world: int) -> None:
    indices = np.arange(100, 100 + len(lengths), dtype=np.int64)
    shares = [share_of(indices, np.array(lengths, dtype=np.int64), rank, world) for rank in range(world)]
    assert sorted(int(i) for share in shares for i in share) == indices.tolist()
    sizes = [len(share) for share in shares]
    assert max(sizes) - min(sizes) <= 1
    tokens = [sum(lengths[i - 100] for i in share) for share in shares]
    assert max(tokens) - min(tokens) <= max(lengths, default=0)


def test_shares_by_hand() -> None:
    # By length: 3 (9 tokens), 0 (7), 4 (5), 2 (4), 1 (2): dealt to 0, 1, 1, 0, 0.
    indices, lengths = np.array([0, 1, 2, 3, 4]), np.array([7, 2, 4, 9, 5])
    assert share_of(indices, lengths, 0, 2).tolist() == [3, 2, 1]
    assert share_of(indices, lengths, 1, 2).tolist() == [0, 4]
