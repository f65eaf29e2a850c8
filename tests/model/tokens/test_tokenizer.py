from __future__ import annotations

import os
import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.tokens.tokenizer import SentencePieceTokenizer, Tokenizer, train_tokenizer
from model.tokens.tokenizer_file import parse_tokenizer_file
from model.tokens.tokenizer_training import sample

SENTENCES = [
    "The little girl gave her brother a red apple.",
    "The little boy gave his sister a green pear.",
    "Where is the apple that the girl gave him?",
    "  Two spaces  in front  and between.",
    "La petite fille a donné une pomme à son frère.",
    "我给了他一个苹果。他给了我一个梨。",
]
WORDS = ["red", "green", "apple", "pear", "girl", "boy"]
SHAPES = [(prefix, kind) for prefix in (True, False) for kind in ("unigram", "bpe")]


@cache
def tokenizer(dummy_prefix: bool, model_type: str = "unigram", byte_fallback: bool = True) -> Any:
    data = train_tokenizer(
        SENTENCES,
        vocab_size=400,
        model_type=model_type,  # type: ignore[arg-type]
        dummy_prefix=dummy_prefix,
        byte_fallback=byte_fallback,
    )
    return SentencePieceTokenizer.from_bytes(data)


def code(error: pytest.ExceptionInfo[HeadscopeError]) -> str:
    return error.value.code


@pytest.mark.parametrize(("dummy_prefix", "model_type"), SHAPES)
@settings(max_examples=150, deadline=None)
@given(text=st.text() | st.text(alphabet=" \t\nae\u00a0\u202f我😀<>s0x41/"))
@example("")
@example(" ")
@example("   leading and trailing   ")
@example("tab\tline\r\nnul\0end")
@example("😀 👩‍👩‍👧 é e\u0301")
@example("<s> </s> <pad> <unk> <0x41> <0xE4>")
@example("\u2585 \u2047 \ufffd \ufeff")
def test_every_text_comes_back(dummy_prefix: bool, model_type: str, text: str) -> None:
    text = text.replace("\u2581", "")
    subject: Tokenizer = tokenizer(dummy_prefix, model_type)
    ids = subject.encode(text)
    assert subject.decode(ids) == text
    assert subject.pieces(text) == [subject.piece(i) for i in ids]
    assert not any(subject.is_special(i) for i in ids)
    assert all(0 <= i < subject.vocab_size for i in ids)


def test_space_spelled_as_bytes_comes_back() -> None:
    # Without a prefix, a text without spaces teaches no piece for a space.
    data = train_tokenizer(["abab", "abba"], vocab_size=400, dummy_prefix=False)
    subject = SentencePieceTokenizer.from_bytes(data)
    assert subject.pieces(" ") == ["<0xE2>", "<0x96>", "<0x81>"]
    assert subject.decode(subject.encode(" a  b ")) == " a  b "


def test_lone_surrogate_reads_as_replacement_and_a_pair_is_joined() -> None:
    subject = tokenizer(True)
    assert subject.decode(subject.encode("a\ud800b")) == "a\ufffdb"
    assert subject.decode(subject.encode("\ud83d\ude00")) == "😀"


@pytest.mark.parametrize(("dummy_prefix", "model_type"), SHAPES)
def test_specials_bytes_and_their_order(dummy_prefix: bool, model_type: str) -> None:
    subject: Tokenizer = tokenizer(dummy_prefix, model_type)
    assert (subject.pad_id, subject.unk_id, subject.start_id, subject.end_id) == (0, 1, 2, 3)
    assert [subject.piece(i) for i in range(4)] == ["<pad>", "<unk>", "<s>", "</s>"]
    assert [i for i in range(subject.vocab_size) if subject.is_special(i)] == [0, 1, 2, 3]
    assert subject.has_bytes
    assert [subject.piece(i) for i in range(4, 260)] == [f"<0x{i:02X}>" for i in range(256)]
    assert [i for i in range(subject.vocab_size) if subject.is_byte(i)] == list(range(4, 260))


def test_dummy_prefix_puts_a_space_in_front() -> None:
    assert tokenizer(True).pieces("the")[0].startswith("▁")
    assert not tokenizer(False).pieces("the")[0].startswith("▁")


def test_decode_skips_specials_and_marks_broken_characters() -> None:
    subject = tokenizer(True)
    ids = subject.encode("a pear")
    assert subject.decode([2, *ids, 3, 0, 0]) == "a pear"
    emoji = subject.encode("😀")
    assert subject.decode(emoji[:-1]) == "\ufffd"
    assert subject.decode([]) == ""


