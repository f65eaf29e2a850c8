from __future__ import annotations

import csv
import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.data.pairs import text as text_module
from model.data.pairs.pair_files import Pair, PairReader
from tests.model.data.packed import SAME_FOLDER, failure, read_pairs, write_zip

FIELD_TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)


@given(
    st.lists(st.lists(FIELD_TEXT, min_size=3, max_size=3), min_size=1, max_size=8),
    st.sampled_from(",;\t"),
    # Before Python 3.13 the writer leaves a bare CR unquoted where lines end in LF alone.
    st.sampled_from([(csv.QUOTE_MINIMAL, "\r\n"), (csv.QUOTE_ALL, "\r\n"), (csv.QUOTE_ALL, "\n")]),
    st.integers(1, 40),
)
@settings(max_examples=150, deadline=None, suppress_health_check=SAME_FOLDER)
def test_csv_as_the_csv_module_writes_it(
    tmp_path: Path,
    records: list[list[str]],
    delimiter: str,
    style: tuple[int, str],
    size: int,
) -> None:
    # Two headed columns of known text tell the delimiter, whatever the others hold.
    rows = [["source", "target", *(f"c{i}" for i in range(3))]] + [["s", "t", *record] for record in records]
    out = io.StringIO(newline="")
    quoting, end = style
    csv.writer(out, delimiter=delimiter, quoting=quoting, lineterminator=end).writerows(rows)  # type: ignore[arg-type]
    path = tmp_path / "p.csv"
    path.write_bytes(out.getvalue().encode())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(text_module, "_CHUNK", size)
        read = read_pairs(path, ("c0", "5"), "utf-8")
    assert read == [(record[0], record[2]) for record in records]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a,b\nc,d\n", [("a", "b"), ("c", "d")]),
        ("a, b;c, d\nNo;Non\nI, too;Si\n", [("a, b", "c, d"), ("No", "Non"), ("I, too", "Si")]),
        ("Hello, you\tSalut; toi\n", [("Hello, you", "Salut; toi")]),
        ('"a, ""b""","c\r\nd"\r\n\r\ne,f', [('a, "b"', "c\r\nd"), ("e", "f")]),
        ("a,b\rc,d\r", [("a", "b"), ("c", "d")]),
        ("a,\n , \n,b\n", [("a", ""), ("", "b")]),
    ],
)  # fmt: skip
@pytest.mark.parametrize("small", [False, True])
def test_csv_by_hand(
    tmp_path: Path, text: str, pairs: list[Pair], small: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    if small:
        monkeypatch.setattr(text_module, "_CHUNK", 1)
    path = tmp_path / "p.csv.gz"
    path.write_bytes(gzip.compress(text.encode()))
    assert read_pairs(path) == pairs


def test_csv_is_told_by_the_name_also_inside_awrite_zip(tmp_path: Path) -> None:
    data = b'"a\tb",c\n'
    for name, member in (("p.zip", "p.csv"), ("p.csv.zip", "data"), ("P.CSV", None)):
        path = tmp_path / name
        if member is None:
            path.write_bytes(data)
        else:
            write_zip(path, {member: data})
        assert read_pairs(path) == [("a\tb", "c")]
    # Elsewhere a quote is a quote.
    (tmp_path / "p.tsv").write_bytes(b'"a"\tb\n')
    assert read_pairs(tmp_path / "p.tsv") == [('"a"', "b")]


@pytest.mark.parametrize("text", ['a,b\n"c,d\ne,f\n', 'a,b\n"c" d,e\n', "a,b\n" + "x" * 200_000 + ",y\n"])
def test_csv_that_is_none_names_the_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    error = failure(path)
    assert (error.code, error.values["line"]) == ("corpus_csv", 2)


def test_csv_with_too_few_columns_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text('"a\nb",c\nd\n')
    error = failure(path)
    assert (error.code, error.values["line"], error.values["columns"]) == ("corpus_column", 3, "'d'")


def test_header_of_a_csv(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("en,fr\nHi.,Salut.\n")
    with PairReader([path]) as reader:
        assert list(reader.rows()) == [(1, "en", "fr"), (2, "Hi.", "Salut.")]
        assert (reader.layout, reader.header) == ("csv", ("en", "fr"))
    with PairReader([path], ("fr", "en")) as reader:
        assert list(reader.rows()) == [(2, "Salut.", "Hi.")]
        assert reader.header == ("en", "fr")
