"""Pharaoh format and gold links: read, written, refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.alignment.links import Gold
from model.alignment.pharaoh import parse_line, read_pharaoh, write_line, write_pharaoh
from model.errors import HeadscopeError

LINKS = st.lists(st.tuples(st.integers(0, 300), st.integers(0, 300)), max_size=30).map(tuple)
GOLDS = st.builds(Gold, sure=LINKS, possible=LINKS)


def code_of(text: str, *, one_based: bool = False, line: int = 1) -> tuple[str, dict[str, object]]:
    with pytest.raises(HeadscopeError) as caught:
        parse_line(text, one_based=one_based, line=line)
    return caught.value.code, caught.value.values


def test_sure_and_possible_links_by_hand() -> None:
    gold = parse_line("  0-0 2-1\t1p2 3?2 10-11 ")
    assert gold.sure == ((0, 0), (2, 1), (10, 11))
    assert gold.possible == ((1, 2), (3, 2))
    assert write_line(gold) == "0-0 1p2 2-1 3p2 10-11"
    assert parse_line("") == parse_line("   ") == Gold()


def test_words_count_from_one_only_if_that_is_chosen() -> None:
    assert parse_line("1-1 2p3", one_based=True) == Gold(((0, 0),), ((1, 2),))
    assert parse_line("1-1 2p3") == Gold(((1, 1),), ((2, 3),))
    assert write_line(Gold(((0, 0),), ((1, 2),)), one_based=True) == "1-1 2p3"
    assert write_line(Gold(((0, 0), (1, 2), (2, 1)))) == "0-0 1-2 2-1"
    assert write_line(Gold()) == ""
    assert code_of("1-1 0-2", one_based=True, line=7) == ("pharaoh_zero", {"token": "0-2", "line": 7})


@pytest.mark.parametrize(
    "token",
    [
        "1",
        "a-b",
        "1-",
        "-1",
        "1--2",
        "1-2-3",
        "1,2",
        "1P2",
        "١-٢",
        "1-2:0.5",
        "1.0-2",
        "9999999999-1",
        "100000-1",
    ],
)
def test_a_bad_link_is_named_with_its_line(token: str) -> None:
    assert code_of(f"0-0 {token} 1-1", line=3) == ("pharaoh_link", {"token": token, "line": 3})


def test_a_long_bad_link_is_shortened() -> None:
    code, values = code_of("x" * 5000)
    assert code == "pharaoh_link"
    assert len(str(values["token"])) < 60


@given(GOLDS, st.booleans())
def test_what_is_written_is_read_again(gold: Gold, one_based: bool) -> None:
    assert parse_line(write_line(gold, one_based=one_based), one_based=one_based) == gold


@given(GOLDS)
def test_json_gives_links_back(gold: Gold) -> None:
    worded = Gold(gold.sure, gold.possible, "les mots", "the words")
    for links in (gold, worded):
        assert Gold.from_json(json.loads(json.dumps(links.to_json()))) == links


def test_what_is_sure_is_not_possible_too() -> None:
    gold = Gold(((1, 1), (0, 0), (1, 1)), ((1, 1), (2, 2)))
    assert gold == Gold(((0, 0), (1, 1)), ((2, 2),))
    assert gold.allowed == {(0, 0), (1, 1), (2, 2)}


def test_a_link_goes_from_none_to_sure_to_possible_to_none() -> None:
    gold = Gold(((0, 0),))
    kinds = []
    for _ in range(3):
        gold = gold.toggled((4, 5))
        kinds.append(gold.kind_of((4, 5)))
        assert gold.kind_of((0, 0)) == "sure"
    assert kinds == ["sure", "possible", None]
    assert gold == Gold(((0, 0),))


@pytest.mark.parametrize(
    "values",
    [
        None,
        [],
        {"sure": "0-0"},
        {"sure": 1},
        {"sure": [[0]]},
        {"sure": [[0, 1, 2]]},
        {"sure": [[0, True]]},
        {"sure": [[0, -1]]},
        {"possible": [[0, 1.5]]},
        {"possible": [["0", "1"]]},
        {"source": 3},
    ],
)
def test_json_that_describes_no_links_is_refused(values: object) -> None:
    with pytest.raises(ValueError, match=r"."):
        Gold.from_json(values)


def test_words_that_are_not_there() -> None:
    gold = Gold(((0, 0), (2, 1)))
    assert gold.check(3, 2) is gold
    for sizes in ((2, 2), (3, 1)):
        with pytest.raises(HeadscopeError, match="count from 1, choose that") as caught:
            gold.check(*sizes, line=9)
        assert caught.value.values["link"] == "2-1"
        assert caught.value.values["line"] == 9
        with pytest.raises(HeadscopeError) as caught:
            gold.check(*sizes, one_based=True)
        assert caught.value.code == "pharaoh_range_one"
        assert caught.value.values["link"] == "3-2"


def test_files_keep_their_blank_lines(tmp_path: Path) -> None:
    path = tmp_path / "gold.pharaoh"
    path.write_bytes("\ufeff0-0\r\n\r\n1p1\r\n".encode())
    assert read_pharaoh(path) == [Gold(((0, 0),)), Gold(), Gold((), ((1, 1),))]
    path.write_bytes(b"0-0\n\n1-1")
    assert [len(gold.sure) for gold in read_pharaoh(path)] == [1, 0, 1]
    golds = [Gold(((3, 4),)), Gold(), Gold((), ((0, 0),))]
    write_pharaoh(path, golds)
    assert path.read_bytes() == b"3-4\n\n0p0\n"
    assert read_pharaoh(path) == golds


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "gold.pharaoh"
    path.write_bytes(b"0-0\n\xff\xfe")
    with pytest.raises(HeadscopeError) as caught:
        read_pharaoh(path)
    assert caught.value.code == "pharaoh_not_utf8"
    path.write_bytes(b"0-0\n1-1\n2+2\n")
    with pytest.raises(HeadscopeError) as caught:
        read_pharaoh(path)
    assert caught.value.values == {"token": "2+2", "line": 3}
