"""Copied commands: one command to a shell whatever stands in them, and the same words again to the parser."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from model.commands import align, heads, trace, translate
from model.quoting import can_be_said, joined, quoted_windows
from tests.shells import at_the_prompt, split_windows
from viewer.commands.render_arguments import build_parser as render_parser
from viewer.export.command_line import option

BASH = shutil.which("bash")
needs_bash = pytest.mark.skipif(BASH is None or os.name == "nt", reason="no bash here")

CONTROLS = "\n\r\t\x1b\x07\x7f\x9b\u2028\u202e\u2066\u200e\ufeff\U000e0041"
WORDS = [
    "a\nrm -rf ~\n",
    "\x1b[31mred\x1b]0;title\x07",
    "two\r\nlines\u2028three",
    "\u202egnp.exe\u2066 it's \\033 $HOME `x` $(x) !! \\'",
    "it's\n!!'",
    "-5 degrees",
    "--x",
    "-",
    "--",
    "=ls",
    "",
    "~",
    "猫\u3000坐\u00a0在",
    "می\u200cخواهم 👩\u200d👩",
    "name\udcff\udc80.trace",
    "\x01" + "7",
]
plain = st.characters(exclude_characters="\0", exclude_categories=["Cs"])
texts = st.one_of(st.text(st.one_of(plain, st.sampled_from(CONTROLS)), max_size=12), st.sampled_from(WORDS))
values = texts.filter(lambda text: text != "--")  # which argparse takes away wherever it stands


def told_by_bash(line: str) -> list[str]:
    """The arguments of `headscope`, and that it was the only command; history as in a terminal."""
    assert BASH is not None
    script = 'headscope() { printf "%s\\0" "$@"; }\n' + line + "\n"
    done = subprocess.run(
        [BASH, "--norc", "--noprofile"], input=os.fsencode(script), capture_output=True, check=True
    )
    assert done.stderr == b""
    *words, rest = done.stdout.split(b"\0")
    assert rest == b""
    return [os.fsdecode(word) for word in words]


@needs_bash
@settings(max_examples=40, deadline=None)
@given(st.lists(texts, min_size=1, max_size=12))
def test_bash_gives_the_words_back(words: list[str]) -> None:
    line = joined(["headscope", *words])
    assert told_by_bash(line) == words


@needs_bash
def test_the_worst_words_come_back() -> None:
    line = joined(["headscope", *WORDS])
    assert told_by_bash(line) == WORDS
    assert not set(line) & set(CONTROLS)
    assert joined(["headscope", "a b", "猫", "it's"]) == """headscope 'a b' '猫' 'it'"'"'s'"""


@settings(max_examples=100, deadline=None)
@given(texts, values, values)
def test_every_parser_takes_what_is_copied(text: str, name: str, value: str) -> None:
    """A text behind `--`, and names and values that begin with a dash as options of their own."""
    model, words = [*option("--model", name)], ["--", text]
    for command in (trace, translate, heads, align):
        given_words = [*model, *([] if command is translate else option("--out", value)), *words]
        found = command.build_parser().parse_args(given_words)
        assert found.model == name
        assert found.text == ([text] if command is translate else text)
        assert command is translate or found.out == value
    found = render_parser().parse_args(
        [*model, *option("--out", value), *option("--source-words", value), *words]
    )
    assert (found.model, found.out, found.source_words, found.text) == (name, value, value, text)


def test_dashes_need_no_equals_sign(capsys: pytest.CaptureFixture[str]) -> None:
    parser = trace.build_parser()
    for words in (["-5 degrees"], ["-high today"], ["--no such - thing"], ["--", "-5"]):
        assert parser.parse_args(["--out", "-a.trace", "--target", "--x", *words]).text == words[-1]
    found = align.build_parser().parse_args(["--parallel", "-a", "--b", "--tokenized", "-c", "--line", "3"])
    assert (found.parallel, found.tokenized, found.line) == (["-a", "--b"], ["-c"], 3)
    # What is an option is none of its values, and what may be a misspelled one is no text.
    for words in (["--target", "--float16", "tea"], ["--flaot16", "tea"], ["-x"], ["--out"]):
        with pytest.raises(SystemExit) as caught:
            parser.parse_args(["--out", "a.trace", *words])
        assert caught.value.code == 2
    assert "usage: headscope trace" in capsys.readouterr().err


def test_usage_commands_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        trace.build_parser().parse_args(["--out", "a.trace", "tea", "--\x1b]0;title\x07\u202e\nx"])
    error = capsys.readouterr().err
    assert all(letter.isprintable() or letter == "\n" for letter in error)
    assert error.splitlines()[-1].startswith("headscope trace: error: ")


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(st.sampled_from('ax ^"%&|<>()!\\/-猫'), max_size=12), max_size=4))
def test_the_prompt_of_windows_gives_the_words_back(words: list[str]) -> None:
    line = joined(["headscope", *words], windows=True)
    assert split_windows(at_the_prompt(line)) == ["headscope", *words]
    assert split_windows(at_the_prompt(quoted_windows('a" & calc & "%PATH%'))) == ['a" & calc & "%PATH%']


def test_what_no_command_line_holds() -> None:
    assert can_be_said(WORDS)
    assert not can_be_said(["a\0b"])
    for word in ("a\nb", "\x1b[31m", "\u202e"):
        assert not can_be_said([word], windows=True)
    assert can_be_said(["猫\u3000坐\u00a0在", "it's 50 %", "👩\u200d👩"], windows=True)
