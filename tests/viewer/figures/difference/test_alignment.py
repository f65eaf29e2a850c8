"""Alignment of two decodings: checked against brute force and hand-worked cases."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.tokens.pairing import Pairing, align
from model.trace.trace import AttentionKind
from tests.viewer.export_samples import sample_trace
from viewer.figures.difference.alignment import alignment, token_keys
from viewer.figures.difference.tokens import token_rows, totals

WORDS = st.lists(st.sampled_from("abc"), max_size=6)


def matches(pairing: Pairing) -> list[tuple[int, int]]:
    """The pairs of equal tokens."""
    return [(i, j) for i, j in pairing.pairs if i is not None and j is not None and pairing.is_same((i, j))]


def best_by_hand(first: list[str], second: list[str]) -> tuple[int, int]:
    """Most matches in order, and then the least sum of shifts, by trying all."""
    for size in range(min(len(first), len(second)), 0, -1):
        shifts = [
            sum(abs(i - j) for i, j in zip(left, right, strict=True))
            for left in combinations(range(len(first)), size)
            for right in combinations(range(len(second)), size)
            if all(first[i] == second[j] for i, j in zip(left, right, strict=True))
        ]
        if shifts:
            return size, min(shifts)
    return 0, 0


@given(WORDS, WORDS)
@settings(max_examples=60, deadline=None)
def test_as_many_equal_tokens_in_order_as_there_are_and_the_least_shifted(
    first: list[str], second: list[str]
) -> None:
    pairing = align(first, second)
    found = matches(pairing)
    assert (len(found), sum(abs(i - j) for i, j in found)) == best_by_hand(first, second)
    assert all(first[i] == second[j] for i, j in found)
    assert found == sorted(found) == sorted(found, key=lambda pair: pair[1])


@given(WORDS, WORDS, st.booleans())
@settings(max_examples=60, deadline=None)
def test_every_token_is_in_one_pair_and_exchanging_the_runs_exchanges_the_pairs(
    first: list[str], second: list[str], moved: bool
) -> None:
    pairing = align(first, second, moved=moved)
    assert [i for i, _ in pairing.pairs if i is not None] == list(range(len(first)))
    assert sorted(j for _, j in pairing.pairs if j is not None) == list(range(len(second)))
    swapped = align(second, first, moved=moved)
    assert {(j, i) for i, j in swapped.pairs} == set(pairing.pairs)
    assert set(map(swapped.is_replaced, swapped.pairs)) == set(map(pairing.is_replaced, pairing.pairs))


@given(WORDS, WORDS)
@settings(max_examples=60, deadline=None)
def test_between_equal_tokens_the_others_face_each_other_in_order(
    first: list[str], second: list[str]
) -> None:
    pairing = align(first, second)
    ends = [(-1, -1), *matches(pairing), (len(first), len(second))]
    facing = [
        pair
        for (i, j), (next_i, next_j) in pairwise(ends)
        for pair in zip(range(i + 1, next_i), range(j + 1, next_j), strict=False)
    ]
    replaced = [pair for pair in pairing.pairs if pairing.is_replaced(pair)]
    assert replaced == facing
    assert (pairing.common, pairing.exchanged) == (len(ends) - 2, len(facing))
    assert all(first[i] != second[j] for i, j in facing)


def test_in_the_decoder_what_faces_each_other_keeps_its_order_and_so_its_mask() -> None:
    pairing = align(list("abXYZc"), list("aVWbUTc"))
    assert pairing.pairs == (
        (0, 0), (None, 1), (None, 2), (1, 3), (2, 4), (3, 5), (4, None), (5, 6)
    )  # fmt: skip
    assert pairing.replaced == {2, 3}
    assert pairing.across(1, 5) == 3


def test_a_word_that_stands_elsewhere_goes_with_itself_where_that_is_asked() -> None:
    here, there = ["you", "hit", "me", "</s>"], ["me", "hit", "you", "</s>"]
    ordered = align(here, there)
    assert (1, 1) in ordered.pairs
    assert ordered.common == 2
    moved = align(here, there, moved=True)
    assert moved.pairs == ((0, 2), (1, 1), (2, 0), (3, 3))
    assert moved.moved == 2


def test_the_nearest_step_of_a_token_that_the_other_lacks() -> None:
    pairing = align(list("abXYc"), list("abc"))
    assert pairing.pairs == ((0, 0), (1, 1), (2, None), (3, None), (4, 2))
    assert [pairing.nearest(0, step) for step in range(5)] == [0, 1, 2, 3, 2]
    assert pairing.across(0, 2) is None
    assert pairing.across(1, 2) == 4
    assert pairing.place_of(1, 2) == 4
    assert align([], list("ab")).nearest(1, 1) == 1


def test_text_matches_across_models_whatever_its_case_and_its_word_mark() -> None:
    keys = token_keys(("▁The", "les", "</s>", "<0xE4>", "▁"), (5, 6, 7, 8, 9), by_id=False)
    assert keys == ["the", "les", "</s>", "<0xE4>", "▁"]
    assert token_keys(("a", "b"), (3, 4), by_id=True) == ["3", "4"]


def test_rows_are_matched_by_what_they_read_and_ids_count_only_within_one_model() -> None:
    first = sample_trace(target=("<s>", "▁La", "▁petite", "▁fille", "</s>"))
    second = sample_trace(target=("<s>", "▁La", "▁grande", "▁fille", "</s>"), model_sha256="another")
    found = alignment(first, second)
    assert not found.by_id
    assert found.queries(AttentionKind.CROSS).pairs == ((0, 0), (1, 1), (2, 2), (3, 3))
    assert found.read.replaced == {2}
    assert found.keys(AttentionKind.DECODER_SELF) is found.queries(AttentionKind.DECODER_SELF)
    assert found.predicted.pairs == ((0, 0), (1, 1), (2, 2), (3, 3))
    assert found.predicted.replaced == {1}
    assert found.predicted.common == 3
    assert alignment(first, second) is found
    same = alignment(first, sample_trace(target=("<s>", "▁x", "▁y", "▁z", "</s>"), seed=2))
    assert same.by_id  # the sample's ids, not its words, are equal


def test_tokens_in_each_others_place_share_a_row_and_are_not_subtracted() -> None:
    first = sample_trace(
        target=("<s>", "▁La", "▁petite", "▁fille", "</s>"),
        step_logprob=np.array([-0.5, -1.0, -0.25, -0.125], np.float32),
    )
    second = sample_trace(
        target=("<s>", "▁La", "▁très", "▁grande", "▁fille", "</s>"),
        step_logprob=np.array([-1.0, -2.0, -3.0, -0.5, -0.125], np.float32),
        model_sha256="another",
    )
    rows = token_rows(first, second)
    assert [(row.first, row.second, row.same) for row in rows] == [
        (0, 0, True),
        (1, 1, False),
        (None, 2, False),
        (2, 3, True),
        (3, 4, True),
    ]
    assert [row.change for row in rows] == [-0.5, None, None, -0.25, 0.0]
    assert rows[0].points == pytest.approx(np.exp(-1.0) - np.exp(-0.5))
    assert rows[1].points is None
    sums = totals(first, second)
    assert (sums.agreeing, sums.first, sums.second) == (3, 4, 5)
    assert (sums.logprob_first, sums.logprob_second) == (-1.875, -6.625)
