"""Pharaoh format: one line a sentence pair, `i-j` for source word i and target word j.

`ipj` and `i?j` are links that are possible but not sure. Whether words count from 0 or from 1 stands nowhere
in a file: who reads it says so.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from model import limits
from model.alignment.links import MOST_WORDS, Gold, Link
from model.errors import HeadscopeError
from model.files.files import StrPath, read_bytes, replacing, shown, write_chunks

_LINK = re.compile(r"([0-9]{1,9})([-p?])([0-9]{1,9})")
_LONGEST_SHOWN = 40
_LINES = 1000  # written at once


def parse_line(text: str, *, one_based: bool = False, line: int = 1) -> Gold:
    """The links of one line; an empty one has none.

    Args:
        one_based: the words of the line count from 1.
        line: its number, for messages.

    Raises:
        HeadscopeError: `pharaoh_link`, `pharaoh_zero`.
    """
    sure: list[Link] = []
    possible: list[Link] = []
    for token in text.split():
        found = _LINK.fullmatch(token)
        if found is None:
            raise HeadscopeError("pharaoh_link", token=_short(token), line=line)
        i, j = int(found[1]) - one_based, int(found[3]) - one_based
        if min(i, j) < 0:
            raise HeadscopeError("pharaoh_zero", token=token, line=line)
        if max(i, j) >= MOST_WORDS:
            raise HeadscopeError("pharaoh_link", token=token, line=line)
        (sure if found[2] == "-" else possible).append((i, j))
    return Gold(tuple(sure), tuple(possible))


def write_line(gold: Gold, *, one_based: bool = False) -> str:
    """Its links in ascending order, the possible ones as `ipj`: what `parse_line` reads."""
    marks = dict.fromkeys(gold.possible, "p") | dict.fromkeys(gold.sure, "-")
    return " ".join(f"{i + one_based}{marks[i, j]}{j + one_based}" for i, j in sorted(marks))


def read_pharaoh(path: StrPath, *, one_based: bool = False) -> list[Gold]:
    """The links of every line of a file, blank lines included.

    Raises:
        HeadscopeError: as `parse_line`; `pharaoh_not_utf8`; the file cannot be read.
    """
    lines = read_lines(path)
    return [parse_line(text, one_based=one_based, line=number) for number, text in enumerate(lines, 1)]


def read_lines(path: StrPath) -> list[str]:
    """The lines of a file of links as they stand there.

    Raises:
        HeadscopeError: `pharaoh_not_utf8`; the file cannot be read.
    """
    try:
        text = read_bytes(path, limit=limits.GOLD).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise HeadscopeError("pharaoh_not_utf8", path=shown(path)) from None
    lines = text.replace("\r\n", "\n").split("\n")
    return lines[:-1] if not lines[-1] else lines


def write_pharaoh(path: StrPath, sentences: Iterable[Gold], *, one_based: bool = False) -> None:
    """Write a line for each sentence.

    Raises:
        HeadscopeError: the file cannot be written; an old file stays.
    """
    lines = [write_line(gold, one_based=one_based) + "\n" for gold in sentences]
    parts = ("".join(lines[start : start + _LINES]).encode() for start in range(0, len(lines), _LINES))
    with replacing(path) as temporary:
        write_chunks(temporary, parts)


def _short(token: str) -> str:
    return token if len(token) <= _LONGEST_SHOWN else token[:_LONGEST_SHOWN] + "…"
