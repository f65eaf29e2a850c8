"""`-` in the place of TEXT, in every command that takes one."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from main import main
from model.commands import standard_input
from model.trace.trace_file import open_trace
from tests.assets import PAIRS, SENTENCE

pytestmark = pytest.mark.usefixtures("qapp")  # `render` would make one that no window can use

GOOD = (f"{SENTENCE}\n", f"\ufeff\r\n \r\n{SENTENCE}\r\n\n", SENTENCE)
BAD = (
    (b"", "no sentence on standard input"),
    (b" \n\r\n", "no sentence on standard input"),
    (b"one\n\ntwo\n", "a second sentence, in line 3"),
    (b"\n\xff\xfeone\n", "line 2 of the input is not UTF-8"),
    (SENTENCE.encode("utf-16"), "not UTF-8"),
    (b"a" * (standard_input.LONGEST_LINE + 1), "line 1 of standard input is longer than 1.0 MB"),
)


@pytest.fixture
def commands(tiny_bundle: Path, tmp_path: Path) -> list[list[str]]:
    model = ["--model", str(tiny_bundle)]
    return [
        ["trace", *model, "--out", str(tmp_path / "a.trace")],
        ["translate", *model, "--target", PAIRS[2][1]],
        ["render", *model, "--out", str(tmp_path / "a.csv")],
        ["heads", *model, "--json", "--out", str(tmp_path / "a.json")],
        ["align", *model, "--head", "mean", "--rule", "reads", "--out", str(tmp_path / "a.pharaoh")],
    ]


def sent(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_one_sentence_is_read(
    commands: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for command in commands:
        assert main([*command, SENTENCE]) == 0
    named = written(tmp_path)
    for text in GOOD:
        for command in commands:
            sent(monkeypatch, text.encode())
            assert main([*command, "-"]) == 0, command
        assert written(tmp_path) == named
    assert open_trace(tmp_path / "a.trace").src_text == SENTENCE


def test_anything_else_gets_one_sentence(
    commands: list[list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for data, sentence in BAD:
        for command in commands:
            sent(monkeypatch, data)
            assert main([*command, "-"]) == 1, command
            printed = capsys.readouterr()
            assert printed.out == ""
            assert printed.err.startswith("headscope: error: ")
            assert printed.err.count("\n") == 1
            assert sentence in printed.err
    assert written(tmp_path) == {}


def test_a_folder_on_standard_input(
    commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Folder(io.BytesIO):
        def readline(self, size: int | None = -1, /) -> bytes:
            raise IsADirectoryError(21, "Is a directory")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Folder(), encoding="ascii"))
    assert main([*commands[0], "-"]) == 1
    assert "standard input cannot be read (Is a directory)" in capsys.readouterr().err


def test_who_types_a_line_need_not_end_the_input(monkeypatch: pytest.MonkeyPatch) -> None:
    class Terminal(io.TextIOWrapper):
        def isatty(self) -> bool:
            return True

    source = io.BytesIO(b"\nfirst\nsecond\n")
    monkeypatch.setattr(sys, "stdin", Terminal(source))
    assert standard_input.one_text("-") == "first"
    assert source.read() == b"second\n"


def test_an_endless_line_is_not_kept(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of a line of 64 MB no piece is longer than the limit, and the lines behind it are translated."""
    asked: list[int] = []

    class Endless(io.BytesIO):
        lines: Iterator[bytes] = iter([*[b"a" * (1 << 20)] * 64, b"\n", PAIRS[0][0].encode()])

        def readline(self, size: int | None = -1, /) -> bytes:
            asked.append(size or -1)
            return next(self.lines, b"")[: size or -1]

    monkeypatch.setattr(standard_input, "LONGEST_LINE", (1 << 20) - 1)
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(Endless(), encoding="ascii"))
    assert main(["translate", "--model", str(tiny_bundle), "--json", "-"]) == 1
    first, second = map(json.loads, capsys.readouterr().out.splitlines())
    assert "line 1" in first["error"]
    assert second["text"] == PAIRS[0][1]
    assert set(asked) == {1 << 20}


def test_translate_says_that_nothing_came(
    tiny_bundle: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No lines are no sentences, in a pipe too: nothing has failed."""
    sent(monkeypatch, b"")
    assert main(["translate", "--model", str(tiny_bundle), "-"]) == 0
    assert capsys.readouterr() == ("", "headscope: note: there is nothing on standard input\n")
