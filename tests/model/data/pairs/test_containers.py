from __future__ import annotations

import os
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from model.data.pairs import text as text_module
from model.data.pairs.containers import raw_chunks
from model.errors import HeadscopeError
from tests.model.data.packed import WRITERS, failure, read_pairs, write_zip


def test_missing_and_folder(tmp_path: Path) -> None:
    assert failure(tmp_path / "none.tsv").code == "corpus_missing"
    assert failure(tmp_path).code == "corpus_directory"
    (tmp_path / "file").touch()
    assert failure(tmp_path / "file" / "none.tsv").code == "corpus_missing"
    with pytest.raises(HeadscopeError, match="no file"):
        list(raw_chunks(tmp_path / "none.tsv"))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pairs.tsv")
    assert failure(tmp_path / "pairs.tsv").code == "file_not_ordinary"


def test_names_that_are_none() -> None:
    with pytest.raises(HeadscopeError, match="there is no file a\ufffdb"):
        read_pairs("a\0b.tsv")
    with pytest.raises(HeadscopeError, match="there is no file '';"):
        read_pairs("")


@pytest.mark.parametrize("data", [b"", b"\n\r\n  \n", b"\xef\xbb\xbf"])
def test_empty(written: Callable[[bytes], Path], data: bytes) -> None:
    assert failure(written(data)).code == "corpus_empty"


@pytest.mark.parametrize("name", ["p.gz", "p.xz", "p.bz2", "p.zip"])
def test_archive_that_is_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"a\tb\n")
    assert failure(path).code == "corpus_archive"


@pytest.mark.parametrize("name", ["pairs.tsv.gz", "pairs.xz", "pairs.BZ2", "pairs.zip"])
def test_damaged_archives_are_said(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    lines = "".join(f"sentence {i * 7919 % 1000}\tphrase {i * 31 % 997}\n" for i in range(500)).encode()
    WRITERS[name](path, lines)
    good = path.read_bytes()
    path.write_bytes(good[: len(good) // 2])
    assert failure(path).code == "corpus_archive"
    for place in range(0, len(good), max(1, len(good) // 150)):
        damaged = bytearray(good)
        damaged[place] ^= 0xFF
        path.write_bytes(damaged)
        try:
            read_pairs(path)
        except HeadscopeError as error:
            assert error.code.startswith("corpus_")  # noqa: PT017 (undamaged places may well read)


def test_an_archive_in_an_archive_is_no_text(tmp_path: Path) -> None:
    for name in ("pairs.zip", "pairs.tsv.gz"):
        inner = tmp_path / name
        WRITERS[name](inner, b"a\tb\n")
        write_zip(tmp_path / "p.zip", {name: inner.read_bytes()})
        assert failure(tmp_path / "p.zip").code == "corpus_no_member"


def test_zip_without_or_with_many_texts(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    write_zip(path, {})
    assert failure(path).code == "corpus_no_member"
    write_zip(path, {"a.bin": b"x", "b.bin": b"x", "_about.txt": b"x"})
    assert failure(path).code == "corpus_no_member"
    write_zip(path, {"a.txt": b"x", "b.csv": b"x"})
    assert failure(path).code == "corpus_many_members"


def test_a_member_without_a_name_is_no_text(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    write_zip(path, {"a": b"x\ty\n"})
    damaged = bytearray(path.read_bytes())
    start = damaged.rindex(b"PK\x01\x02")
    damaged[start + 28 : start + 32] = struct.pack("<HH", 0, 1)  # the name's one byte counts as extra data
    path.write_bytes(damaged)
    assert failure(path).code == "corpus_no_member"


def test_a_line_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(text_module, "LONGEST_LINE", 100_000)
    for name in ("p.tsv", "p.csv"):
        (tmp_path / name).write_bytes(b"a\tb\n" + b"x" * 300_000)
        error = failure(tmp_path / name)
        assert (error.code, error.values["line"]) == ("corpus_long_line", 2)
