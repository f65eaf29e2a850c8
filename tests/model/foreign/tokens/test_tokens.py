"""Tokenizers of `transformers` behind our interface: its own answers, and cases worked by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.foreign.tokens.tokens import ForeignTokenizer
from model.tokens.token_style import TokenStyle
from model.tokens.tokenizer import Tokenizer
from tests.foreign_assets import TEXTS, byte_level, llama_like, quiet, unigram, wordpiece


def bart() -> Any:
    return byte_level(bart=True)


MAKERS = {"bert": wordpiece, "gpt2": byte_level, "bart": bart, "llama": llama_like, "t5": unigram}
LINES = (
    *TEXTS,
    *(
        "",
        " ",
        "  two  spaces ",
        "tab\tline\nend",
        "3,14 % of 1998",
        "“quoted” – yes…",
        "naïve e\u0301",
        "ﬁ ＡＢ",
    ),
    *(
        "我给了他一个苹果。",
        "東京へ行く",
        "😀 👩‍👩‍👧",
        "\u200b\u00a0\u3000",
        "[SEP] [MASK] <s> </s> <|endoftext|>",
        "x\x00y",
    ),
)


def wrapped(name: str, *, more: int = 3) -> ForeignTokenizer:
    tokenizer = MAKERS[name]()
    ids = {"bert": (-1, -1), "gpt2": (0, 0), "bart": (2, 2), "llama": (1, 2), "t5": (0, 1)}[name]
    return ForeignTokenizer(tokenizer, start_id=ids[0], end_id=ids[1], vocab_size=len(tokenizer) + more)


@pytest.mark.parametrize("name", MAKERS)
def test_ids_and_pieces_are_the_tokenizers_own(name: str) -> None:
    subject: Tokenizer = wrapped(name)
    reference = MAKERS[name]()
    for line in LINES:
        plain = reference(line, add_special_tokens=False)["input_ids"]
        assert subject.encode(line) == plain
        assert subject.source_ids(line) == reference(line)["input_ids"]
        assert subject.pieces(line) == reference.convert_ids_to_tokens(plain)
        text = reference.decode(
            [i for i in plain if i not in reference.all_special_ids], clean_up_tokenization_spaces=False
        )
        assert subject.decode(reference(line)["input_ids"]) == text


@settings(max_examples=60, deadline=None)
@given(text=st.text())
@pytest.mark.parametrize("name", ["gpt2", "bart", "llama"])
def test_spelling_in_bytes_loses_nothing(name: str, text: str) -> None:
    subject = wrapped(name)
    if name == "llama":  # it puts a space in front, and takes one away
        text = text.replace("\u2581", "").lstrip(" ")
    assert subject.has_bytes
    assert subject.decode(subject.encode(text)) == text
    assert len(subject.pieces(text)) == len(subject.encode(text))


def test_styles() -> None:
    styles = {name: wrapped(name).style for name in MAKERS}
    assert styles == {
        "bert": TokenStyle.WORDPIECE,
        "gpt2": TokenStyle.BYTE_LEVEL,
        "bart": TokenStyle.BYTE_LEVEL,
        "llama": TokenStyle.SENTENCEPIECE,
        "t5": TokenStyle.SENTENCEPIECE,
    }
    assert not wrapped("bert").has_bytes
    assert not wrapped("t5").has_bytes


def test_slow_tokenizers_have_styles_too(tmp_path: Any) -> None:
    from transformers import MarianTokenizer

    from tests.marian_assets import write_tokenizers

    sizes = write_tokenizers(tmp_path)
    with quiet():
        slow = MarianTokenizer.from_pretrained(tmp_path)
    subject = ForeignTokenizer(slow, start_id=sizes[0] - 1, end_id=0, vocab_size=sizes[0] + 2)
    assert subject.style is TokenStyle.SENTENCEPIECE
    assert subject.source_ids("I like tea.") == slow("I like tea.")["input_ids"]
    assert subject.piece(sizes[0] + 1) == f"<extra {sizes[0] + 1}>"
    assert subject.decode(subject.source_ids("I like tea.")) == "I like tea."


@pytest.mark.parametrize("name", MAKERS)
def test_specials_are_those_of_the_tokenizer(name: str) -> None:
    subject, reference = wrapped(name), MAKERS[name]()
    special = {i for i in range(subject.vocab_size) if subject.is_special(i)}
    assert special == {*reference.all_special_ids, *range(len(reference), len(reference) + 3)}
    assert subject.pad_id == (-1 if reference.pad_token_id is None else reference.pad_token_id)


def test_roles() -> None:
    gpt2, bart, t5 = wrapped("gpt2"), wrapped("bart"), wrapped("t5")
    assert (gpt2.start_id, gpt2.end_id, gpt2.pad_id, gpt2.unk_id) == (0, 0, -1, -1)
    assert (bart.start_id, bart.end_id, bart.pad_id, bart.unk_id) == (2, 2, 1, 3)
    assert (t5.start_id, t5.end_id, t5.pad_id, t5.unk_id) == (0, 1, 0, 2)


def test_a_row_without_a_piece_has_a_name() -> None:
    subject = wrapped("gpt2")
    last = subject.vocab_size - 1
    assert subject.piece(last) == f"<extra {last}>"
    assert subject.is_special(last)
    assert not subject.is_byte(last)
    assert subject.decode([*subject.encode("The cat"), last]) == "The cat"
    for outside in (-1, subject.vocab_size):
        with pytest.raises(IndexError):
            subject.piece(outside)


def test_a_piece_that_the_model_has_no_row_for_is_said() -> None:
    subject = wrapped("gpt2", more=-300)
    with pytest.raises(HeadscopeError) as caught:
        subject.encode("The cat")
    assert caught.value.code == "token_id"


def names(subject: ForeignTokenizer, ids: list[int]) -> list[str]:
    return [subject.piece(token_id) for token_id in ids]


def test_the_language_to_write_is_typed_or_set_in_the_folder() -> None:
    """The oracle is the tokenizer's own vocabulary."""
    from transformers import MBart50Tokenizer

    pieces = [*("<s>", "<pad>", "</s>", "<unk>"), "▁", *("▁" + letter for letter in "abc"), *"abc"]
    vocab = [(piece, -float(place)) for place, piece in enumerate(pieces)]
    with quiet():
        for written in (None, "fr_XX"):
            tokenizer = MBart50Tokenizer(vocab=vocab, src_lang="en_XX", tgt_lang=written)
            subject = ForeignTokenizer(tokenizer, start_id=2, end_id=2, vocab_size=len(tokenizer) + 3)
            set_to = [] if written is None else [written]
            assert names(subject, subject.target_ids("ab")) == [*set_to, "▁a", "b", "</s>"]
            assert names(subject, subject.target_ids("de_DE ab")) == ["de_DE", "▁a", "b", "</s>"]
            assert names(subject, subject.encode_continuation("de_DE", first=True)) == ["de_DE"]


