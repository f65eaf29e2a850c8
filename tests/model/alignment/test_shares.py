"""Shares without their zeros are those with them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.shares import Shares


@given(st.data(), st.integers(0, 6), st.integers(0, 6))
def test_what_is_asked_of_shares_is_what_a_table_says(data: st.DataObject, pieces: int, words: int) -> None:
    places = st.sampled_from(range(pieces)), st.sampled_from(range(words))
    of_piece = st.dictionaries(places[1], st.integers(1, 4), min_size=1) if words else st.nothing()
    counts = data.draw(st.dictionaries(places[0], of_piece)) if pieces and words else {}
    table = np.zeros((pieces, words))
    for piece, of_piece in counts.items():
        for word, count in of_piece.items():
            table[piece, word] = count / sum(of_piece.values())
    found = Shares.of_counts(counts, (pieces, words))
    assert np.array_equal(found.dense(), table)
    for piece, row in enumerate(table):
        assert found.main_word(piece) == (int(row.argmax()) if row.any() else None)
    of_words, values = found.by_word
    assert len(of_words) == len(values) == words
    for word, column in enumerate(table.T):
        assert of_words[word].tolist() == np.flatnonzero(column).tolist()
        assert values[word].tolist() == column[column > 0].tolist()
