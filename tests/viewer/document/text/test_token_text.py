from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.tokens.spelling import BYTE_LEVEL_CHARACTERS
from model.tokens.token_style import TokenStyle
from model.tokens.words import is_edge
from viewer.document.text import token_text
from viewer.document.text.token_text import JOINT, TokenText, piece_line, piece_text, token_texts

BYTES = st.integers(0, 255).map(lambda value: f"<0x{value:02X}>")
PIECES = st.lists(
    st.one_of(
        BYTES,
        st.sampled_from(["<s>", "</s>", "<pad>", "<unk>", "▁", "▁▁", "▁the", "", "<0x", "<0xZZ>"]),
        st.text(max_size=4),
    ),
    max_size=12,
)


def texts(*pieces: str) -> list[str]:
    return [token.text for token in token_texts(pieces)]


@given(PIECES, st.booleans())
def test_any_pieces_become_as_many_visible_texts(pieces: list[str], raw: bool) -> None:
    tokens = token_texts(pieces, raw=raw)
    assert [token.raw for token in tokens] == pieces
    for token in tokens:
        assert token.text.strip()
        assert "\ufffd" not in token.text
        assert all(character.isprintable() or character == "\u200d" for character in token.text) or any(
            not character.isprintable() for character in token.raw
        )


@given(st.text(alphabet=st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8))
def test_bytes_spell_the_characters_they_encode(text: str) -> None:
    pieces = [f"<0x{byte:02X}>" for byte in text.encode()]
    tokens = token_texts(pieces)
    assert len(tokens) == len(pieces)
    starts = [token for token in tokens if token.part == 0]
    assert len(starts) == len(text)
    for character, token in zip(text, starts, strict=True):
        if character.isalnum():
            assert token.text == character


SPELLED = st.text(alphabet="é给😀a\u0301 ", min_size=1, max_size=3).map(lambda text: list(text.encode()))
STRAY = st.lists(st.integers(0, 255), max_size=3)
ANY = {
    TokenStyle.SENTENCEPIECE: st.lists(
        st.one_of(
            st.one_of(SPELLED, STRAY).map(lambda data: [f"<0x{value:02X}>" for value in data]),
            st.sampled_from([["▁the"], ["s"], ["'"], ["</s>"], [""], ["▁"]]),
        ),
        max_size=10,
    ).map(lambda parts: list(itertools.chain.from_iterable(parts))),
    TokenStyle.BYTE_LEVEL: st.lists(
        st.one_of(SPELLED, STRAY).map(lambda data: "".join(BYTE_LEVEL_CHARACTERS[value] for value in data)),
        max_size=16,
    ),
    TokenStyle.WORDPIECE: st.lists(
        st.sampled_from(["the", "##s", "##", "[SEP]", "[MASK]", "'", "", "给"]), max_size=16
    ),
}


@settings(max_examples=300, deadline=None)
@given(
    st.sampled_from(list(ANY)).flatmap(lambda style: st.tuples(st.just(style), ANY[style])),
    st.lists(st.integers(1, 6), max_size=30),
)
def test_what_goes_on_is_read_as_if_it_had_always_been_there(
    written: tuple[TokenStyle, list[str]], steps: list[int]
) -> None:
    style, pieces = written
    ends = [end for end in itertools.accumulate(steps) if end < len(pieces)]
    apart = []
    for end in (*ends, len(pieces)):
        forget()
        apart.append(token_texts(pieces[:end], style=style))
    forget()
    assert [token_texts(pieces[:end], style=style) for end in (*ends, len(pieces))] == apart


def forget() -> None:
    """Nothing was read yet."""
    token_text._sentence.cache_clear()
    token_text._read.cache_clear()
    token_text._lately.clear()


def test_word_marks_go_and_continuations_are_marked() -> None:
    tokens = token_texts(["<s>", "▁red", "▁app", "les", ".", "</s>"])
    assert [token.text for token in tokens] == ["(start)", "red", "app", "les", ".", "(end)"]
    assert [token.continues for token in tokens] == [False, False, False, True, False, False]
    assert tokens[3].marked == f"{JOINT}les"
    assert [token.special for token in tokens] == [True, False, False, False, False, True]
    assert piece_line(["▁red", "▁app", "les", ".", "</s>"]) == f"red app{JOINT}les ."


def test_the_first_piece_and_chinese_pieces_continue_nothing() -> None:
    assert not any(token.continues for token in token_texts(["The", "▁girl"]))
    assert not any(token.continues for token in token_texts(["小", "女孩", "▁给", "苹果", "a"]))
    assert not token_texts(["<s>", "girl"])[1].continues
    assert not any(token.continues for token in token_texts(["▁He", ",", '"', "▁'", "▁-", "!"]))


def test_apostrophe_and_hyphen_belong_to_their_word() -> None:
    tokens = token_texts(["▁don", "'", "t", "▁qu", "’", "elle", "▁red", "-", "hot", "."])

    joined = [token.continues for token in tokens]
    assert joined == [False, True, True, False, True, True, False, True, True, False]


def test_a_character_of_three_bytes_stands_on_its_first_byte() -> None:
    tokens = token_texts(["<0xE4>", "<0xBD>", "<0xA0>", "好"])
    assert [token.text for token in tokens] == ["你", "‹2/3›", "‹3/3›", "好"]
    assert [token.part for token in tokens] == [0, 1, 2, 0]
    assert [token.dim for token in tokens] == [False, True, True, False]


@pytest.mark.parametrize(
    ("pieces", "shown"),
    [
        (["<0xE4>", "<0xBD>"], ["0xE4", "0xBD"]),
        (["<0xFF>"], ["0xFF"]),
        (["<0xE4>", "a", "<0xBD>", "<0xA0>"], ["0xE4", "a", "0xBD", "0xA0"]),
        (["<0x0A>"], ["↵"]),
        (["<0x20>"], ["␣"]),
        (["<0xEF>", "<0xBF>", "<0xBD>"], ["U+FFFD", "‹2/3›", "‹3/3›"]),
    ],
)
def test_bytes_that_spell_nothing_visible_are_named(pieces: list[str], shown: list[str]) -> None:
    assert texts(*pieces) == shown


@pytest.mark.parametrize(
    ("piece", "shown"),
    [
        ("▁", "␣"),
        ("▁▁", "␣"),
        ("a▁b", "a␣b"),
        ("patch 3", "patch 3"),  # a name from elsewhere
        ("a  b", "a␣␣b"),
        ("▁the", "the"),
        ("", "…"),
        ("\t", "⇥"),
        ("\u00a0", "␣"),
        ("\u200b", "U+200B"),
        ("a\u202eb", "aU+202Eb"),
        ("\u0301", "◌\u0301"),
        ("\x00", "U+0000"),
        ("👩\u200d🔬", "👩\u200d🔬"),
        ("<pad>", "(padding)"),
        ("<unk>", "(unknown)"),
    ],
)
def test_one_piece(piece: str, shown: str) -> None:
    assert piece_text(piece).text == shown


def test_raw_pieces_stay_as_the_tokenizer_writes_them() -> None:
    tokens = token_texts(["<s>", "▁app", "les", "<0xE4>"], raw=True)
    assert [token.text for token in tokens] == ["<s>", "▁app", "les", "<0xE4>"]
    assert tokens[0].special
    assert tokens[1] == TokenText("▁app", "▁app", spaced=True)


def test_unknown_words_are_no_edges() -> None:
    assert [is_edge(piece) for piece in ("<s>", "</s>", "<pad>", "<unk>", "s")] == [True] * 3 + [False] * 2
