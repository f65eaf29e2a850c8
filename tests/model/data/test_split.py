from __future__ import annotations

import hashlib
from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.config import SplitName
from model.data.pairs.pair_files import Pair
from model.data.split import Splitter, tatoeba_hash_part

NAMES = ["train", "dev", "test", "aside"]

# Few different texts, so that sources have several targets and targets several sources.
FEW_TEXTS = st.integers(0, 400).map(lambda number: f"sentence {number}")
SOME_PAIRS = st.lists(st.tuples(FEW_TEXTS, FEW_TEXTS), min_size=1, max_size=300)


def parts_of(pairs: list[Pair], split: SplitName, swap: bool) -> list[str]:
    splitter = Splitter(split, swap=swap)
    for first, second in pairs:
        splitter.add(first, second)
    assert splitter.sources() == len({pair[1] if swap else pair[0] for pair in pairs})
    return [NAMES[part] for part in splitter.parts()]


def by_hand(pairs: list[Pair], split: SplitName, swap: bool) -> list[str]:
    """The same with dictionaries of whole texts and whole digests."""
    sources = [pair[1] if swap else pair[0] for pair in pairs]
    if split == "holdout":
        distinct = sorted(set(sources), key=lambda text: hashlib.sha1(text.encode()).digest())
        chosen = set(distinct[: min(1000, len(distinct) // 50)])
        return ["dev" if source in chosen else "train" for source in sources]
    buckets = [int(hashlib.sha1(first.encode()).hexdigest()[:8], 16) % 100 for first, _ in pairs]
    own = ["test" if bucket == 0 else "dev" if bucket == 1 else "train" for bucket in buckets]
    strictest: dict[str, int] = defaultdict(int)
    for source, part in zip(sources, own):
        strictest[source] = max(strictest[source], NAMES.index(part))
    return [part if NAMES.index(part) == strictest[source] else "aside" for source, part in zip(sources, own)]


@given(SOME_PAIRS, st.sampled_from(["holdout", "tatoeba-hash"]), st.booleans())
@settings(deadline=None)
def test_as_dictionaries_split_it(pairs: list[Pair], split: SplitName, swap: bool) -> None:
    assert parts_of(pairs, split, swap) == by_hand(pairs, split, swap)


@given(SOME_PAIRS, st.sampled_from(["holdout", "tatoeba-hash"]), st.booleans())
@settings(deadline=None)
def test_no_source_is_in_two_parts(pairs: list[Pair], split: SplitName, swap: bool) -> None:
    found: dict[str, set[str]] = defaultdict(set)
    for pair, part in zip(pairs, parts_of(pairs, split, swap)):
        if part != "aside":
            found[pair[1] if swap else pair[0]].add(part)
    assert all(len(parts) == 1 for parts in found.values())


@pytest.mark.parametrize("swap", [False, True])
@pytest.mark.parametrize("split", ["holdout", "tatoeba-hash"])
def test_many_pairs(split: SplitName, swap: bool) -> None:
    """Enough for more than a thousand held-out sources and for parts that cross."""
    draw = np.random.default_rng(4)
    pairs = [(f"s{a}", f"t{b}") for a, b in draw.integers(0, 80_000, (90_000, 2)).tolist()]
    parts = parts_of(pairs, split, swap)
    assert parts == by_hand(pairs, split, swap)
    if split == "holdout":
        assert len({pair[swap] for pair, part in zip(pairs, parts) if part == "dev"}) == 1000
    else:
        assert {"train", "dev", "test"} <= set(parts)
        assert ("aside" in parts) == swap


def test_nothing() -> None:
    for split in ("holdout", "tatoeba-hash"):
        for swap in (False, True):
            assert parts_of([], split, swap) == []  # type: ignore[arg-type]


def test_split_by_hash() -> None:
    # Worked apart from the code with sha1sum and the shell's arithmetic: 0x3be76cc0 % 100 = 0, and so on.
    assert [tatoeba_hash_part(source) for source in ("207", "223")] == ["test", "test"]
    assert [tatoeba_hash_part(source) for source in ("11", "23")] == ["dev", "dev"]
    assert [tatoeba_hash_part(source) for source in ("Go.", "我爱你。")] == ["train", "train"]
    assert parts_of([(text, "x") for text in ("207", "11", "Go.")], "tatoeba-hash", False) == [
        "test",
        "dev",
        "train",
    ]
    parts = [tatoeba_hash_part(f"sentence {i}") for i in range(20_000)]
    assert 120 < parts.count("test") < 280
    assert 120 < parts.count("dev") < 280
