"""Shares without their zeros are those with them."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.shares import Shares

SIZES = st.integers(1, 6)


@given(st.data(), SIZES, SIZES)
def test_what_is_asked_of_shares_is_what_a_table_says(data: st.DataObject, pieces: int, words: int) -> None:
    counts = data.draw(
        st.dictionaries(
            st.integers(0, pieces - 1),
            st.dictionaries(st.integers(0, words - 1), st.integers(1, 4), min_size=1),
        )
    )
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
