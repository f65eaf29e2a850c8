"""Marian's tokenizers against those of `transformers`, on the same files."""

from __future__ import annotations

import functools
import json
import re
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from model.errors import HeadscopeError
from model.marian.marian_tokenizer import MarianTokenizer
from tests.assets import PAIRS
from tests.foreign_assets import quiet
from tests.model.marian.spm_folder import pieces_of, spm, vocab_of, write_folder

SHAPES: dict[str, dict[str, Any]] = {
    "shared": {},
    "separate": {"separate": True},
    "bytes": {
        "source": spm("source", byte_fallback=True),
        "target": spm("target", byte_fallback=True),
    },
    "bpe": {"source": spm("source", kind="bpe"), "target": spm("target", kind="bpe")},
    "added": {
        "settings": {
            "additional_special_tokens": ["<eop>", "<eod>"],
            "added_tokens_decoder": {
                "5": {"content": "red", "single_word": True, "special": False},
                "7": {"content": "<x>", "lstrip": True, "rstrip": True, "special": True},
                "9": {"content": "ab", "special": False},
                "11": {"content": "abc", "special": False},
            },
        }
    },
    "legacy": {
        "settings": {"eos_token": "</s>"},
        "files": {
            "added_tokens.json": {"tea": 8, "<new>": 12},
            "special_tokens_map.json": {
                "eos_token": {"content": "</s>", "rstrip": True},
                "mask_token": "▁the",
            },
        },
    },
    "unsplit": {"settings": {"split_special_tokens": True}},
}
PARTS = (
    *(
        "The little girl",
        "gave her brother",
        "a red apple.",
        "I don't know",
        "the key",
        "42",
        "3,5 %",
        "1998",
    ),
    *(
        "…",
        "“quoted”",
        "¿qué?",
        "naïve café",
        "e\u0301",
        "ﬁ",
        "ＡＢＣ",
        "½",
        "我给了他一个苹果。",
        "東京へ",
        "한국어",
    ),
    *(
        "😀",
        "👩‍👩‍👧",
        "\u200b",
        "\u00a0",
        "\u202f",
        "\u3000",
        "\t",
        "\n",
        "\r\n",
        "\x00",
        "\x1f",
        "  ",
        "▁",
        "▁the",
    ),
    *(
        ">>fra<<",
        ">>fra<< I",
        ">>xyz<<",
        ">>",
        "<<",
        ">>no end",
        ">><<",
        "</s>",
        "<unk>",
        "<pad>",
        "<s>",
        "<0xE4>",
    ),
    *(
        "</s",
        "<eop>",
        "<x>",
        "red",
        "predred",
        "abcab",
        "tea",
        "<new>",
        "a</s>b",
        "\ufeff",
        "\U0001f1eb\U0001f1f7",
    ),
    *(
        "J'aime le thé vert.",
        "Où est la gare ?",
        "« Bien »",
        "œuvre",
        "ß",
        "İ",
        "ΑΘΗΝΑ",
        "עברית",
        "العربية",
        "",
    ),
)
LINES = (
    *(sentence for pair in PAIRS for sentence in pair),
    *PARTS,
    *(f"{a} {b}" for a, b in zip(PARTS, PARTS[7:])),
    *(f"{a}{b}" for a, b in zip(PARTS, PARTS[11:])),
    *(f">>fra<< {a} </s> {b}{c}" for a, b, c in zip(PARTS, PARTS[3:], PARTS[20:])),
    *(f"{a}\n{b}<unk>{c}" for a, b, c in zip(PARTS[5:], PARTS, PARTS[30:])),
    *(f"  {a}, {b} {c}. " for a, b, c in zip(PARTS, PARTS[1:], PARTS[2:])),
)


@functools.cache
def folders() -> dict[str, tuple[Path, dict[str, Any]]]:
    root = Path(tempfile.mkdtemp(prefix="marian"))
    made = {name: (root / name, write_folder(root / name, **shape)) for name, shape in SHAPES.items()}
    for name in ("added", "legacy"):  # tables with rows for the tokens that are beyond the vocabulary
        made[name][1].update(vocab_size=300, decoder_vocab_size=300)
    return made


@functools.cache
def pair(shape: str) -> tuple[MarianTokenizer, MarianTokenizer]:
    folder, values = folders()[shape]
    return MarianTokenizer.pair(folder, values=values, start_id=values["vocab_size"] - 1)


@functools.cache
def oracle(shape: str) -> Any:
    from transformers import MarianTokenizer as Reference

    with quiet():
        return Reference.from_pretrained(folders()[shape][0])


def test_there_are_some_hundreds_of_lines() -> None:
    assert len(set(LINES)) > 300


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_ids_as_transformers(shape: str) -> None:
    (source, target), reference = pair(shape), oracle(shape)
    for line in LINES:
        with quiet():
            wanted, wanted_target = reference(line)["input_ids"], reference(text_target=line)["input_ids"]
        assert source.source_ids(line) == wanted, line
        assert target.target_ids(line) == wanted_target, line


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_texts_as_transformers(shape: str) -> None:
    (_, target), reference = pair(shape), oracle(shape)
    for line in LINES:
        ids = target.target_ids(line)
        assert target.decode(ids) == reference.decode(ids, skip_special_tokens=True), line
        assert target.decode(ids) == reference.decode(
            ids, skip_special_tokens=True, use_source_tokenizer=shape != "separate"
        )


