from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from model.data.filters import KeySet, PairFilter, text_key
from model.data.pairs.pair_files import Pair

SIDE = st.text(st.sampled_from("ab \u3000é苹"), max_size=7)
PAIRS = st.lists(st.tuples(SIDE, SIDE), max_size=60)


def cut(items: Sequence[Pair], places: Sequence[int]) -> list[Sequence[Pair]]:
    """Consecutive parts of the items."""
    marks = [0, *sorted(place % (len(items) + 1) for place in places), len(items)]
    return [items[a:b] for a, b in pairwise(marks)]


def by_hand(pairs: Sequence[Pair], most: int, ratio: float) -> list[str | None]:
    """The same in plain Python, pair after pair."""
    result: list[str | None] = []
    seen: set[Pair] = set()
    for source, target in pairs:
        short, long = min(len(source), len(target)), max(len(source), len(target))
        if source.strip() == "" or target.strip() == "":
            result.append("empty")
        elif most and long > most:
            result.append("long")
        elif ratio and long / short > ratio:
            result.append("ratio")
        elif (source, target) in seen:
            result.append("duplicate")
        else:
            seen.add((source, target))
            result.append(None)
    return result


@given(
    PAIRS,
    st.lists(st.integers(0, 60), max_size=4),
    st.sampled_from([0, 3, 5]),
    st.sampled_from([0.0, 1.0, 1.5, 3.0]),
)
@settings(deadline=None)
def test_as_plain_python_finds_it(pairs: list[Pair], places: list[int], most: int, ratio: float) -> None:
    """However the corpus is cut into batches."""
    found = PairFilter(most, ratio)
    problems = [problem for batch in cut(pairs, places) for problem in found.problems(batch)]
    assert problems == by_hand(pairs, most, ratio)


def test_what_is_left_out() -> None:
    keeping, dropping = PairFilter(), PairFilter(drop_duplicates=True)
    assert not keeping.leaves_out("duplicate")
    assert dropping.leaves_out("duplicate")
    assert keeping.leaves_out("long")
    assert keeping.leaves_out("empty")
    assert not dropping.leaves_out(None)


def test_where_a_pair_is_cut_matters() -> None:
    pairs = [("ab", "c"), ("a", "bc"), ("a\tb", "c"), ("a", "b\tc")]
    assert PairFilter().problems(pairs) == [None] * 4


@given(st.lists(st.lists(st.integers(0, 40) | st.integers(2**64 - 5, 2**64 - 1), max_size=30), max_size=12))
@settings(deadline=None)
def test_key_set_against_a_set(batches: list[list[int]]) -> None:
    keys, plain = KeySet(), set[int]()
    for batch in batches:
        seen = keys.add(np.array(batch, dtype=np.uint64)).tolist()
        expected = []
        for key in batch:
            expected.append(key in plain)
            plain.add(key)
        assert seen == expected


def test_key_set_keeps_few_parts() -> None:
    keys = KeySet()
    draw = np.random.default_rng(1)
    for _ in range(300):
        keys.add(draw.integers(0, 2**63, 50).astype(np.uint64))
    assert len(keys._sorted) < 12
    assert sum(map(len, keys._sorted)) == 15_000


def test_text_keys_do_not_change() -> None:
    """A run that is resumed elsewhere leaves out the same pairs: `printf Go. | b2sum -l 64`."""
    assert text_key("Go.") == 0xC6E45C93D5542CF1
    assert text_key("Go.") != text_key("go.")
