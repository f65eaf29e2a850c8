"""Pieces of byte-level and WordPiece tokenizers, worked by hand: letters, words, punctuation, alignments."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.pieces import own_words, word_shares
from model.heads.head_scores import KeyTokens
from model.questions.two_sentences import common_words
from model.tokens.spelling import BYTE_LEVEL_ALPHABET, letters, piece_bytes, written
from model.tokens.words import TokenStyle, extra_piece, is_edge, is_special, word_spans
from model.trace.trace import AttentionKind
from tests.model.tokens.pieces_by_hand import byte_level, cut

BYTES, PARTS, SPM = TokenStyle.BYTE_LEVEL, TokenStyle.WORDPIECE, TokenStyle.SENTENCEPIECE


def words(style: TokenStyle, *pieces: str) -> list[tuple[str, ...]]:
    return [pieces[first:end] for first, end in word_spans(pieces, style)]


# Letters.


def test_the_alphabet_of_bytes_is_gpt2s() -> None:
    from tokenizers import pre_tokenizers

    assert set(BYTE_LEVEL_ALPHABET) == set(pre_tokenizers.ByteLevel.alphabet())
    assert sorted(BYTE_LEVEL_ALPHABET.values()) == list(range(256))
    known = {"Ġ": 0x20, "Ċ": 0x0A, "ł": 0xA0, "!": 0x21, "ÿ": 0xFF, "Ń": 0xAD}
    assert known.items() <= BYTE_LEVEL_ALPHABET.items()


def test_a_character_over_three_pieces() -> None:
    pieces = cut("a😀!", 2, 1, 1)
    assert len(pieces) == 4
    found = [(letter.text, letter.first, letter.end) for letter in letters(pieces, BYTES)]
    assert found == [("a", 0, 1), ("😀", 0, 4), ("!", 3, 4)]
    assert written(pieces, BYTES) == ["a😀", None, None, "!"]


def test_a_piece_with_a_character_and_a_part_of_the_next() -> None:
    assert written(cut("中文字", 4, 5), BYTES) == ["中文", "字"]
    assert written(cut("中文字", 4, 2), BYTES) == ["中文", None, "字"]
    assert written(cut("中文字", 2, 3), BYTES) == ["中", "文", "字"]


def test_bytes_that_make_no_character() -> None:
    assert written(("å", "a"), BYTES) == ["\ufffd", "a"]
    assert written((byte_level(" ") + "å",), BYTES) == ["▁\ufffd"]
    assert written(("<0xE5>", "▁a"), SPM) == ["\ufffd", "▁a"]


@given(st.text(max_size=20), st.lists(st.integers(1, 5), max_size=12))
def test_however_bytes_are_cut_nothing_is_lost(text: str, sizes: list[int]) -> None:
    pieces = cut(text, *sizes)
    spelled = "".join(part or "" for part in written(pieces, BYTES))
    assert spelled == text.replace(" ", "▁")
    assert b"".join(piece_bytes(piece, BYTES) or b"" for piece in pieces) == text.encode()


def test_added_tokens_are_text_as_they_stand() -> None:
    assert written(("<think>", "你好", "<|endoftext|>"), BYTES) == ["<think>", "你好", "<|endoftext|>"]
    assert piece_bytes("你好", BYTES) is None


def test_wordpiece_writes_words_without_spaces() -> None:
    pieces = ("[CLS]", "play", "##ing", "don", "'", "t", "##", "[MASK]", "小", "[SEP]")
    wanted = ["[CLS]", "▁play", "ing", "▁don", "▁'", "▁t", "▁##", "[MASK]", "▁小", "[SEP]"]
    assert written(pieces, PARTS) == wanted


# Specials.


@pytest.mark.parametrize(
    "piece",
    [
        *("[CLS]", "[SEP]", "[PAD]", "<s>", "</s>", "<pad>", "<bos>", "<eos>", "<|endoftext|>"),
        *("<|begin_of_text|>", "<|eot_id|>", "<|im_start|>", "<｜begin▁of▁sentence｜>"),
    ],
)
def test_edges_are_no_words_in_any_style(piece: str) -> None:
    assert is_edge(piece)
    assert all(is_special(piece, style) for style in TokenStyle)


@pytest.mark.parametrize(
    "piece", ["[MASK]", "[UNK]", "<mask>", "<unk>", "[unused7]", "<extra_id_0>", extra_piece(9)]
)
def test_marks_that_stand_for_a_word_are_no_edges(piece: str) -> None:
    assert not is_edge(piece)
    assert all(is_special(piece, style) for style in TokenStyle)


def test_text_that_looks_like_a_special_is_text() -> None:
    assert not is_special("<br>", BYTES)
    assert not is_special("[1]", BYTES)
    assert not is_special("[x", PARTS)
    assert not is_special("<0xE4>", SPM)
    assert not is_special("##s", PARTS)


# Words.


def test_words_of_bytes() -> None:
    pieces = ("<|endoftext|>", "The", "Ġlittle", "Ġg", "irl", ",", "Ġ", "Ġred", "Ċ", "It", "<|endoftext|>")
    assert words(BYTES, *pieces) == [
        ("<|endoftext|>",),
        ("The",),
        ("Ġlittle",),
        ("Ġg", "irl", ","),
        ("Ġ",),
        ("Ġred",),
        ("Ċ", "It"),
        ("<|endoftext|>",),
    ]


def test_chinese_in_bytes_is_a_word_a_character_and_never_parted() -> None:
    pieces = cut("我给他", 1, 2, 3)  # 我 in two pieces, 给, 他
    assert words(BYTES, *pieces) == [pieces[:2], pieces[2:3], pieces[3:]]
    across = cut("我给他小", 4, 5)  # a piece ends in 给, and the next goes on with it
    assert words(BYTES, *across) == [across[:2], across[2:]]
    assert words(BYTES, "Ġa", *cut("我", 2)) == [("Ġa",), cut("我", 2)]


def test_an_emoji_over_three_pieces_goes_on_with_its_word() -> None:
    smile = cut("😀", 1, 2)
    assert words(BYTES, "Ġhi", *smile, "Ġyou") == [("Ġhi", *smile), ("Ġyou",)]


def test_words_of_wordpiece() -> None:
    pieces = ("[CLS]", "she", "don", "'", "t", "play", "##ing", "[MASK]", ".", "小", "女", "[SEP]")
    alone = [(piece,) for piece in pieces if piece not in ("play", "##ing")]
    assert words(PARTS, *pieces) == [*alone[:5], ("play", "##ing"), *alone[5:]]


# Metrics of heads.


def keys(style: TokenStyle, *pieces: str, kind: AttentionKind = AttentionKind.ENCODER_SELF) -> KeyTokens:
    return KeyTokens.of(kind, pieces, style=style)


def test_punctuation_of_bytes() -> None:
    dots = cut("。", 1, 1)
    found = keys(BYTES, "The", "Ġ(", "),", "Ġ'", "s", "Ġ", "Ċ", *dots, "。a").punctuation
    assert found.tolist() == [False, True, True, True, False, False, False, *[True] * 3, False]
    assert keys(BYTES, *cut("。a", 2), ".").punctuation.tolist() == [True, False, True]


def test_punctuation_and_ends_of_wordpiece() -> None:
    found = keys(PARTS, "[CLS]", "don", "'", "t", "##.", "[MASK]", "[SEP]")
    assert found.punctuation.tolist() == [False, False, True, False, True, False, False]
    assert found.start.tolist() == [True] + [False] * 6
    assert found.end.tolist() == [False] * 6 + [True]


def test_the_start_of_a_decoder_is_one_whatever_its_name() -> None:
    found = keys(SPM, "</s>", "▁a", "</s>", kind=AttentionKind.DECODER_SELF)
    assert (found.start.tolist(), found.end.tolist()) == ([True, False, False], [False, False, True])
    ends = keys(BYTES, "The", "<|endoftext|>", kind=AttentionKind.DECODER_SELF)
    assert ends.end.tolist() == [False, True]


# Alignments.


def shares(style: TokenStyle, pieces: tuple[str, ...], text: str) -> list[list[float]]:
    rows: list[list[float]] = word_shares(pieces, text.split(), "source", style).dense().tolist()
    return rows


def test_bytes_in_words() -> None:
    assert shares(BYTES, ("<s>", "The", "Ġap", "ples", ".", "</s>"), "The apples .") == [
        [0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 0, 1], [0, 0, 0]
    ]  # fmt: skip
    smile = cut("a😀", 2, 1)
    assert shares(BYTES, smile, "a 😀") == [[1 / 2, 1 / 2], [0, 1], [0, 1]]
    assert shares(BYTES, cut("我给", 4, 1), "我 给") == [[1 / 2, 1 / 2], [0, 1], [0, 1]]
    assert shares(BYTES, ("a", "å", "Ġb"), "a\ufffd b") == [[1, 0], [1, 0], [0, 1]]


def test_wordpieces_in_words() -> None:
    pieces = ("[CLS]", "she", "play", "##ing", "don", "'", "t", "[UNK]", "[SEP]")
    rows = np.array(shares(PARTS, pieces, "She playing don't ß"))
    assert rows.argmax(1)[1:8].tolist() == [0, 1, 1, 2, 2, 2, 3]
    assert rows.sum(1).tolist() == [0, 1, 1, 1, 1, 1, 1, 1, 0]


def test_own_words() -> None:
    assert own_words("It plays.", ("[CLS]", "it", "play", "##s", ".", "[SEP]"), PARTS) == ("It", "plays.")
    assert own_words("我给他", ("<s>", *cut("我给他", 2, 1, 4), "</s>"), BYTES) == ("我", "给他")
    assert own_words("小女孩", ("[CLS]", "小", "女", "孩", "[SEP]"), PARTS) == ("小", "女", "孩")


# The same word in two sentences.


def test_common_words() -> None:
    first = ("[CLS]", "the", "old", "play", "##ing", ".", "[SEP]")
    second = ("[CLS]", "play", "##ing", "is", "old", ".", "[SEP]")
    found = [(word.pieces, word.places) for word in common_words((first, second), PARTS)]
    assert found == [(("old",), (2, 4)), (("play", "##ing"), (3, 1)), ((".",), (5, 5))]
    smile = cut(" 😀", 2, 1)
    ones = ("<|endoftext|>", "The", *smile, "Ġold", ".")
    others = ("<|endoftext|>", "An", "Ġold", ",", *smile)
    found = [(word.pieces, word.places) for word in common_words((ones, others), BYTES)]
    assert found == [(smile, (2, 4)), (("Ġold",), (5, 2))]
