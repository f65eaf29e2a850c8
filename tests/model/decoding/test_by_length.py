from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from model.decoding.by_length import by_length


@given(
    lengths=st.lists(st.integers(1, 60)),
    most_rows=st.none() | st.integers(1, 9),
    most_tokens=st.integers(1, 200),
)
def test_every_sentence_is_in_one_batch_that_fits(
    lengths: list[int], most_rows: int | None, most_tokens: int
) -> None:
    batches = by_length(lengths, most_rows=most_rows, most_tokens=most_tokens)
    assert sorted(index for batch in batches for index in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[index] for index in batch) <= most_tokens
        assert most_rows is None or len(batch) <= most_rows
    assert [min(batch) for batch in batches] == sorted(min(batch) for batch in batches)
    # Of like length: what is in one batch lies beside each other among all lengths.
    spans = sorted((min(lengths[i] for i in batch), max(lengths[i] for i in batch)) for batch in batches)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_batch_is_as_full_as_it_can_be() -> None:
    assert by_length([5, 2, 2, 5, 9], most_tokens=10) == [[0, 3], [1, 2], [4]]
    assert by_length([1] * 5, most_rows=2, most_tokens=100) == [[0, 1], [2, 3], [4]]
    assert by_length([]) == []
