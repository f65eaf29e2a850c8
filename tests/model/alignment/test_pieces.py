"""Pieces and words that others split in their own way."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.pieces import own_words, word_shares
from model.errors import HeadscopeError


def shares(pieces: str | list[str], words: str) -> list[list[float]]:
    raw = pieces.split() if isinstance(pieces, str) else pieces
    rows: list[list[float]] = word_shares(raw, words.split(), "source").dense().tolist()
    return rows


def test_pieces_of_words_between_spaces() -> None:
    assert shares("▁red ▁app les . </s>", "red apples.") == [[1, 0], [0, 1], [0, 1], [0, 1], [0, 0]]


def test_a_mark_that_is_a_word_of_its_own() -> None:
    assert shares("▁red ▁app les . </s>", "red apples .") == [
        [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]
    ]  # fmt: skip


def test_a_piece_in_two_words_is_divided_by_its_letters() -> None:
    assert shares(["▁l'eau", "</s>"], "l' eau") == [[2 / 5, 3 / 5], [0, 0]]
    assert shares("<s> ▁tea.", "tea .") == [[0, 0], [3 / 4, 1 / 4]]


def test_two_words_of_the_pieces_are_one_of_the_links() -> None:
    assert shares("▁New ▁York", "NewYork") == [[1], [1]]


def test_bytes_of_a_character_belong_to_its_word() -> None:
    raw = ["▁", "<0xE4>", "<0xBD>", "<0xA0>", "好", "<0xF0>", "<0x9F>", "<0x98>", "<0x80>"]
    assert shares(raw, "你 好 😀") == [[1, 0, 0]] * 4 + [[0, 1, 0]] + [[0, 0, 1]] * 4


def test_bytes_that_make_no_character_are_what_is_shown_for_them() -> None:
    assert shares(["▁a", "<0xE4>", "<0xBD>"], "a\ufffd") == [[1], [1], [1]]
    assert shares(["▁a", "<0xFF>", "▁b"], "a\ufffd b") == [[1, 0], [1, 0], [0, 1]]


def test_a_space_alone_goes_with_the_word_that_follows_it() -> None:
    assert shares(["▁a", "▁", "b", "▁"], "a b") == [[1, 0], [0, 1], [0, 1], [0, 1]]


def test_unknown_pieces_stand_for_what_the_others_leave() -> None:
    assert shares("▁a <unk> ▁c </s>", "a ßß c") == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]]
    assert shares("▁a <unk>", "a xy z") == [[1, 0, 0], [0, 2 / 3, 1 / 3]]
    assert shares("<unk> ▁aba <unk>", "xaba y") == [[1, 0], [1, 0], [0, 1]]


def test_an_unknown_piece_that_the_text_leaves_out_goes_with_the_word_that_follows() -> None:
    assert shares("▁a <unk> ▁c </s>", "a c") == [[1, 0], [0, 1], [0, 1], [0, 0]]
    assert shares("▁a <unk>", "a") == [[1], [1]]


def test_tokenizers_normalise_and_fold() -> None:
    assert shares("▁caf é ... ▁fi", "Cafe\u0301… \ufb01") == [[1, 0], [1, 0], [1, 0], [0, 1]]
    assert shares("▁c'est ▁ici", "c&apos;est ici") == [[1, 0], [0, 1]]


@pytest.mark.parametrize(
    ("pieces", "words"),
    [("▁red ▁apples", "red apple"), ("▁red", "red apple"), ("▁a <unk>", "b"), ("▁a", ""), ("</s>", "a")],
)
@pytest.mark.parametrize("side", ["source", "target"])
def test_another_sentence_is_refused(pieces: str, words: str, side: str) -> None:
    with pytest.raises(HeadscopeError) as caught:
        word_shares(pieces.split(), words.split(), side)  # type: ignore[arg-type]
    assert caught.value.code == f"align_{side}_differs"


def test_the_message_shows_where_they_part() -> None:
    with pytest.raises(HeadscopeError) as caught:
        word_shares(["▁" + "x" * 40 + "green"], ["x" * 40 + "red"], "source")
    assert caught.value.values == {"text": "…" + "x" * 12 + "green", "words": "…" + "x" * 12 + "red"}


def test_own_words() -> None:
    assert own_words("red apples.", ["▁red", "▁app", "les", ".", "</s>"]) == ("red", "apples.")
    assert own_words("我爱你。", ["▁我", "爱", "你", "。", "</s>"]) == ("我", "爱", "你", "。")
    assert own_words("我有iPhone 5", ["▁我有", "i", "Phone", "▁5", "</s>"]) == ("我有", "iPhone", "5")
    assert own_words("", []) == ()


def letters(text: str) -> int:
    """Folded, as they are compared: ß is ss."""
    return len(text.casefold())


WORDS = st.lists(st.text("abcdß中.'", min_size=1, max_size=6), min_size=1, max_size=6)


@given(WORDS, st.data())
def test_any_cut_of_a_text_maps_onto_any_other(words: list[str], data: st.DataObject) -> None:
    """Each piece's shares sum to 1, and each word gets as many letters as it has."""
    text = "".join(words)
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text)), max_size=8)) | {len(text)})
    pieces = [text[a:b] for a, b in zip([0, *cuts], cuts)]
    found = word_shares(["<s>", *pieces, "</s>"], words, "source").dense()
    sizes = np.array([letters(piece) for piece in pieces])
    assert found[[0, -1]].sum() == 0
    assert found[1:-1].sum(1) == pytest.approx(1)
    assert sizes @ found[1:-1] == pytest.approx([letters(word) for word in words])