def test_without_bytes_an_unknown_character_is_one_unknown() -> None:
    subject = tokenizer(False, "unigram", False)
    assert not subject.has_bytes
    ids = subject.encode("a😀a")
    assert ids.count(subject.unk_id) == 1
    assert subject.decode(ids) == "a\u2047a"


@pytest.mark.parametrize("token_id", [-1, 100_000])
def test_piece_outside_the_vocabulary(token_id: int) -> None:
    with pytest.raises(IndexError):
        tokenizer(True).piece(token_id)


def test_training_is_deterministic_also_when_it_samples() -> None:
    draw = random.Random(3)
    lines = [" ".join(draw.choices(WORDS, k=6)) for _ in range(200)]
    first, second = (
        train_tokenizer(iter(lines), vocab_size=320, dummy_prefix=True, most_sentences=50) for _ in range(2)
    )
    assert first == second
    assert first != train_tokenizer(lines, vocab_size=320, dummy_prefix=True)


@given(
    lengths=st.lists(st.integers(1, 30), max_size=120), most=st.integers(1, 200), size=st.integers(90, 3000)
)
def test_a_part_of_too_much_text(lengths: list[int], most: int, size: int) -> None:
    texts = [chr(0x4E00 + i) * length for i, length in enumerate(lengths)]  # three bytes each
    part = sample(iter(texts), most, size)
    if len(texts) <= most and 3 * sum(lengths) <= size:
        assert part == texts
    else:
        assert len(part) <= most
        assert 3 * sum(map(len, part)) <= size
        assert [text for text in texts if text in set(part)] == part


def test_a_part_is_about_half_of_what_may_be_and_from_everywhere() -> None:
    part = [int(text) for text in sample(map(str, range(100_000)), 20_000, 10**9)]
    assert 10_000 < len(part) < 15_000  # the bar is an eighth
    for begin in range(0, 100_000, 20_000):
        assert 2200 < sum(begin <= number < begin + 20_000 for number in part) < 2800


def test_small_text_gives_its_largest_vocabulary() -> None:
    data = train_tokenizer(["a b"], vocab_size=8000, dummy_prefix=True)
    assert SentencePieceTokenizer.from_bytes(data).vocab_size == 263


def test_toy_vocabulary_is_exactly_its_words() -> None:
    data = train_tokenizer(["a b c d", "d c b a"], vocab_size=9, dummy_prefix=True, byte_fallback=False)
    subject = SentencePieceTokenizer.from_bytes(data)
    assert {subject.piece(i) for i in range(4, 9)} == {"▁", "a", "b", "c", "d"}


def test_long_lines_line_ends_and_reserved_characters_are_learned_from() -> None:
    lines = ["xy" * 20_000, "q\nw\tz\0k\u2585j\r\n", "", "  ", "\ud800"]
    data = train_tokenizer(lines, vocab_size=300, dummy_prefix=False, character_coverage=1.0)
    subject = SentencePieceTokenizer.from_bytes(data)
    pieces = {subject.piece(i) for i in range(subject.vocab_size)}
    assert set("xyqwzkj") <= pieces


@pytest.mark.parametrize("sentences", [[], ["", "  ", "\n"]])
def test_no_text(sentences: list[str]) -> None:
    with pytest.raises(HeadscopeError) as error:
        train_tokenizer(sentences, vocab_size=300, dummy_prefix=True)
    assert code(error) == "tokenizer_no_text"


@pytest.mark.parametrize("size", [-1, 0, 4, 5, 260])
def test_vocabulary_too_small(size: int) -> None:
    with pytest.raises(HeadscopeError) as error:
        train_tokenizer(["a b c"], vocab_size=size, dummy_prefix=True)
    assert code(error) == "tokenizer_vocab_too_small"
    least = error.value.values["least"]
    assert isinstance(least, int)
    if size > 4:
        assert train_tokenizer(["a b c"], vocab_size=least, dummy_prefix=True)


def test_training_says_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    train_tokenizer(SENTENCES, vocab_size=300 + 50, dummy_prefix=True)
    assert capfd.readouterr() == ("", "")


def test_bytes_and_file_round_trip(tmp_path: Path) -> None:
    data = tokenizer(True).serialized()
    path = tmp_path / "source.spm"
    path.write_bytes(data)
    loaded = SentencePieceTokenizer.load(path)
    assert loaded.serialized() == data
    assert loaded.encode("the girl") == tokenizer(True).encode("the girl")


