"""Hostile folders of Marian: vocabularies and numbers that lie."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import Any

import pytest

from model.decoding.decode_config import DecodeConfig
from model.errors import HeadscopeError
from model.translator.translator import Translator
from tests.model.hostile.crafting import changed, refused

pytestmark = pytest.mark.parametrize("folder", ["marian"], indirect=True)


@pytest.mark.parametrize(
    "entries",
    [
        {"d_model": 10**18},
        {"d_model": -32},
        {"d_model": 31},
        {"encoder_layers": 10**18},
        {"encoder_layers": 0},
        {"encoder_attention_heads": 0},
        {"vocab_size": 2**40},
        {"max_position_embeddings": 10**18},
        {"max_position_embeddings": 2**31 - 1},
        {"pad_token_id": 10**9},
        {"d_model": "32"},
        {"encoder_layers": [2]},
    ],
)
def test_numbers_that_lie(folder: Path, entries: dict[str, Any]) -> None:
    changed(folder / "config.json", **entries)
    refused(folder)


@pytest.mark.parametrize(
    "vocab",
    [
        b"",
        b"[]",
        b"{",
        b'{"a": ' * 100_000,
        b'{"</s>": 0, "<unk>": -1}',
        b'{"</s>": 0, "<unk>": 0}',
        b'{"</s>": 0, "<unk>": 1000000000000000000}',
        b'{"</s>": 0, "<unk>": 1.0}',
        b'{"</s>": 0}',
        b"{" + b",".join(b'"p%d":%d' % (n, n) for n in range(300_000)) + b"}",
        b" " * (1 << 27),
    ],
)
def test_vocabularies_that_lie(folder: Path, vocab: bytes) -> None:
    (folder / "vocab.json").write_bytes(vocab)
    refused(folder)


@pytest.mark.parametrize("name", ["source.spm", "target.spm"])
@pytest.mark.parametrize(
    "data", [b"", b"garbage", b"\x0a\xff\xff\xff\xff\x7f", b"\x80\x04]", b"\x0a\x00" * 1000]
)
def test_pieces_that_lie(folder: Path, name: str, data: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    (folder / name).write_bytes(data)
    refused(folder)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "rules",
    [
        {"bad_words_ids": [[10**18]]},
        {"bad_words_ids": "x"},
        {"bad_words_ids": [[[]]]},
        {"forced_eos_token_id": 10**18},
        {"decoder_start_token_id": 10**9},
        {"decoder_start_token_id": -1},
        {"num_beams": 10**18},
        {"max_length": -5},
    ],
)
def test_rules_that_lie_are_refused_or_do_no_harm(folder: Path, rules: dict[str, Any]) -> None:
    changed(folder / "generation_config.json", **rules)
    with contextlib.suppress(HeadscopeError):
        translator = Translator.load(folder)
        *_, last = translator.decode("The cat", DecodeConfig(max_length=5))
        assert 1 <= len(last.trace.tgt_out_ids) <= 5


def test_an_index_that_leads_out(folder: Path) -> None:
    data = (folder / "model.safetensors").read_bytes()
    (folder.parent / "outside.safetensors").write_bytes(data)
    (folder / "model.safetensors").unlink()
    for name in ("../outside.safetensors", "/etc/passwd", "..", ".", "x\0", "part.safetensors"):
        index = {"weight_map": {"model.shared.weight": name}}
        (folder / "model.safetensors.index.json").write_text(json.dumps(index))
        refused(folder)
