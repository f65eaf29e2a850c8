from __future__ import annotations

import lzma
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.data.pairs import text as text_module
from model.data.pairs.pair_files import Columns, Pair, PairReader
from model.errors import HeadscopeError
from tests.model.data.packed import SAME_FOLDER, failure, read_pairs, write_zip

TEXT = "Go.\tVa !\tCC-BY\r\n\r\nHi.\tSalut\u202f!\n\nA\u2028b\u00a0c\x85d\tx\x0by\x1cz\n".encode()
PAIRS = [("Go.", "Va !"), ("Hi.", "Salut\u202f!"), ("A\u2028b\u00a0c\x85d", "x\x0by\x1cz")]

LINE_TEXT = st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]), max_size=12)


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    """Text is read a few bytes at a time, so that lines and characters fall apart."""
    monkeypatch.setattr(text_module, "_CHUNK", 5)


def parallel(first: Path, second: Path, **options: object) -> list[Pair]:
    with PairReader([first, second], **options) as reader:  # type: ignore[arg-type]
        return [(source, target) for _, source, target in reader.rows()]


# tab-separated


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_every_container_gives_the_same_pairs(written: Callable[[bytes], Path], mark: bytes) -> None:
    assert read_pairs(written(mark + TEXT)) == PAIRS


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_read_in_small_pieces(written: Callable[[bytes], Path], mark: bytes) -> None:
    assert read_pairs(written(mark + TEXT)) == PAIRS


def test_last_line_without_end(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b"a\tb\nc\td")
    assert read_pairs(path) == [("a", "b"), ("c", "d")]


def test_an_empty_side_is_still_a_pair(tmp_path: Path) -> None:
    path = tmp_path / "p"
    path.write_bytes(b"a\t\n\tb\n \t\n")
    assert read_pairs(path) == [("a", ""), ("", "b")]


@given(
    st.lists(
        st.tuples(LINE_TEXT, LINE_TEXT).filter(
            lambda pair: (
                pair[0].strip() != ""
                and not pair[0].startswith("\ufeff")
                and "\t" not in "".join(pair)
                and not pair[0].startswith("\0")
            )
        ),
        min_size=1,
    ),
    st.integers(1, 40),
)
@settings(max_examples=60, deadline=None, suppress_health_check=SAME_FOLDER)
def test_whatever_is_written_is_read(tmp_path: Path, pairs: list[tuple[str, str]], size: int) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes("".join(f"{a}\t{b}\n" for a, b in pairs).encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "_CHUNK", size)
        assert read_pairs(path, encoding="utf-8") == pairs


@pytest.mark.parametrize(
    ("columns", "pairs"),
    [
        (("1", "2"), [("id", "French"), ("7", "Salut."), ("8", "Oui.")]),
        (("3", "2"), [("English", "French"), ("Hi.", "Salut."), ("Yes.", "Oui.")]),
        (("English", "French"), [("Hi.", "Salut."), ("Yes.", "Oui.")]),
        (("3", "French"), [("Hi.", "Salut."), ("Yes.", "Oui.")]),
    ],
)
@pytest.mark.parametrize("name", ["p.tsv", "p.csv"])
def test_columns_by_number_and_by_name(
    tmp_path: Path, columns: Columns, pairs: list[Pair], name: str
) -> None:
    path = tmp_path / name
    path.write_bytes(b"\nid\tFrench\tEnglish\n7\tSalut.\tHi.\n8\tOui.\tYes.\n")
    assert read_pairs(path, columns) == pairs


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"id\ten\tfr\n1\tHi.\n")
    error = failure(path, ("en", "French"))
    assert error.code == "corpus_no_column"
    assert "'French'" in str(error)
    assert "'id', 'en', 'fr'" in str(error)
    error = failure(path, ("2", "3"))
    assert (error.code, error.values["line"]) == ("corpus_column", 2)
    assert "no column 3; it has 2: '1', 'Hi.'" in str(error)
    assert failure(path, ("1", "9" * 5000)).code == "corpus_no_column"
    assert failure(path, ("0", "1")).code == "corpus_column"
    path.write_bytes(("\t".join(f"column {i} " + "x" * 90 for i in range(400)) + "\n").encode())
    assert len(str(failure(path, ("1", "500")))) < 700 + len(str(path))