def test_missing_file_and_folder(tmp_path: Path) -> None:
    with pytest.raises(HeadscopeError) as error:
        SentencePieceTokenizer.load(tmp_path / "none.spm")
    assert code(error) == "tokenizer_missing"
    with pytest.raises(HeadscopeError) as error:
        SentencePieceTokenizer.load(tmp_path)
    assert code(error) == "tokenizer_unreadable"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "source.spm")
    with pytest.raises(HeadscopeError, match="not an ordinary file") as error:
        SentencePieceTokenizer.load(tmp_path / "source.spm")
    assert code(error) == "tokenizer_unreadable"


def test_more_pieces_than_sentencepiece_can_count() -> None:
    with pytest.raises(HeadscopeError) as error:
        train_tokenizer(["a b c"], vocab_size=10**11, dummy_prefix=True)
    assert code(error) == "tokenizer_training"


@pytest.mark.parametrize(
    "data", [b"", b"hello", b"\0" * 100, bytes(range(200, 256)), b"\x0a\x02", "版本".encode()]
)
def test_garbage_is_refused_quietly(data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(HeadscopeError) as error:
        SentencePieceTokenizer.from_bytes(data, name="source.spm")
    assert code(error) == "tokenizer_invalid"
    assert "source.spm" in str(error.value)
    assert capfd.readouterr() == ("", "")


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_models_never_crash(data: st.DataObject) -> None:
    good = tokenizer(True).serialized()
    cut = data.draw(st.integers(0, len(good)))
    place = data.draw(st.integers(0, len(good) - 1))
    value = data.draw(st.integers(0, 255))
    damaged = bytearray(good)
    damaged[place] = value
    for candidate in (good[:cut], bytes(damaged)):
        try:
            loaded = SentencePieceTokenizer.from_bytes(candidate)
        except HeadscopeError:
            continue
        loaded.decode(loaded.encode("the girl 😀"))


def test_parse_agrees_with_the_library() -> None:
    subject = tokenizer(False, "bpe")
    parsed = parse_tokenizer_file(subject.serialized())
    library = subject._model.processor
    assert list(parsed.pieces) == [library.IdToPiece(i) for i in range(library.GetPieceSize())]
    assert parsed.dummy_prefix is False
    assert parse_tokenizer_file(tokenizer(True).serialized()).dummy_prefix is True


TEXTS = st.text() | st.text(alphabet=" ae\u00a0我😀<>s0x41/")


@pytest.mark.parametrize(("dummy_prefix", "model_type"), SHAPES)
@settings(max_examples=150, deadline=None)
@given(before=TEXTS, text=TEXTS)
@example(before="La", text="</s>")
@example(before="我", text="给😀")
def test_a_continuation_reads_as_it_was_typed(
    dummy_prefix: bool, model_type: str, before: str, text: str
) -> None:
    before = before.replace("\u2581", "")
    text = text.replace("\u2581", "").strip().removeprefix("·").strip()
    subject: Tokenizer = tokenizer(dummy_prefix, model_type)
    ids = subject.encode(before) or subject.encode("a")
    read = subject.decode(ids)
    assert subject.decode([*ids, *subject.encode_continuation("·" + text)]) == read + text
    space = " " if dummy_prefix and text else ""
    if not text.startswith(("·", "⋅")):
        assert subject.decode([*ids, *subject.encode_continuation(text)]) == read + space + text
    assert not any(subject.is_special(i) for i in subject.encode_continuation(text))


def test_continuations_by_hand() -> None:
    subject: Tokenizer = tokenizer(True)

    def pieces(text: str) -> list[str]:
        return [subject.piece(i) for i in subject.encode_continuation(text)]

    word = "▁apple"
    assert word in subject.pieces("apple")
    assert pieces("apple") == pieces(" apple ") == pieces(word) == [word]
    assert all(not piece.startswith("▁") for piece in pieces("·apple"))
    assert "".join(pieces("·apple")) == "apple"
    assert pieces("\u22c5apple") == pieces("\u00b7apple") != []  # the dot as labels show it
    assert pieces("") == pieces("  ") == pieces("·") == pieces(" · ") == []
    assert subject.end_id not in subject.encode_continuation("</s>")
    assert subject.end_id not in subject.encode_continuation("·</s>")
    assert pieces("▁") == ["▁"]
    # A piece with the tokenizer's mark that it does not have is a text like any other.
    assert subject.decode(subject.encode_continuation("▁xyzzy")).strip() == "xyzzy"
