"""Tokenizers that would make up endlessly many tokens, or go endlessly deep into one."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from model.errors import HeadscopeError
from model.folder.model_folder import inspect_folder
from model.foreign.tokens.rust_calls import called
from model.foreign.tokens.staging import staged
from model.tokens.tokenizer_file import parse_tokenizer_file
from tests.model.hostile.crafting import changed, code_of, refused
from tests.model.tiny_bundle import spm


@pytest.mark.parametrize("name", ["T5Tokenizer", "ByT5Tokenizer", "PegasusTokenizer"])
@pytest.mark.parametrize("key", ["extra_ids", "offset", "num_x"])
def test_a_number_of_tokens_to_make_up_is_capped(folder: Path, name: str, key: str) -> None:
    changed(folder / "tokenizer_config.json", tokenizer_class=name, **{key: 1_000_000})
    assert code_of(folder) == "config_value"


def test_what_tokenizers_say_stays(folder: Path) -> None:
    said = {"extra_ids": 100, "offset": 103, "model_max_length": 10**30, "extra_special_tokens": ["<a>"]}
    changed(folder / "tokenizer_config.json", **said)
    with staged(inspect_folder(folder)) as stage:
        assert said.items() <= json.loads((stage / "tokenizer_config.json").read_text()).items()


@pytest.mark.parametrize("file", ["tokenizer.json", "tokenizer_config.json", "added_tokens.json"])
def test_more_added_tokens_than_anybody_adds(folder: Path, file: str) -> None:
    count = 70_000
    if file == "tokenizer.json":
        changed(folder / file, added_tokens=[{"id": n, "content": f"<{n}>"} for n in range(count)])
    elif file == "tokenizer_config.json":
        changed(folder / file, added_tokens_decoder={str(n): {"content": f"<{n}>"} for n in range(count)})
    else:
        changed(folder / file, **{f"<{n}>": n for n in range(count)})
    assert "more than" in str(refused(folder))


def piece(text: bytes) -> bytes:
    """A piece as a SentencePiece file has it, whose lengths take three bytes each."""

    def length(count: int) -> bytes:
        return bytes([count & 0x7F | 0x80, count >> 7 & 0x7F | 0x80, count >> 14])

    body = b"\x0a" + length(len(text)) + text + b"\x15\0\0\0\0"
    return b"\x0a" + length(len(body)) + body


def test_an_endless_piece_is_refused_before_the_library_sees_it() -> None:
    assert parse_tokenizer_file(spm() + piece(b"x" * 5000)).pieces[-1] == "x" * 5000
    with pytest.raises(ValueError, match="endless"):
        parse_tokenizer_file(spm() + piece(b"x" * 200_000))


def test_a_panic_while_a_text_is_read_is_one_sentence(capfd: pytest.CaptureFixture[str]) -> None:
    from tokenizers import Tokenizer, models, normalizers

    tokenizer = Tokenizer(models.BPE())
    trie = (1024).to_bytes(4, "little") + random.Random(3).randbytes(1024) + b"ab\0"  # leads out of itself
    try:
        tokenizer.normalizer = normalizers.Precompiled(trie)
    except Exception:  # a version that looks at the table first
        pytest.skip("this version refuses the table")
    codes = []
    for text in ("a", "é", "東", "ﬁ", "😀"):
        try:
            called(tokenizer.encode, text)
        except HeadscopeError as error:
            codes.append(error.code)
    assert set(codes) == {"tokenizer_failed"}
    assert capfd.readouterr() == ("", "")
