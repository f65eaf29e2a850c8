"""Standard input (`-` in the place of TEXT): what it says, line by line or as one sentence."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
from collections.abc import Iterator
from typing import BinaryIO

from model.errors import HeadscopeError
from model.files.files import amount

STDIN = "-"
LONGEST_LINE = 1 << 20
"""Most bytes of a line; a longer one is no sentence."""


def one_text(text: str) -> str:
    """TEXT as it was given, or for `-` the only line of standard input.

    Raises:
        HeadscopeError: `input_empty`, `input_lines`, or that line's error; see `lines`.
    """
    if text != STDIN:
        return text
    found = ""
    for number, line in enumerate(lines(), start=1):
        if isinstance(line, HeadscopeError):
            raise line
        if line.strip() and found:
            raise HeadscopeError("input_lines", line=number)
        if line.strip():
            found = line
            if sys.stdin.isatty():  # nobody has to end what is typed besides
                break
    if not found:
        raise HeadscopeError("input_empty")
    return found


def lines() -> Iterator[str | HeadscopeError]:
    """The lines of standard input; an error in the place of one that is no text.

    Raises:
        HeadscopeError: `input_closed`; `input_failed`: it cannot be read.
    """
    if sys.stdin is None:
        raise HeadscopeError("input_closed")
    number = 0
    with _source() as source:
        while line := _read(source):
            number += 1
            try:
                if len(line) > LONGEST_LINE:
                    _pass_over(source, line)
                    raise HeadscopeError("input_long", line=number, most=amount(LONGEST_LINE))
                text = line.removesuffix(b"\n").removesuffix(b"\r").decode("utf-8")
            except UnicodeDecodeError:
                yield HeadscopeError("input_not_utf8", line=number)
            except HeadscopeError as error:
                yield error
            else:
                yield text.removeprefix("\ufeff") if number == 1 else text


def is_live() -> bool:
    """Whether somebody may write standard input while it is read, and wait for answers; else it is a file."""
    try:
        return not stat.S_ISREG(os.fstat(sys.stdin.fileno()).st_mode)
    except (AttributeError, OSError, ValueError):
        return False


@contextlib.contextmanager
def _source() -> Iterator[BinaryIO]:
    """Standard input as bytes: a terminal's encoding is the terminal's business and a file's is UTF-8.

    It is read apart from `sys.stdin`, for which the end of the process would wait where a thread reads it.
    """
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):
        yield sys.stdin.buffer
        return
    with open(number, "rb", closefd=False) as source:
        yield source


def _read(source: BinaryIO) -> bytes:
    try:
        return source.readline(LONGEST_LINE + 1)
    except OSError as error:  # a folder, or a disk that is gone
        raise HeadscopeError("input_failed", reason=error.strerror or str(error)) from None


def _pass_over(source: BinaryIO, line: bytes) -> None:
    """Read on to the end of a line, keeping none of it."""
    while line and not line.endswith(b"\n"):
        line = _read(source)
