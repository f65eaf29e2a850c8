"""What is typed and what it matches: properties, and scattered letters against every way there is."""

from __future__ import annotations

import re
from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from viewer.window.palette.matching import SCATTERED, mentioned, score


def text(letters: str, least: int, most: int) -> st.SearchStrategy[str]:
    return st.lists(st.sampled_from(letters), min_size=least, max_size=most).map("".join)


WORDS = text("abcAB导出", 1, 4)
NAMES = st.lists(text("abcABx导出", 1, 5), min_size=1, max_size=3).map(" ".join)


def hidden_in(word: str, name: str) -> bool:
    return re.search(".*".join(map(re.escape, word.casefold())), name.casefold()) is not None


@given(st.lists(WORDS, min_size=1, max_size=3), NAMES)
def test_a_name_is_found_by_the_letters_it_has_in_their_order_and_by_no_others(
    words: list[str], name: str
) -> None:
    assert (score(" ".join(words), name) is not None) == all(hidden_in(word, name) for word in words)


@given(NAMES, NAMES)
def test_nothing_suits_what_was_typed_better_than_the_name_itself(typed: str, other: str) -> None:
    own, others = score(typed, typed), score(typed, other)

    assert own is not None
    if others is not None and len(other) >= len(typed):
        assert own >= others


@given(st.lists(WORDS, min_size=1, max_size=3), NAMES)
def test_case_and_the_order_of_words_change_nothing(words: list[str], name: str) -> None:
    points = score(" ".join(words), name)
    turned = score(" ".join(reversed(words)).swapcase(), name.swapcase())

    assert (points is None) == (turned is None)
    assert points is None or turned is None or abs(points - turned) < 1e-9


def by_hand(word: str, name: str) -> float | None:
    """The best of all ways: 3 for a letter that begins a word, 2 for one behind the letter before it."""
    ways = []
    for places in combinations(range(len(name)), len(word)):
        if "".join(name[place] for place in places) == word:
            starts = sum(place == 0 or name[place - 1] == " " for place in places)
            runs = sum(after == before + 1 for before, after in pairwise(places))
            ways.append(3 * starts + 2 * runs)
    return max(ways, default=None)


@given(text("ab", 2, 4), text("ab ", 1, 9))
def test_scattered_letters_have_the_points_of_the_best_way(word: str, name: str) -> None:
    points, expected = score(word, name), by_hand(word, name)

    if word not in name:
        assert (points is None) == (expected is None)
    if word not in name and points is not None and expected is not None:
        assert abs(points + 0.02 * len(name) - SCATTERED * expected / (3 * len(word))) < 1e-9


def test_beginnings_of_words_come_first() -> None:
    names = ("xword", "w x o x r x d", "some word", "wo-rd", "words", "word")

    assert sorted(names, key=lambda name: -(score("word", name) or -1)) == [
        "word", "words", "some word", "xword", "w x o x r x d", "wo-rd",
    ]  # fmt: skip
    assert score("出", "导出图片") is not None
    assert (score("图片", "导出图片") or 0) > (score("xp", "export") or 0)


def test_a_longer_text_is_searched_by_whole_beginnings_alone() -> None:
    assert mentioned("kern REG", "Attention as kernel regression")
    assert not mentioned("ernel", "Attention as kernel regression")
    assert not mentioned("kernel linear", "Attention as kernel regression")
    assert not mentioned("", "Attention")
