from __future__ import annotations

import bz2
import gzip
import hashlib
import lzma
import os
import zipfile
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.data.corpus import (
    encode_corpus,
    file_sha256,
    iter_pairs,
    read_corpus,
    read_pairs,
    references,
    split_pairs,
    tatoeba_hash_part,
)
from model.errors import HeadscopeError
from model.tokenizer import SentencePieceTokenizer, train_tokenizer

TEXT = "Go.\tVa !\tCC-BY\r\n\r\nHi.\tSalut\u202f!\n\nA\u2028b\u00a0c\x85d\tx\x0by\x1cz\n".encode()
PAIRS = [("Go.", "Va !"), ("Hi.", "Salut\u202f!"), ("A\u2028b\u00a0c\x85d", "x\x0by\x1cz")]


def _zip(path: Path, members: dict[str, bytes]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)


WRITERS: dict[str, Callable[[Path, bytes], object]] = {
    "pairs.tsv": lambda path, data: path.write_bytes(data),
    "pairs": lambda path, data: path.write_bytes(data),
    "pairs.tsv.gz": lambda path, data: path.write_bytes(gzip.compress(data)),
    "pairs.xz": lambda path, data: path.write_bytes(lzma.compress(data)),
    "pairs.BZ2": lambda path, data: path.write_bytes(bz2.compress(data)),
    "pairs.zip": lambda path, data: _zip(path, {"data.bin": data}),
    "fra-eng.zip": lambda path, data: _zip(
        path, {"_about.txt": b"x", "__MACOSX/fra.txt": b"x", "fra.txt": data, "licence": b"x"}
    ),
}


@pytest.fixture(params=list(WRITERS))
def written(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[bytes], Path]:
    def write(data: bytes) -> Path:
        path = tmp_path / str(request.param)
        WRITERS[str(request.param)](path, data)
        return path

    return write


def failure(path: Path) -> HeadscopeError:
    with pytest.raises(HeadscopeError) as error:
        read_pairs(path)
    assert str(path) in str(error.value)
    return error.value


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_container_gives_the_same_pairs(written: Callable[[bytes], Path], mark: bytes) -> None:
    assert read_pairs(written(mark + TEXT)) == PAIRS


def test_last_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b"a\tb\nc\td")
    assert read_pairs(path) == [("a", "b"), ("c", "d")]


def test_limit_and_several_files(tmp_path: Path) -> None:
    one, two = tmp_path / "1.tsv", tmp_path / "2.tsv"
    one.write_bytes(b"a\tb\nc\td\n")
    two.write_bytes(b"e\tf\ng\th\n")
    assert read_pairs(one, limit=1) == [("a", "b")]
    assert read_corpus([one, two]) == [("a", "b"), ("c", "d"), ("e", "f"), ("g", "h")]
    assert read_corpus([one, two], limit=3) == [("a", "b"), ("c", "d"), ("e", "f")]
    assert read_corpus([one, tmp_path / "missing"], limit=2) == [("a", "b"), ("c", "d")]


def test_an_empty_side_is_still_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b"a\t\n\tb\n \t\n")
    assert read_pairs(path) == [("a", ""), ("", "b")]


@given(
    st.lists(
        st.tuples(
            st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"]), min_size=1),
            st.text(st.characters(exclude_characters="\t\n\r", exclude_categories=["Cs"])),
        ).filter(lambda pair: pair[0].strip() != "" and not pair[0].startswith("\ufeff")),
        min_size=1,
    )
)
@settings(max_examples=50, deadline=None)
def test_whatever_is_written_is_read(
    tmp_path_factory: pytest.TempPathFactory, pairs: list[tuple[str, str]]
) -> None:
    path = tmp_path_factory.mktemp("pairs") / "p.tsv"
    path.write_bytes("".join(f"{a}\t{b}\n" for a, b in pairs).encode())
    assert read_pairs(path) == pairs


def test_missing_and_folder(tmp_path: Path) -> None:
    assert failure(tmp_path / "none.tsv").code == "corpus_missing"
    assert failure(tmp_path).code == "corpus_directory"
    with pytest.raises(HeadscopeError, match="no file"):
        file_sha256(tmp_path / "none.tsv")


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


def test_one_column_names_the_first_line(written: Callable[[bytes], Path]) -> None:
    error = failure(written(b"a\tb\n\nonly one\nagain\n"))
    assert (error.code, error.values["line"]) == ("corpus_one_column", 3)


def test_not_utf8_names_the_line(written: Callable[[bytes], Path]) -> None:
    error = failure(written(b"a\tb\ncaf\xe9\tcoffee\n"))
    assert (error.code, error.values["line"]) == ("corpus_not_utf8", 2)
    assert "UTF-8" in str(error)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf16_is_named(written: Callable[[bytes], Path], encoding: str) -> None:
    assert failure(written("\ufeffa\tb\n".encode(encoding))).code == "corpus_utf16"


