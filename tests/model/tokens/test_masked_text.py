from __future__ import annotations

import pytest

from model.tokens.masked_text import fill_mask, hide_word, token_places
from model.tokens.words import TokenStyle

BERT, ROBERTA, XLMR = TokenStyle.WORDPIECE, TokenStyle.BYTE_LEVEL, TokenStyle.SENTENCEPIECE


@pytest.mark.parametrize(
    ("text", "which", "piece", "style", "wanted"),
    [
        ("The [MASK] sat.", 0, "cat", BERT, "The cat sat."),
        ("a [MASK]  [MASK] b", 1, "dog", BERT, "a [MASK]  dog b"),
        ("walk [MASK] home", 0, "##ing", BERT, "walking home"),
        ("the[MASK]s", 0, "cat", BERT, "the cat s"),  # BERT read three words there
        ("(the [MASK])", 0, "cat", BERT, "(the cat)"),
        ("[MASK]", 0, "##ing", BERT, "ing"),
        ("no mask", 0, "cat", BERT, "no mask"),
        ("a [MASK]", 1, "cat", BERT, "a [MASK]"),
        ("on the<mask>.", 0, "Ġmat", ROBERTA, "on the mat."),
        ("on the <mask>.", 0, "Ġmat", ROBERTA, "on the mat."),
        ("Where is it <mask>", 0, "?", ROBERTA, "Where is it?"),
        ("un <mask>s", 0, "ĠcafÃ©", ROBERTA, "un cafés"),
        ("<mask>", 0, "ĠThe", ROBERTA, "The"),
        ("a <mask>", 0, "</s>", ROBERTA, "a </s>"),
        ("ein <mask>es Wort", 0, "▁lang", XLMR, "ein langes Wort"),
        ("Wort <mask>", 0, "es", XLMR, "Wortes"),
    ],
)
def test_a_word_stands_as_its_piece_says(
    text: str, which: int, piece: str, style: TokenStyle, wanted: str
) -> None:
    mask = "[MASK]" if style is BERT else "<mask>"
    assert fill_mask(text, mask, which, piece, style) == wanted
    assert fill_mask(text, "", which, piece, style) == text


TEXT = "Größe of a naïve CAFÉ, didn't: 東京へ [SEP] [MASK] ran"
PIECES = (
    "[CLS]", "große", "of", "a", "na", "##ive", "cafe", ",", "didn", "'", "t", ":", "東", "[UNK]", "へ",
    "[SEP]", "[MASK]", "ran", "[SEP]",
)  # fmt: skip


def test_every_token_is_found_where_it_is_written() -> None:
    found = [None if span is None else TEXT[slice(*span)] for span in token_places(TEXT, PIECES, BERT)]
    assert found == [
        None, "Größe", "of", "a", "na", "ïve", "CAFÉ", ",", "didn", "'", "t", ":", "東", None, "へ",
        "[SEP]", "[MASK]", "ran", None,
    ]  # fmt: skip


def test_tokens_of_bytes_and_of_marks_are_found() -> None:
    text = "A café's mat"
    pieces = ("<s>", "A", "ĠcafÃ©", "'s", "Ġmat", "</s>")
    assert token_places(text, pieces, ROBERTA) == (None, (0, 1), (2, 6), (6, 8), (9, 12), None)
    # half of a character is no letter that could be found
    assert token_places("é a", ("Ã", "©", "Ġa"), ROBERTA)[2] == (2, 3)
    assert token_places(text, ("▁A", "▁", "caf", "é", "'", "s", "▁mat"), XLMR) == (
        (0, 1), None, (2, 5), (5, 6), (6, 7), (7, 8), (9, 12),
    )  # fmt: skip


def test_nothing_is_found_where_it_is_not() -> None:
    assert token_places("one two", ("two", "one"), BERT) == (
        None,
        (0, 3),
    )  # over letters only behind a lost one
    assert token_places("one two", ("[UNK]", "two"), BERT) == (None, (4, 7))
    assert token_places("one two", ("one", "two", "one"), BERT) == ((0, 3), (4, 7), None)
    assert token_places("", ("[CLS]", "[SEP]"), BERT) == (None, None)


@pytest.mark.parametrize(
    ("piece", "wanted", "first"),
    [
        (1, "[MASK] of a naïve CAFÉ, didn't: 東京へ [SEP] [MASK] ran", 1),
        (4, "Größe of a [MASK] CAFÉ, didn't: 東京へ [SEP] [MASK] ran", 4),
        (5, "Größe of a [MASK] CAFÉ, didn't: 東京へ [SEP] [MASK] ran", 4),
        (7, "Größe of a naïve CAFÉ[MASK] didn't: 東京へ [SEP] [MASK] ran", 7),
        (12, "Größe of a naïve CAFÉ, didn't: [MASK]京へ [SEP] [MASK] ran", 12),
        (17, "Größe of a naïve CAFÉ, didn't: 東京へ [SEP] [MASK] [MASK]", 17),
    ],
)
def test_a_whole_word_is_hidden(piece: int, wanted: str, first: int) -> None:
    assert hide_word(TEXT, PIECES, piece, "[MASK]", BERT) == (wanted, first)
    assert hide_word(TEXT, PIECES, piece, "", BERT) is None


@pytest.mark.parametrize("piece", [0, 13, 15, 16, 18])
def test_what_is_no_word_is_not_hidden(piece: int) -> None:
    assert hide_word(TEXT, PIECES, piece, "[MASK]", BERT) is None