def test_targets_are_as_the_model_produces_them() -> None:
    bart, t5, llama, gpt2 = (wrapped(name) for name in ("bart", "t5", "llama", "gpt2"))
    assert names(bart, bart.target_ids("The"))[::2] == ["<s>", "</s>"]
    assert names(t5, t5.target_ids("The"))[-1] == "</s>"
    assert names(llama, llama.target_ids("The")) == ["▁The", "</s>"]
    assert names(gpt2, gpt2.target_ids("The")) == ["The", "<|endoftext|>"]


def test_bytes() -> None:
    gpt2, llama = wrapped("gpt2"), wrapped("llama")
    ids = gpt2.encode("a😀é")
    assert [gpt2.is_byte(i) for i in ids] == [len(gpt2.decode([i]).strip("\ufffd")) == 0 for i in ids]
    assert [llama.is_byte(i) for i in llama.encode("😀")] == [False, True, True, True, True]


# What goes on behind other pieces.


@pytest.mark.parametrize(
    ("name", "typed", "wanted"),
    [
        ("gpt2", "red", "Ġred"),
        ("gpt2", "Ġred", "Ġred"),
        ("gpt2", "·at", "at"),
        ("gpt2", "<|endoftext|>", "<|endoftext|>"),
        ("llama", "The", "▁The"),
        ("llama", "▁The", "▁The"),
        ("llama", "·at", "at"),
        ("llama", "</s>", "</s>"),
        ("bert", "the", "the"),
        ("bert", "##n", "##n"),
        ("bert", "·n", "##n"),
        ("t5", "·t", "t"),
        ("t5", "·", ""),
    ],
)
def test_a_continuation(name: str, typed: str, wanted: str) -> None:
    subject = wrapped(name)
    got = " ".join(names(subject, subject.encode_continuation(typed)))
    assert got == wanted


@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.parametrize("text", ["at", "les", "gave", "42", "é"])
def test_a_joined_text_goes_on_with_the_word_before_it(name: str, text: str) -> None:
    subject = wrapped(name)
    before = subject.encode("the")
    joined = subject.encode_continuation("·" + text)
    apart = subject.encode_continuation(text)
    if subject.unk_id in (*joined, *apart):
        return
    spelled = subject.decode([*before, *joined])
    assert spelled.casefold().replace("é", "e") == ("the" + text).replace("é", "e")
    assert subject.decode([*before, *apart]).casefold().replace("é", "e") == ("the " + text).replace("é", "e")


def test_what_a_target_begins_with() -> None:
    bart, t5 = wrapped("bart"), wrapped("t5")
    assert names(bart, bart.encode_continuation("The", first=True)) == ["<s>", "The"]
    assert names(bart, bart.encode_continuation("The")) != ["The"]
    assert t5.encode_continuation("The", first=True) == t5.encode("The") == t5.encode_continuation("The")
    assert bart.encode_continuation("", first=True) == []


def test_a_script_without_spaces_gets_none() -> None:
    gpt2 = wrapped("gpt2")
    assert gpt2.encode_continuation("小女孩") == gpt2.encode("小女孩")


# Pairs of sentences.


def test_a_typed_separator_makes_a_pair() -> None:
    subject, reference = wrapped("bert"), wordpiece()
    ids, segments = subject.pair("The cat sat. [SEP] It goes.")
    wanted = reference("The cat sat.", "It goes.", return_token_type_ids=True)
    assert (ids, segments) == (wanted["input_ids"], wanted["token_type_ids"])
    assert names(subject, ids)[0] == "[CLS]"
    assert segments[0] == 0
    assert segments[-1] == 1
    assert sum(segments) == len(subject.encode("It goes.")) + 1


@pytest.mark.parametrize("text", ["The cat sat.", "The cat sat. [SEP]", "The cat sat. [SEP]  "])
def test_one_sentence_is_no_pair(text: str) -> None:
    ids, segments = wrapped("bert").pair(text)
    assert ids == wordpiece()("The cat sat.")["input_ids"]
    assert set(segments) == {0}


def test_a_tokenizer_without_segments_still_knows_the_sentences() -> None:
    subject = wrapped("bart")
    ids, segments = subject.pair("The cat. </s> It goes.")
    assert ids == bart()("The cat.", "It goes.")["input_ids"]
    first = len(subject.encode("The cat."))
    assert segments == [0] * (first + 3) + [1] * (len(subject.encode("It goes.")) + 1)
    assert names(subject, ids).count("</s>") == 3
