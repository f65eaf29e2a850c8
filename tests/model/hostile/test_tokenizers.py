"""Hostile tokenizers: the library that reads them ends the process when its memory runs out."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from model.errors import HeadscopeError
from model.folder.model_folder import inspect_folder
from model.foreign.tokens.staging import staged
from model.foreign.tokens.tokenizer_json import sanitised
from model.translator.load_model import load_model
from model.translator.translator import Translator
from tests.model.hostile.crafting import changed, code_of, copied, refused, tokenizer_with

ENDLESS = {"strategy": {"Fixed": 10**12}, "direction": "Right", "pad_to_multiple_of": None}
ENDLESS |= {"pad_id": 0, "pad_type_id": 0, "pad_token": "a"}


def replace(pattern: dict[str, str], content: str) -> dict[str, Any]:
    return {"type": "Replace", "pattern": pattern, "content": content}


def split(regex: str) -> dict[str, Any]:
    return {"type": "Split", "pattern": {"Regex": regex}, "behavior": "Isolated", "invert": False}


def sequence(kind: str, steps: list[dict[str, Any]]) -> dict[str, Any]:
    return {kind: {"type": "Sequence", f"{kind}s": steps}}


def test_texts_are_neither_filled_up_nor_cut(folder: Path, sound: dict[str, Path]) -> None:
    cut = {"direction": "Right", "max_length": 1, "strategy": "LongestFirst", "stride": 0}
    tokenizer_with(folder, padding=ENDLESS, truncation=cut)
    ids = [load_model(path).source_tokenizer.source_ids("The cat sat.") for path in (folder, sound["gpt2"])]
    assert ids[0] == ids[1]


@pytest.mark.parametrize(
    "parts",
    [
        sequence("normalizer", [replace({"String": "a"}, "a" * 1000)] * 9),
        sequence("normalizer", [replace({"Regex": "(?=.)"}, "x")] * 60),
        sequence("normalizer", [replace({"String": ""}, "x")] * 60),
        sequence("decoder", [replace({"String": "a"}, "aa")] * 40),
        {"normalizer": {"type": "Prepend", "prepend": "x" * 10_000}},
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "AAAA"}},
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": "!"}},
        {"normalizer": {"type": "Precompiled", "precompiled_charsmap": [1]}},
        {
            "normalizer": {
                "type": "Precompiled",
                "precompiled_charsmap": base64.b64encode(b"\4\0\0\0" + b"\0" * 4 + b"x" * 9999).decode(),
            }
        },
    ],
)
def test_what_would_make_endless_texts_is_refused(folder: Path, parts: dict[str, Any]) -> None:
    assert code_of(tokenizer_with(folder, **parts)) == "bundle_invalid"


def test_growth_is_measured_and_ordinary_steps_pass() -> None:
    path = Path("tokenizer.json")
    ordinary = [replace({"String": " "}, "▁"), replace({"Regex": " {2,}"}, "▁"), {"type": "NFKC"}]
    sanitised(path, sequence("normalizer", ordinary))
    four = replace({"String": "ab"}, "abababab")  # four times as long
    sanitised(path, sequence("normalizer", [four] * 8))
    with pytest.raises(HeadscopeError):
        sanitised(path, sequence("normalizer", [four] * 9))


@pytest.mark.parametrize(
    "parts",
    [
        {"model": {"type": "BPE", "vocab": {"a": -1}, "merges": []}},
        {"model": {"type": "BPE", "vocab": {"a": 10**18}, "merges": []}},
        {"model": {"type": "BPE", "vocab": {"a": 1.5}, "merges": []}},
        {"model": {"type": "BPE", "vocab": {"a": 0}, "merges": ["a b"]}},
        {"model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2}, "merges": [["a", "b", "c"]]}},
        {"model": {"type": "Unigram", "vocab": [], "unk_id": 0}},
        {"model": {"type": "Unigram", "vocab": [["a", -1.0]], "unk_id": 5}},
        {"model": {"type": "NoSuch"}},
        {"model": None},
        {"pre_tokenizer": split("((((")},
        {"pre_tokenizer": split("(" * 20_000 + "a" + ")" * 20_000)},
        {"post_processor": {"type": "BertProcessing", "sep": ["x", -1], "cls": ["y", 5]}},
        {
            "post_processor": {
                "type": "TemplateProcessing",
                "single": [{"SpecialToken": {"id": "[X]", "type_id": 0}}],
                "pair": [],
                "special_tokens": {},
            }
        },
        {"added_tokens": [{"id": -1, "content": "x"}]},
        {"added_tokens": {}},
        {"version": "99"},
    ],
)
def test_a_damaged_tokenizer_is_one_sentence(
    folder: Path, parts: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    refused(tokenizer_with(folder, **parts))
    assert capfd.readouterr() == ("", "")  # nor does Rust write of its panics


def test_expressions_that_never_end_give_up_on_the_text(folder: Path) -> None:
    tokenizer_with(folder, pre_tokenizer=split("(x+)+y$"))
    translator = Translator.load(folder)
    error = refused(folder, lambda _: list(translator.decode("x" * 60)))
    assert error.code == "tokenizer_failed"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"[]",
        b'{"model": ' + b"[" * 100_000,
        b"\xff\xfe\x00",
        b'{"a": [' + b"0," * 6_100_000 + b"0]}",
    ],
)
def test_tokenizer_files_are_capped_before_they_are_parsed(folder: Path, text: bytes) -> None:
    (folder / "tokenizer.json").write_bytes(text)
    assert code_of(folder) == "bundle_invalid"


def test_a_giant_file_of_a_tokenizer_is_not_read(folder: Path) -> None:
    for name in ("tokenizer.json", "merges.txt", "spiece.model"):
        other = copied(folder, folder.parent / name)
        with open(other / name, "wb") as file:
            file.truncate(1 << 40)
        assert code_of(other) == "file_large"


def test_garbage_in_the_place_of_sentencepiece_is_one_sentence(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (folder / "tokenizer.json").unlink()
    (folder / "tokenizer.model").write_bytes(b"\x0a\xff\xff\xff\xff\xff\xff\xff\x7f")
    assert code_of(folder) == "tokenizer_invalid"
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "name", ["NoSuchTokenizer", "../x.Tokenizer", "AutoTokenizer", "os.system", "GPT2Model", 7, []]
)
def test_a_class_that_nobody_ships_is_named(folder: Path, name: Any) -> None:
    changed(folder / "tokenizer_config.json", tokenizer_class=name)
    if name:
        assert code_of(folder) == "foreign_tokenizer_class"
    else:
        assert load_model(folder).name


@pytest.mark.parametrize(
    "entries",
    [
        {"tokenizer_file": "/etc/passwd", "vocab_file": "/etc/passwd", "merges_file": "../../outside"},
        {"sp_model_kwargs": {"model_file": "/etc/passwd"}, "init_inputs": ["/etc/passwd"]},
        {
            "chat_template": "{% for i in range(10**9) %}{% endfor %}",
            "auto_map": {"AutoTokenizer": ["x.X", None]},
        },
        {"tokenizer_object": "x", "vocab": {"a": 1}, "merges": [], "name_or_path": "a/b", "gguf_file": "x"},
        {"fast_tokenizer_files": ["../../tokenizer.json"], "subfolder": "..", "from_slow": True},
    ],
)
def test_settings_that_lead_elsewhere_count_for_nothing(
    folder: Path, sound: dict[str, Path], entries: dict[str, Any]
) -> None:
    changed(folder / "tokenizer_config.json", **entries)
    (folder / "chat_template.jinja").write_text("{{ 1/0 }}")
    ids = [load_model(path).source_tokenizer.source_ids("The cat sat.") for path in (folder, sound["gpt2"])]
    assert ids[0] == ids[1]


def test_added_tokens_keep_their_names(folder: Path) -> None:
    added = {"dtype": 5, "auto_map": 6}  # which would be left out of settings
    (folder / "added_tokens.json").write_text(json.dumps(added))
    with staged(inspect_folder(folder)) as stage:
        assert json.loads((stage / "added_tokens.json").read_text()) == added


def test_a_folder_without_a_tokenizer_is_one_sentence(folder: Path) -> None:
    (folder / "tokenizer.json").unlink()
    assert code_of(folder) == "foreign_no_tokenizer"
    (folder / "merges.txt").write_text("a b\n")
    assert code_of(folder) == "foreign_no_tokenizer"
