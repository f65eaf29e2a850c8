"""Pieces of byte-level and WordPiece tokenizers as people read them, worked by hand."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.tokens.words import TokenStyle
from model.trace.trace import AttentionKind, Trace
from tests.model.tiny_trace import make_trace
from tests.model.tokens.pieces_by_hand import byte_level, cut
from viewer.document.text.token_text import JOINT, TokenText, piece_line, piece_text, token_texts
from viewer.figures.difference.alignment import alignment, token_keys
from viewer.figures.map.axes import axes_of
from viewer.figures.map.whole_words import words_of

BYTES, PARTS, SPM = TokenStyle.BYTE_LEVEL, TokenStyle.WORDPIECE, TokenStyle.SENTENCEPIECE


def marked(style: TokenStyle, *pieces: str) -> list[str]:
    return [token.marked for token in token_texts(pieces, style=style)]


# Tokens on their own, and in a sentence.


def test_byte_level_pieces_become_their_characters() -> None:
    pieces = ("The", "Ġlittle", "Ġg", "irl", "Ġdidn", "'t", ",", "Ċ", "Ġ", "ĠĠx", byte_level("é"))
    shown = ["The", "little", "g", f"{JOINT}irl", "didn", f"{JOINT}'t", ",", "↵", "␣", "␣x", f"{JOINT}é"]
    assert marked(BYTES, *pieces) == shown
    assert piece_line(("The", "Ġg", "irl", "Ġ.", "<|endoftext|>"), style=BYTES) == f"The g{JOINT}irl ."


def test_an_emoji_over_three_pieces() -> None:
    three = token_texts(cut(" 😀", 2, 1, 2), style=BYTES)
    assert [(token.text, token.part, token.dim) for token in three] == [
        ("😀", 0, False),
        ("‹2/3›", 1, True),
        ("‹3/3›", 2, True),
    ]
    assert [token.spaced for token in three] == [True, False, False]


def test_chinese_in_bytes() -> None:
    assert marked(BYTES, *cut("我给他", 3, 1, 2)) == ["我", "给", "‹2/2›", "他"]
    tokens = token_texts(cut("我给他", 4, 5), style=BYTES)  # a character, and a part of the next
    assert [(token.text, token.part, token.continues) for token in tokens] == [
        ("我给", 0, False),
        ("他", 0, False),
    ]
    between = token_texts(cut("我给他", 4, 1, 1), style=BYTES)
    assert [token.text for token in between] == ["我给", "‹2/3›", "‹3/3›", "他"]


def test_bytes_that_make_no_character_are_named() -> None:
    assert piece_text("å", style=BYTES).text == "0xE5"
    assert piece_text("Ġå", style=BYTES) == TokenText("0xE5", "Ġå", spaced=True)
    assert piece_text(byte_level("a") + "åĭ", style=BYTES).text == "a 0xE5 0x8B"


def test_wordpiece() -> None:
    pieces = ("[CLS]", "don", "'", "t", "play", "##ing", "小", "女", "##s", "[MASK]", "##x", "[SEP]", "[PAD]")
    tokens = token_texts(pieces, style=PARTS)
    shown = ["[CLS]", "don", "'", "t", "play", "ing", "小", "女", "s", "[MASK]", "x", "[SEP]", "(padding)"]
    assert [token.text for token in tokens] == shown
    assert [token.raw for token in tokens if token.continues] == ["##ing"]
    assert [token.raw for token in tokens if token.special] == ["[CLS]", "[MASK]", "[SEP]", "[PAD]"]
    assert [token.raw for token in tokens if token.spaced] == ["don", "'", "t", "play", "小", "女"]
    assert piece_line(pieces, style=PARTS) == f"don ' t play{JOINT}ing 小 女 s [MASK] x"


@pytest.mark.parametrize(
    ("piece", "style", "shown"),
    [
        ("<|endoftext|>", BYTES, "(end)"),
        ("<|begin_of_text|>", BYTES, "(start)"),
        ("<|im_start|>", BYTES, "<|im_start|>"),
        ("<mask>", BYTES, "<mask>"),
        ("[UNK]", PARTS, "(unknown)"),
        ("[MASK]", PARTS, "[MASK]"),
        ("<extra 50270>", BYTES, "<extra 50270>"),
        ("<extra_id_0>", SPM, "<extra_id_0>"),
    ],
)
def test_specials(piece: str, style: TokenStyle, shown: str) -> None:
    token = piece_text(piece, style=style)
    assert (token.text, token.special) == (shown, True)
    assert token.dim is (piece not in ("<mask>", "[MASK]"))  # a hidden word is what one looks at


def test_text_that_looks_like_a_special_is_text() -> None:
    assert not piece_text("<br>", style=BYTES).special
    assert not piece_text("[1]", style=PARTS).special


def test_raw_pieces_stay_as_they_are() -> None:
    pieces = ("[CLS]", "play", "##ing")
    assert [token.text for token in token_texts(pieces, raw=True, style=PARTS)] == list(pieces)
    smile = cut(" 😀", 2, 3)
    assert [token.text for token in token_texts(smile, raw=True, style=BYTES)] == list(smile)


def test_what_a_decoder_starts_with_is_its_start_whatever_its_name() -> None:
    for start in ("<pad>", "</s>", "<|endoftext|>", "<s>"):
        assert token_texts((start, "▁a", "</s>"), starts=True)[0].text == "(start)"
    assert token_texts(("<pad>", "▁a"), starts=True, raw=True)[0].text == "<pad>"
    assert token_texts(("The", "Ġa"), style=BYTES, starts=True)[0].text == "The"
    assert token_texts(("<pad>", "▁a"))[0].text == "(padding)"


@given(st.text(alphabet="aZé7中给😀 ", max_size=12), st.lists(st.integers(1, 4), max_size=10))
def test_however_bytes_are_cut_each_letter_is_shown_once(text: str, sizes: list[int]) -> None:
    tokens = token_texts(cut(text, *sizes), style=BYTES)
    assert [token.raw for token in tokens] == list(cut(text, *sizes))
    shown = "".join(token.text for token in tokens if token.part == 0)
    assert shown.replace("␣", "") == text.replace(" ", "")


# Figures.


def foreign(style: TokenStyle, source: tuple[str, ...], out: tuple[str, ...], **more: Any) -> Trace:
    trace_in = (more.pop("start", "</s>"), *out[:-1])
    return make_trace(
        len(source),
        len(out),
        src_tokens=source,
        tgt_in_tokens=trace_in,
        tgt_out_tokens=out,
        extra={"token_style": str(style)},
        **more,
    )


def test_axes_of_a_byte_level_trace() -> None:
    smile = cut(" 😀", 3)
    trace = foreign(BYTES, ("<s>", "The", *smile, "</s>"), ("Le", *smile, "</s>"))
    axes = axes_of(trace, AttentionKind.CROSS, raw=False, hide=False)
    assert [label.token.text for label in axes.columns] == ["(start)", "The", "😀", "‹2/2›", "(end)"]
    reads = [label.token.text for label in axes.rows]
    predicts = [label.predicted.text for label in axes.rows if label.predicted]
    assert reads == ["(start)", "Le", "😀", "‹2/2›"]
    assert predicts == ["Le", "😀", "‹2/2›", "(end)"]
    keys = axes_of(trace, AttentionKind.DECODER_SELF, raw=False, hide=False).columns
    assert [label.token.text for label in keys] == reads
    hidden = axes_of(trace, AttentionKind.CROSS, raw=False, hide=True)
    assert [label.token.raw for label in hidden.columns] == ["The", *smile]


def test_whole_words_of_wordpiece() -> None:
    pieces = ("[CLS]", "she", "play", "##ing", "don", "'", "t", "小", "[SEP]")
    trace = make_trace(9, 0, kinds=("encoder_self",), src_tokens=pieces, extra={"token_style": "wordpiece"})
    kind = AttentionKind.ENCODER_SELF
    axes = axes_of(trace, kind, raw=False, hide=False)
    words = words_of(trace, kind, 0, axes.rows, axes.columns, raw=False)
    shown = ["[CLS]", "she", "playing", "don", "'", "t", "小", "[SEP]"]
    assert [label.token.text for label in words.columns] == shown
    assert words.column_spans[2] == (2, 4)
    pattern = trace.pattern(kind, 1, 0).astype(np.float64)
    merged = words.merge(trace.pattern(kind, 1, 0))
    assert merged.shape == (8, 8)
    np.testing.assert_allclose(merged[2, 1], pattern[2:4, 1].mean(), rtol=1e-6)
    np.testing.assert_allclose(merged[0, 2], pattern[0, 2:4].sum(), rtol=1e-6)


def test_whole_words_of_bytes() -> None:
    smile = cut("😀", 2, 1)
    out = ("Le", "Ġpet", "it", *smile, "Ġ", *cut("我给", 4), "</s>")
    trace = foreign(BYTES, ("The", "Ġa"), out)
    axes = axes_of(trace, AttentionKind.CROSS, raw=False, hide=False)
    words = words_of(trace, AttentionKind.CROSS, len(out) - 1, axes.rows, axes.columns, raw=False)
    assert [label.predicted.text for label in words.rows if label.predicted] == [
        "Le",
        "petit😀",
        "我给",
        "(end)",
    ]
    assert [label.token.text for label in words.rows] == ["(start)", "Le", "petit😀", "我给"]
    assert words.row_spans == ((0, 1), (1, 2), (2, 7), (7, 10))
    raw = words_of(trace, AttentionKind.CROSS, len(out) - 1, *_raw(trace), raw=True)
    assert [label.predicted.text for label in raw.rows if label.predicted][1] == "Ġpetit" + "".join(smile)


def _raw(trace: Trace) -> tuple[Any, Any]:
    axes = axes_of(trace, AttentionKind.CROSS, raw=True, hide=False)
    return axes.rows, axes.columns


# Comparing runs of two models.


def test_tokens_of_three_tokenizers_are_the_same_by_their_text() -> None:
    bytes_ = token_keys(("The", "Ġcat", byte_level("é"), "</s>"), (), by_id=False, style=BYTES)
    parts = token_keys(("the", "cat", "##é", "</s>"), (), by_id=False, style=PARTS)
    marks = token_keys(("▁The", "▁cat", "é", "</s>"), (), by_id=False)
    assert bytes_ == parts == marks == ["the", "cat", "é", "</s>"]


def test_parts_of_characters_are_told_apart_by_their_bytes() -> None:
    first, second = token_keys(cut("我们", 2, 1, 2), (), by_id=False, style=BYTES)[::2]
    assert first != second


def test_traces_of_two_tokenizers_align() -> None:
    one = foreign(BYTES, ("The", "Ġcat", "</s>"), ("Le", "Ġchat", "</s>"))
    other = foreign(
        SPM, ("▁the", "▁old", "▁cat", "</s>"), ("▁Le", "▁vieux", "▁chat", "</s>"), model_sha256=""
    )
    pairs = alignment(one, other).source.pairs
    assert pairs == ((0, 0), (None, 1), (1, 2), (2, 3))