@pytest.mark.parametrize("shape", ["shared", "added", "bytes"])
@settings(max_examples=150, deadline=None)
@given(text=st.text() | st.lists(st.sampled_from([*PARTS, " "]), max_size=8).map("".join))
@example("\x00")
def test_any_text_is_cut_as_transformers_cuts_it(shape: str, text: str) -> None:
    (source, target), reference = pair(shape), oracle(shape)
    with quiet():
        assert source.source_ids(text) == reference(text)["input_ids"]
        ids = reference(text_target=text)["input_ids"]
    assert target.target_ids(text) == ids
    assert target.decode(ids) == reference.decode(ids, skip_special_tokens=True)


@pytest.mark.parametrize("shape", SHAPES)
@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_a_model_produces_reads_as_with_transformers(shape: str, data: st.DataObject) -> None:
    (_, target), reference = pair(shape), oracle(shape)
    skipped = set(reference.all_special_ids)
    known = [i for i in range(target.vocab_size) if i in skipped or not target.is_special(i)]
    ids = data.draw(st.lists(st.sampled_from(known), max_size=12))
    texts = (target.decode(ids), reference.decode(ids, skip_special_tokens=True))
    ours, theirs = (re.sub("\ufffd+", "\ufffd", text) for text in texts)  # SentencePiece: one for each byte
    assert ours == theirs


# What differs from `transformers`, and what a person types.


def make(tmp_path: Path, **more: Any) -> tuple[MarianTokenizer, MarianTokenizer]:
    values = write_folder(tmp_path, **more)
    return MarianTokenizer.pair(tmp_path, values=values, start_id=values["vocab_size"] - 1)


def test_a_token_that_the_model_has_no_row_for_is_text(tmp_path: Path) -> None:
    source, _ = make(tmp_path, settings={"additional_special_tokens": ["<eop>"], "bos_token": "<s>"})
    assert max(source.encode("a <eop> b <s>")) < source.vocab_size
    assert len(source.pieces("<eop>")) > 1


def test_a_row_without_a_piece_has_a_name_and_no_text(tmp_path: Path) -> None:
    values = write_folder(tmp_path)
    size = values["vocab_size"] + 5
    values.update(vocab_size=size, decoder_vocab_size=size)
    _, target = MarianTokenizer.pair(tmp_path, values=values, start_id=0)
    assert target.piece(size - 1) == f"<extra {size - 1}>"
    assert target.is_special(size - 1)
    assert target.decode([*target.encode("le thé"), size - 1]) == "le thé"
    for outside in (-1, size):
        with pytest.raises(IndexError):
            target.piece(outside)


def test_sources_are_named_by_their_own_vocabulary(tmp_path: Path) -> None:
    source, target = make(tmp_path, separate=True)
    ids = source.encode("the little girl")
    assert "".join(source.pieces("the little girl")) == "▁the▁little▁girl"
    assert [source.piece(i) for i in ids] != [target.piece(i) for i in ids]
    assert source.vocab_size != target.vocab_size


def test_roles(tmp_path: Path) -> None:
    source, target = make(tmp_path)
    assert (source.end_id, source.unk_id) == (0, 1)
    assert source.pad_id == source.start_id == source.vocab_size - 1
    assert [source.is_special(i) for i in (0, 1, 2, source.pad_id)] == [True, True, False, True]
    assert (source.piece(0), source.piece(1), source.piece(source.pad_id)) == ("</s>", "<unk>", "<pad>")
    assert source is not target


def test_one_tokenizer_for_both_where_they_do_not_differ(tmp_path: Path) -> None:
    source, target = make(tmp_path, source=spm("source"), target=spm("source"))
    assert source is target


def test_bytes(tmp_path: Path) -> None:
    _, target = make(tmp_path, **SHAPES["bytes"])
    ids = target.encode("ß")
    assert [target.piece(i) for i in ids] == ["▁", "<0xC3>", "<0x9F>"]
    assert [target.is_byte(i) for i in ids] == [False, True, True]
    assert target.has_bytes
    assert target.decode(ids) == "ß"


@pytest.mark.parametrize(
    ("typed", "wanted"),
    [("le", "▁le"), (" le  ", "▁le"), ("·le", "le"), ("·s", "s"), ("▁le", "▁le"), ("·", ""), ("", "")],
)
def test_continuations(tmp_path: Path, typed: str, wanted: str) -> None:
    pieces = [*pieces_of(spm("source")), *pieces_of(spm("target")), "le", "▁le", "s"]
    _, target = make(tmp_path, files={"vocab.json": vocab_of(pieces)})
    ids = target.encode_continuation(typed)
    assert "".join(target.piece(i) for i in ids) == wanted


def test_a_language_code_can_be_what_a_target_begins_with() -> None:
    source, target = pair("shared")
    assert target.piece(target.encode_continuation(">>fra<< le")[0]) == ">>fra<<"
    assert source.decode(source.encode(">>fra<< I like tea.")) == ">>fra<< I like tea."


