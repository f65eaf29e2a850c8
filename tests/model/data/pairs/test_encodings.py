from __future__ import annotations

import codecs
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from model.data.pairs import text as text_module
from model.data.pairs.encodings import COMMON, check_encoding, detect_encoding
from model.data.pairs.pair_files import Pair, PairReader
from model.errors import HeadscopeError

FRENCH = [
    ("The boy was astonished.", "Le garçon a été très étonné d'être là où il n'était jamais allé."),
    ("Soon it will be summer.", "Ça va être bientôt l'été, à mon goût."),
]
CHINESE = [("I gave him an apple.", "我给了他一个苹果。"), ("I love you.", "我爱你。")]
JAPANESE = [("I gave him an apple.", "私は彼にりんごをあげました。"), ("I like cats.", "猫が好きです。")]
RUSSIAN = [("Where is it?", "Где яблоко?"), ("The girl.", "Маленькая девочка дала брату красное яблоко.")]
KOREAN = [("I gave him an apple.", "나는 그에게 사과를 주었다."), ("I like cats.", "고양이를 좋아해요.")]
GREEK = [("The girl.", "Το κορίτσι έδωσε στον αδελφό της ένα κόκκινο μήλο.")]
POLISH = [("The girl.", "Dziewczynka dała swojemu bratu czerwone jabłko, więc się ucieszył.")]

DETECTED = [
    (FRENCH, "cp1252"),
    (FRENCH, "latin-1"),
    (CHINESE, "gb18030"),
    (CHINESE, "gb2312"),
    (JAPANESE, "shift_jis"),
    (JAPANESE, "euc_jp"),
    (RUSSIAN, "cp1251"),
    (RUSSIAN, "koi8-r"),
    (KOREAN, "euc_kr"),
    (GREEK, "cp1253"),
    (POLISH, "cp1250"),
    (POLISH, "iso8859-2"),
]


SAME_FOLDER = [HealthCheck.function_scoped_fixture]  # each example writes its files anew


def read(path: Path, encoding: str = "auto") -> tuple[list[Pair], list[str]]:
    with PairReader([path], encoding=encoding) as reader:
        return [(source, target) for _, source, target in reader.rows()], reader.encodings


def lines(pairs: list[Pair]) -> str:
    return "".join(f"{source}\t{target}\r\n" for source, target in pairs)


def failure(path: Path, encoding: str = "auto") -> HeadscopeError:
    with pytest.raises(HeadscopeError) as error:
        read(path, encoding)
    assert "\n" not in str(error.value)
    return error.value