def test_one_column_names_the_first_line(written: Callable[[bytes], Path]) -> None:
    error = failure(written(b"a\tb\n\nonly one\nagain\n"))
    assert (error.code, error.values["line"]) == ("corpus_one_column", 3)


# parallel files


@given(st.lists(st.tuples(LINE_TEXT, LINE_TEXT), min_size=1), st.booleans(), st.integers(1, 40))
@settings(max_examples=60, deadline=None, suppress_health_check=SAME_FOLDER)
def test_parallel_lines_stay_together(tmp_path: Path, pairs: list[Pair], ended: bool, size: int) -> None:
    for side, name in ((0, "p.en.xz"), (1, "p.fr")):
        data = "\n".join(pair[side] for pair in pairs).encode() + (
            b"\n" if ended or not pairs[-1][side] else b""
        )
        data = b"\xef\xbb\xbf" + data
        (tmp_path / name).write_bytes(lzma.compress(data) if name.endswith("xz") else data)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "_CHUNK", size)
        assert parallel(tmp_path / "p.en.xz", tmp_path / "p.fr", encoding="utf-8") == pairs


@pytest.mark.parametrize(("first", "second"), [(3, 5), (5, 3), (0, 2)])
def test_parallel_files_of_unequal_length(tmp_path: Path, first: int, second: int) -> None:
    one, two = tmp_path / "p.en", tmp_path / "p.fr"
    one.write_bytes(b"a\n" * first)
    two.write_bytes(b"b\n" * (second - 1) + b"b")
    with pytest.raises(HeadscopeError) as error:
        parallel(one, two)
    assert error.value.code == "corpus_unequal"
    assert f"{one} has {first} lines and {two} has {second}" in str(error.value)


def test_parallel_files_out_of_one_zip(tmp_path: Path) -> None:
    path = tmp_path / "en-fr.txt.zip"
    write_zip(
        path, {"README": b"x", "T.en-fr.en": b"Hi.\n", "T.en-fr.fr": b"Salut.\n", "T.en-fr.ids": b"1\n"}
    )
    assert parallel(path, path, languages=("en", "fr")) == [("Hi.", "Salut.")]
    with pytest.raises(HeadscopeError) as error:
        parallel(path, path)
    assert error.value.code == "corpus_no_member"


def test_parallel_files_that_are_empty_or_missing(tmp_path: Path) -> None:
    one, two = tmp_path / "p.en", tmp_path / "p.fr"
    one.touch()
    with pytest.raises(HeadscopeError) as error:
        parallel(one, two)
    assert (error.value.code, error.value.values["path"]) == ("corpus_missing", str(two))
    two.touch()
    with pytest.raises(HeadscopeError) as error:
        parallel(one, two)
    assert error.value.code == "corpus_empty"


# progress


def test_progress(written: Callable[[bytes], Path]) -> None:
    path = written(b"a\tb\n" * 50_000)
    with PairReader([path]) as reader:
        seen = [(reader.done, reader.total) for _ in reader.rows()]
    size = path.stat().st_size
    assert len(seen) == 50_000
    assert seen == sorted(seen)
    assert {total for _, total in seen} == {size}
    assert seen[0][0] > 0
    assert seen[-1][0] > size / 2  # a zip ends with its table of contents


def test_blank_lines_can_be_cancelled_too(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"\n" * 1_000_000)
    asked: list[bool] = []

    def check() -> None:
        asked.append(True)
        if len(asked) > 3:
            raise HeadscopeError("cancelled")

    with PairReader([path], check=check) as reader, pytest.raises(HeadscopeError) as error:
        list(reader.rows())
    assert error.value.code == "cancelled"