# Folders that are not what they should be.


def refused(folder: Path, values: dict[str, Any]) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as caught:
        MarianTokenizer.pair(folder, values=values, start_id=0)
    return caught.value


@pytest.mark.parametrize("name", ["source.spm", "target.spm", "vocab.json"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    values = write_folder(tmp_path)
    (tmp_path / name).unlink()
    error = refused(tmp_path, values)
    assert error.code == "tokenizer_missing"
    assert name in str(error)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("[1, 2]", "not a JSON object"),
        ("{", "not a JSON object"),
        ("[" * 100_000, "not a JSON object"),
        ('{"a": "b"}', "not a JSON object of numbers"),
        ('{"a": true}', "not a JSON object of numbers"),
        ('{"a": 1.0}', "not a JSON object of numbers"),
        ('{"a": ' + "9" * 5000 + "}", "not a JSON object"),
        ('{"</s>": 0, "<unk>": 1, "a": -1}', "outside"),
        ('{"</s>": 0, "<unk>": 1, "a": 99999}', "outside"),
        ('{"</s>": 0, "<unk>": 1, "a": 1}', "same number"),
        ('{"</s>": 0, "a": 1}', "lacks the piece <unk>"),
    ],
)
def test_a_vocabulary_that_makes_no_sense(tmp_path: Path, text: str, reason: str) -> None:
    values = write_folder(tmp_path)
    (tmp_path / "vocab.json").write_text(text)
    error = refused(tmp_path, values)
    assert error.code == "bundle_invalid"
    assert reason in str(error)
    assert "vocab.json" in str(error)


def test_a_vocabulary_without_an_end(tmp_path: Path) -> None:
    values = write_folder(tmp_path, files={"vocab.json": {"<unk>": 0, "a": 1}})
    values.update(vocab_size=2, decoder_vocab_size=2)
    assert "lacks the piece </s>" in str(refused(tmp_path, values))


def test_huge_files_are_not_read(tmp_path: Path) -> None:
    values = write_folder(tmp_path)
    for name, size in (
        ("vocab.json", 40 << 20),
        ("source.spm", 20 << 20),
        ("tokenizer_config.json", 2 << 20),
    ):
        before = (tmp_path / name).read_bytes()
        with (tmp_path / name).open("r+b") as file:
            file.truncate(size)  # a hole: nothing is written
        error = refused(tmp_path, values)
        assert error.code == "file_large"
        (tmp_path / name).write_bytes(before)


def test_a_damaged_spm(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    values = write_folder(tmp_path)
    whole = (tmp_path / "target.spm").read_bytes()
    for data in (b"", b"\x80\x04pickle", whole[:-20], b"\x00" * 50):
        (tmp_path / "target.spm").write_bytes(data)
        assert refused(tmp_path, values).code == "tokenizer_invalid"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("size", [None, 0, -1, "58101", 2.5, True])
def test_a_config_without_sizes(tmp_path: Path, size: Any) -> None:
    values = write_folder(tmp_path)
    assert refused(tmp_path, {**values, "vocab_size": size}).code == "bundle_invalid"


@pytest.mark.parametrize(
    "settings",
    [
        {"unk_token": None, "eos_token": 5, "pad_token": ["x"]},
        {"added_tokens_decoder": {"x": {}, "-1": {"content": "a"}, "3": "b", "9" * 30: {"content": "c"}}},
        {"added_tokens_decoder": [], "additional_special_tokens": {"a_token": "<a>"}},
        {"extra_special_tokens": [1, None, {"content": ""}], "separate_vocabs": 0},
    ],
)
def test_senseless_settings_are_passed_over(tmp_path: Path, settings: dict[str, Any]) -> None:
    source, _ = make(tmp_path, settings=settings)
    assert source.decode(source.source_ids("I like tea.")) == "I like tea."


def test_more_tokens_than_anybody_adds(tmp_path: Path) -> None:
    many = {str(place): {"content": f"<{place}>"} for place in range(10_001)}
    values = write_folder(tmp_path, settings={"added_tokens_decoder": many})
    assert refused(tmp_path, values).code == "bundle_invalid"


def test_a_vocabulary_of_the_target_is_used_where_the_settings_forgot_it(tmp_path: Path) -> None:
    values = write_folder(tmp_path, separate=True)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"source_lang": "en"}))
    _, target = MarianTokenizer.pair(tmp_path, values=values, start_id=0)
    assert target.vocab_size == values["decoder_vocab_size"] != values["vocab_size"]
    assert target.decode(target.encode("le thé vert")) == "le thé vert"


@pytest.mark.parametrize("name", ["source.spm", "vocab.json", "tokenizer_config.json"])
def test_a_link_out_of_the_folder_is_not_followed(tmp_path: Path, name: str) -> None:
    folder = tmp_path / "model"
    values = write_folder(folder)
    (folder / name).rename(tmp_path / name)
    (folder / name).symlink_to(tmp_path / name)
    assert refused(folder, values).code == "file_elsewhere"
