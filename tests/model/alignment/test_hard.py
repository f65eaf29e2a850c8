"""Links from patterns made by hand, under both rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.alignment.aer import Aer
from model.alignment.corpus import Tally
from model.alignment.hard import RULES, WordMap, links_of
from model.alignment.heads import LayerHead, aer_of_heads, all_patterns, links_at, pattern_at
from model.alignment.links import Gold
from model.alignment.shares import Shares
from model.errors import HeadscopeError
from model.trace.trace import ArrayPatterns
from tests.model.alignment.samples import (
    LINKS,
    PREDICTING,
    READING,
    SOURCE,
    TARGET,
    cross_trace,
    one_hot,
    sample_trace,
)

GOLD = Gold(LINKS)


def test_each_rule_finds_the_pattern_that_is_made_for_it() -> None:
    trace = sample_trace()
    predicts, reads = (aer_of_heads(trace, GOLD, rule) for rule in RULES)
    assert predicts[0, 0].rate == 0
    assert reads[0, 1].rate == 0
    # By the other rule each head is a row off: no link is gold, and one word looks at the end alone.
    assert reads[0, 0].rate == 1
    assert reads[0, 0].links == 2
    assert predicts[0, 1].rate == 1
    assert predicts[0, 1].links == 2


def test_the_first_row_reads_no_word_and_the_last_predicts_none() -> None:
    trace = sample_trace()
    assert links_at(trace, (0, 0), "predicts") == set(LINKS)
    assert links_at(trace, (0, 1), "reads") == set(LINKS)
    assert links_at(trace, (0, 0), "reads") == {(2, 0), (1, 1)}
    assert links_at(trace, (0, 1), "predicts") == {(0, 1), (2, 2)}


def test_special_tokens_are_dropped_before_the_maximum() -> None:
    # Nearly all weight on the end token: after the maximum nothing would be left to link.
    sink = np.full((4, 4), 0.0, np.float32)
    sink[:, 3] = 0.9
    sink += 0.1 * PREDICTING
    trace = cross_trace([[sink]], SOURCE, TARGET, src_text="the red car", tgt_text="la voiture rouge")
    assert links_at(trace, (0, 0), "predicts") == set(LINKS)


def test_of_equal_words_the_first_and_of_no_weight_none() -> None:
    assert links_of(np.array([[0.0, 0.3, 0.3], [0.0, 0.0, 0.0], [0.2, 0.2, 0.2]])) == {(1, 0), (0, 2)}
    assert links_of(np.zeros((0, 3))) == links_of(np.zeros((3, 0))) == set()


def test_pieces_are_summed_over_keys_and_averaged_over_queries() -> None:
    source, target = ("▁ap", "ple", "▁tree", "</s>"), ("▁pom", "mier", "</s>")
    # The largest weight of each row is on "tree", the sum of the pieces of "apple" is larger in the first.
    rows = [[0.3, 0.3, 0.4, 0.0], [0.1, 0.1, 0.7, 0.1], [0.0, 0.0, 0.0, 1.0]]
    trace = cross_trace([[rows]], source, target, src_text="apple tree", tgt_text="pommier")
    words = WordMap.of(trace)
    assert words.source == ("apple", "tree")
    found = words.weights(pattern_at(trace, (0, 0)), "predicts")
    assert found == pytest.approx(np.array([[(0.6 + 0.2) / 2, (0.4 + 0.7) / 2]]))
    found = words.weights(pattern_at(trace, (0, 0)), "reads")
    assert found == pytest.approx(np.array([[(0.2 + 0.0) / 2, (0.7 + 0.0) / 2]]))


def test_a_translation_that_was_cut_off_has_a_last_word_that_no_row_reads() -> None:
    trace = cross_trace(
        [[one_hot(0, 2), one_hot(3, 0)]], SOURCE, TARGET[:2], src_text="the red car", tgt_text="la voiture"
    )
    assert links_at(trace, (0, 0), "predicts") == {(0, 0), (2, 1)}
    assert links_at(trace, (0, 1), "reads") == {(0, 0)}


def test_gold_words_that_are_split_otherwise() -> None:
    source, target = ("▁tea.", "</s>"), ("▁l'eau", "</s>")
    trace = cross_trace([[[[1, 0], [0, 1]]]], source, target, src_text="tea.", tgt_text="l'eau")
    gold = Gold(((0, 0), (0, 1)), (), "tea .", "l' eau")
    assert aer_of_heads(trace, gold, "predicts")[0, 0].rate == 0  # "tea" has more letters than "."


def test_gold_links_of_another_sentence() -> None:
    for gold, code in (
        (Gold(LINKS, source="the red bus"), "align_source_differs"),
        (Gold(LINKS, target="la voiture noire"), "align_target_differs"),
        (Gold(((3, 0),)), "pharaoh_range"),
    ):
        with pytest.raises(HeadscopeError) as caught:
            aer_of_heads(sample_trace(), gold, "predicts")
        assert caught.value.code == code


def test_traces_that_align_nothing() -> None:
    with pytest.raises(HeadscopeError) as caught:
        aer_of_heads(sample_trace(patterns=ArrayPatterns({})), GOLD, "predicts")
    assert caught.value.code == "align_no_cross"
    rounds = sample_trace(tgt_in_tokens=("<s>", "▁x", "▁y", "▁z"))
    assert aer_of_heads(rounds, GOLD, "predicts")[0, 0].rate == 0
    with pytest.raises(HeadscopeError) as caught:
        aer_of_heads(rounds, GOLD, "reads")
    assert caught.value.code == "align_round"


@pytest.mark.parametrize(("place", "code"), [((1, 0), "export_layer"), ((0, 2), "export_head")])
def test_places_that_are_not_there(place: tuple[int, int], code: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        links_at(sample_trace(), place, "predicts")
    assert caught.value.code == code


@settings(max_examples=30)
@given(st.integers(0, 2**31 - 1))
def test_every_place_against_plain_numpy(seed: int) -> None:
    """2 layers of 3 heads over pieces of 3 + 1 source and 2 + 1 target words, word by word in loops."""
    random = np.random.default_rng(seed)
    source = ("▁a", "b", "▁c", "d", "e", "▁f", "</s>")
    target = ("▁u", "v", "▁w", "</s>")
    cross = random.random((2, 3, 4, 7)).astype(np.float32)
    cross /= cross.sum(-1, keepdims=True)
    trace = cross_trace(cross, source, target, src_text="ab cde f", tgt_text="uv w")
    columns, rows = [[0, 1], [2, 3, 4], [5]], {"predicts": [[0, 1], [2]], "reads": [[1, 2], [3]]}
    sure, possible = {(0, 0), (2, 1)}, {(0, 0), (2, 1), (1, 0)}
    for rule in RULES:
        expected: dict[LayerHead, Any] = {}
        for layer in range(2):
            for head in range(3):
                expected[layer, head] = cross[layer, head].astype(float)
            expected[layer, None] = cross[layer].astype(float).mean(0)
        expected[None, None] = cross.astype(float).mean((0, 1))
        gold = Gold(tuple(sure), tuple(possible))
        found = {place: Aer.of(links_at(trace, place, rule), gold) for place, _ in all_patterns(trace)}
        assert set(found) == set(expected)
        for place, pattern in expected.items():
            links = set()
            for j, queries in enumerate(rows[rule]):
                sums = [np.mean([sum(pattern[t, s] for s in keys) for t in queries]) for keys in columns]
                links.add((int(np.argmax(sums)), j))
            assert links_at(trace, place, rule) == links
            rate = 1 - (len(links & sure) + len(links & possible)) / (len(links) + len(sure))
            assert found[place].rate == pytest.approx(rate)
        heads = aer_of_heads(trace, gold, rule)
        assert heads == {place: aer for place, aer in found.items() if place[1] is not None}


def test_a_corpus_is_listed_best_first_with_its_rule() -> None:
    tally = Tally()
    for _ in range(2):
        trace = sample_trace()
        tally.add(trace, GOLD, WordMap.of(trace, GOLD))
    rows = tally.rows()
    assert [(row.rule, row.place) for row in rows[:2]] == [("predicts", (0, 0)), ("reads", (0, 1))]
    assert rows[0].values() == ("predicts", 0, 0, 0.0, 1.0, 1.0, 6, 6, 6, 6)
    # Two heads, the layer's mean and the mean over all, under two rules.
    assert len(rows) == 8
    rates = [row.aer.rate for row in rows]
    assert all(rate is not None for rate in rates)
    assert rates == sorted(rates)  # type: ignore[type-var]
    assert {row.values()[1:3] for row in rows} == {(0, 0), (0, 1), (0, "mean"), ("mean", "mean")}
    alone = Tally(("reads",), (0, 1))
    alone.add(trace, GOLD, WordMap.of(trace, GOLD))
    assert [row.values()[:4] for row in alone.rows()] == [("reads", 0, 1, 0.0)]


def test_large_maps_are_merged_like_small_ones() -> None:
    words = WordMap(
        ("a", "b"),
        ("c", "d"),
        Shares.of_counts({0: {0: 1}, 1: {0: 1, 1: 3}}, (3, 2)),
        Shares.of_counts({0: {0: 1, 1: 1}, 1: {1: 5}}, (3, 2)),
    )
    keys = np.array([[1, 0], [0.25, 0.75], [0, 0]])
    pattern = np.stack([PREDICTING[:3, :3], READING[:3, :3]])
    rows = np.array([[1, 0, 0], [0.5, 0.5, 0]])
    assert words.weights(pattern, "predicts") == pytest.approx(rows @ pattern @ keys)
