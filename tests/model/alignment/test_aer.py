"""Alignment error rates against published and hand-worked examples."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.aer import Aer
from model.alignment.links import Gold, Link

SETS = st.frozensets(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=12)


def test_the_documented_example_of_nltk() -> None:
    # nltk.translate.metrics.alignment_error_rate: 0.6666666666666667.
    found = Aer.of({(0, 0), (1, 2), (2, 1)}, Gold(((0, 0), (1, 1), (2, 2))))
    assert found.rate == pytest.approx(0.6666666666666667)


def test_the_documented_sentence_of_nltk() -> None:
    # klein ist das Haus, the house is small: precision('0-2 1-3 2-1 3-3') of nltk.align is 0.75.
    reference = Gold(((0, 2), (1, 3), (2, 1), (3, 0)))
    found = Aer.of({(0, 2), (1, 3), (2, 1), (3, 3)}, reference)
    assert (found.precision, found.recall, found.rate) == (0.75, 0.75, 0.25)


def test_possible_links_by_hand() -> None:
    # S = {a, b}, P = {a, b, c}, A = {a, c, d}: 1 - (1 + 2) / (3 + 2).
    gold = Gold(((0, 0), (1, 1)), ((2, 2),))
    found = Aer.of({(0, 0), (2, 2), (3, 3)}, gold)
    assert found == Aer(links=3, sure=2, sure_found=1, allowed_found=2)
    assert found.rate == pytest.approx(0.4)
    assert found.precision == pytest.approx(2 / 3)
    assert found.recall == pytest.approx(1 / 2)


def test_any_links_between_sure_and_possible_ones_are_without_error() -> None:
    gold = Gold(((0, 0), (1, 1)), ((2, 2), (3, 3)))
    for links in ({(0, 0), (1, 1)}, {(0, 0), (1, 1), (2, 2)}, set(gold.allowed)):
        assert Aer.of(links, gold).rate == 0


def test_a_corpus_is_of_summed_counts_not_of_mean_rates() -> None:
    gold = Gold(((0, 0),))
    long = Aer.of({(i, i) for i in range(9)}, Gold(tuple((i, i) for i in range(9))))
    assert (long + Aer.of({(0, 1)}, gold)).rate == pytest.approx(1 - 18 / 20)


def test_nothing_has_no_rate() -> None:
    assert Aer.of(set(), Gold()).rate is None
    only_links = Aer.of({(0, 0)}, Gold())
    assert (only_links.rate, only_links.precision, only_links.recall) == (1, 0, None)
    no_links = Aer.of(set(), Gold(((0, 0),)))
    assert (no_links.rate, no_links.precision, no_links.recall) == (1, None, 0)


@given(SETS, SETS, SETS)
def test_the_definition(links: frozenset[Link], sure: frozenset[Link], more: frozenset[Link]) -> None:
    found = Aer.of(links, Gold(tuple(sure), tuple(more)))
    possible = sure | more
    if links or sure:
        expected = 1 - (len(links & sure) + len(links & possible)) / (len(links) + len(sure))
        assert found.rate == pytest.approx(expected)
        assert 0 <= expected <= 1
    else:
        assert found.rate is None
