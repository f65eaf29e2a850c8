from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.data.pair_list import PairList, PairStore
from model.data.pairs.pair_files import Pair

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
PAIRS = st.lists(st.tuples(TEXT, TEXT), max_size=40)


@given(PAIRS, st.slices(40))
def test_as_a_list_of_pairs(pairs: list[Pair], part: slice) -> None:
    stored = PairList(PairStore(pairs))
    assert list(stored) == pairs
    assert len(stored) == len(pairs)
    assert [stored[i] for i in range(len(pairs))] == pairs
    assert list(stored[part]) == pairs[part]
    assert list(reversed(stored)) == pairs[::-1]
    assert stored.size == sum(len(text.encode()) for pair in pairs for text in pair)
    with pytest.raises(IndexError):
        stored[len(pairs)]


@given(PAIRS, st.data())
def test_chosen_and_swapped(pairs: list[Pair], data: st.DataObject) -> None:
    places = data.draw(st.lists(st.sampled_from(range(len(pairs))))) if pairs else []
    stored = PairList(PairStore(pairs), np.array(places, dtype=np.int64), swapped=True)
    expected = [(pairs[i][1], pairs[i][0]) for i in places]
    assert list(stored) == expected
    assert list(stored[1:]) == expected[1:]
    assert stored.size == sum(len(text.encode()) for pair in expected for text in pair)


def test_more_than_a_block() -> None:
    pairs = [(f"{i}", "é" * (i % 3)) for i in range(5000)]
    assert list(PairList(PairStore(pairs))) == pairs