@pytest.mark.parametrize("name", ["p.gz", "p.xz", "p.bz2", "p.zip"])
def test_archive_that_is_none(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(TEXT)
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


def test_zip_without_or_with_many_texts(tmp_path: Path) -> None:
    path = tmp_path / "p.zip"
    _zip(path, {})
    assert failure(path).code == "corpus_no_member"
    _zip(path, {"a.bin": b"x", "b.bin": b"x", "_about.txt": b"x"})
    assert failure(path).code == "corpus_no_member"
    _zip(path, {"a.txt": b"x", "b.tsv": b"x"})
    assert failure(path).code == "corpus_many_members"


def test_progress_and_cancel(written: Callable[[bytes], Path]) -> None:
    path = written(b"a\tb\n" * 5000)
    seen: list[tuple[int, int]] = []
    assert len(read_pairs(path, progress=lambda done, total: seen.append((done, total)))) == 5000
    size = path.stat().st_size
    assert seen == sorted(seen)
    assert seen[-1] == (size, size)
    assert len(seen) == 6
    answers = iter([False, True])
    reading = iter_pairs(path, should_cancel=lambda: next(answers))
    assert len(list(islice(reading, 1000))) == 1000
    with pytest.raises(HeadscopeError) as error:
        next(reading)
    assert error.value.code == "cancelled"


def test_sha256_is_of_the_bytes_on_disk(written: Callable[[bytes], Path]) -> None:
    path = written(TEXT)
    assert file_sha256(path) == hashlib.sha256(path.read_bytes()).hexdigest()


def test_split_by_hash() -> None:
    # Worked apart from the code with sha1sum and the shell's arithmetic: 0x3be76cc0 % 100 = 0, and so on.
    assert [tatoeba_hash_part(source) for source in ("207", "223")] == ["test", "test"]
    assert [tatoeba_hash_part(source) for source in ("11", "23")] == ["dev", "dev"]
    assert [tatoeba_hash_part(source) for source in ("Go.", "我爱你。")] == ["train", "train"]
    sources = [f"sentence {i}" for i in range(20_000)]
    parts = [tatoeba_hash_part(source) for source in sources]
    assert 120 < parts.count("test") < 280
    assert 120 < parts.count("dev") < 280
    pairs = [(source, "t") for source in sources]
    together = [len(split_pairs(pairs, part)) for part in ("train", "dev", "test")]  # type: ignore[arg-type]
    assert sum(together) == len(pairs)
    assert split_pairs([("x", "1"), ("x", "2")], tatoeba_hash_part("x")) == [("x", "1"), ("x", "2")]


def test_references_keep_file_order() -> None:
    pairs = [("b", "1"), ("a", "2"), ("b", "3"), ("b", "1")]
    assert references(pairs) == [("b", ["1", "3", "1"]), ("a", ["2"])]


@pytest.fixture(scope="module")
def letters() -> SentencePieceTokenizer:
    data = train_tokenizer(["a", "b", "c"], vocab_size=8, dummy_prefix=False, byte_fallback=False)
    return SentencePieceTokenizer.from_bytes(data)


def test_encoded_corpus(letters: SentencePieceTokenizer) -> None:
    pairs = [("ab", "c"), ("", "a"), ("a", ""), ("abc", "abc"), ("abca", "a"), ("a", "abca"), ("c", "ba")]
    seen: list[tuple[int, int]] = []
    corpus = encode_corpus(pairs, letters, letters, 4, progress=lambda *step: seen.append(step))
    a, b, c = (letters.encode(letter)[0] for letter in "abc")
    assert len(corpus) == 3
    assert (corpus.dropped_empty, corpus.dropped_long) == (2, 2)
    assert corpus.source_ids.dtype == np.int32
    assert corpus.source_offsets.dtype == np.int64
    assert [corpus.source(i).tolist() for i in range(3)] == [[a, b, 3], [a, b, c, 3], [c, 3]]
    assert [corpus.target(i).tolist() for i in range(3)] == [[c], [a, b, c], [b, a]]
    assert corpus.source_lengths.tolist() == [3, 4, 2]
    assert corpus.target_lengths.tolist() == [1, 3, 2]
    assert seen == [(0, 7), (7, 7)]


def test_encoding_nothing_and_cancelling(letters: SentencePieceTokenizer) -> None:
    assert len(encode_corpus([], letters, letters, 4)) == 0
    with pytest.raises(HeadscopeError) as error:
        encode_corpus([("a", "b")], letters, letters, 4, should_cancel=lambda: True)
    assert error.value.code == "cancelled"