@pytest.fixture(params=[5, 11, 1 << 16])
def piece(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Read so many bytes at a time."""
    monkeypatch.setattr(text_module, "_CHUNK", request.param)


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(
    ("encoding", "mark", "name"),
    [
        ("utf-8", b"", "utf-8"),
        ("utf-8", codecs.BOM_UTF8, "utf-8"),
        ("utf-16-le", codecs.BOM_UTF16_LE, "utf-16"),
        ("utf-16-be", codecs.BOM_UTF16_BE, "utf-16"),
        ("utf-32-le", codecs.BOM_UTF32_LE, "utf-32"),
        ("utf-32-be", codecs.BOM_UTF32_BE, "utf-32"),
    ],
)
def test_unicode_by_its_mark(tmp_path: Path, encoding: str, mark: bytes, name: str) -> None:
    pairs = [*CHINESE, *FRENCH, ("😀", "a\u2028b")]
    path = tmp_path / "p.tsv"
    path.write_bytes(mark + lines(pairs).encode(encoding))
    found, (taken,) = read(path, name if len(mark) > 4 else "auto")
    assert found == pairs
    assert taken.removesuffix("-sig") == name


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("pairs", [FRENCH, CHINESE])
def test_unicode_without_a_mark(tmp_path: Path, encoding: str, pairs: list[Pair]) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(lines(pairs).encode(encoding))
    assert read(path) == (pairs, [encoding])


@pytest.mark.parametrize(("pairs", "encoding"), DETECTED)
@pytest.mark.parametrize("before", [0, 5000])
def test_found_out(tmp_path: Path, pairs: list[Pair], encoding: str, before: int) -> None:
    """The encoding is found out at the first bytes beyond ASCII, however far down they are."""
    path = tmp_path / "p.tsv"
    path.write_bytes(b"No.\tYes, it is about this long.\n" * before + (lines(pairs) * 3).encode(encoding))
    found, _ = read(path)
    assert found == [("No.", "Yes, it is about this long.")] * before + pairs * 3


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(("pairs", "encoding"), DETECTED)
def test_named(tmp_path: Path, pairs: list[Pair], encoding: str) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(lines(pairs).encode(encoding))
    assert read(path, encoding) == (pairs, [encoding])


@given(
    st.lists(st.text(st.characters(codec="cp1251", exclude_characters="\t\r\n\0"), min_size=1), min_size=1)
)
@settings(max_examples=50, deadline=None, suppress_health_check=SAME_FOLDER)
def test_named_round_trip(tmp_path: Path, texts: list[str]) -> None:
    pairs = [(f".{text}", text) for text in texts]
    path = tmp_path / "p.tsv"
    path.write_bytes(lines(pairs).encode("cp1251"))
    assert read(path, "CP1251")[0] == pairs


@pytest.mark.usefixtures("piece")
def test_damaged_utf8_names_the_line(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    good = "été\tsummer\n".encode()
    path.write_bytes(good * 4 + b"caf\xe9\tcoffee\n" + good)
    error = failure(path)
    assert (error.code, error.values["line"]) == ("corpus_not_utf8", 5)
    # The damage may come first; what follows shows that it is one.
    path.write_bytes(b"caf\xe9\tcoffee\n" + good * 4)
    error = failure(path)
    assert (error.code, error.values["line"]) == ("corpus_not_utf8", 1)
    path.write_bytes(good + "é".encode()[:1])
    assert (failure(path).values["line"], failure(path).code) == (2, "corpus_not_utf8")


@pytest.mark.usefixtures("piece")
@pytest.mark.parametrize(
    ("encoding", "data", "line"),
    [
        ("ascii", b"a\tb\nc\t\xe9\n", 2),
        ("shift_jis", b"a\tb\n\nc\t\xff\n", 3),
        ("utf-16", "a\tb\nc\td\n".encode("utf-16")[:-1], 2),
        ("utf-16", b"a\tb\n", 1),
        ("gb18030", b"a\tb\nc\t\x81", 2),
    ],
)
def test_not_the_named_encoding(tmp_path: Path, encoding: str, data: bytes, line: int) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(data)
    error = failure(path, encoding)
    assert (error.code, error.values["line"], error.values["encoding"]) == (
        "corpus_undecodable",
        line,
        encoding,
    )


def test_no_text_at_all(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 20)
    assert failure(path).code in ("corpus_encoding", "corpus_one_column")
    path.write_bytes(bytes(range(128, 256)) * 20 + os.urandom(20))
    assert failure(path).code == "corpus_encoding"


@pytest.mark.parametrize("name", ["no-such", "base64", "hex", "", " ", "utf\0", "undefined", "é", "x" * 300])
def test_no_such_encoding(tmp_path: Path, name: str) -> None:
    with pytest.raises(HeadscopeError) as error:
        check_encoding(name)
    assert error.value.code == "corpus_encoding_unknown"
    path = tmp_path / "p.tsv"
    path.write_bytes(b"a\tb\n")
    assert failure(path, name).code == "corpus_encoding_unknown"


def test_codecs_that_give_lone_surrogates(tmp_path: Path) -> None:
    path = tmp_path / "p.tsv"
    path.write_bytes(b"a\\ud800b\tc\n")
    assert read(path, "unicode_escape")[0] == [("a\ufffdb", "c")]


@pytest.mark.parametrize("name", COMMON)
def test_every_common_encoding_can_be_found(name: str) -> None:
    """Of guesses that read the sample alike the commonest is named, and it reads as the true one does."""
    texts = {"cp1251": RUSSIAN, "koi8_r": RUSSIAN, "iso8859_5": RUSSIAN, "gb18030": CHINESE, "cp949": KOREAN}
    texts |= dict.fromkeys(("cp932", "euc_jp"), JAPANESE) | dict.fromkeys(("cp1253", "iso8859_7"), GREEK)
    data = "\n".join(f"{a} {b}" for a, b in texts.get(name, FRENCH)).encode(name, "ignore")
    found = detect_encoding(data)
    assert found is not None
    assert found in COMMON


@given(st.binary(max_size=300))
@settings(max_examples=200, deadline=None, suppress_health_check=SAME_FOLDER)
def test_any_bytes_are_read_or_refused_in_a_sentence(tmp_path: Path, data: bytes) -> None:
    for name in ("p.tsv", "p.csv"):
        path = tmp_path / name
        path.write_bytes(data)
        try:
            read(path)
        except HeadscopeError as error:
            assert error.code.startswith("corpus_")  # noqa: PT017 (some bytes may well read)
