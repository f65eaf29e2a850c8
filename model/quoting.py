"""Quoting: words as one command line that a shell takes apart again, whatever is in them. No Qt."""

from __future__ import annotations

import os
import re
import shlex
import unicodedata
from collections.abc import Sequence

# They join letters and emoji, and nothing else is to be seen of them.
_JOINERS = "\u200c\u200d"
_UNSEEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode's categories of what has no picture of its own
_SHORT = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\\": "\\\\"}
# By a quote a shell finds the end, and by an exclamation mark the past, before it reads what is between.
_ALSO_SPELLED = "'!"
_PLAIN_WINDOWS = re.compile(r"[\w.,:/\\=+-]+")
_COMMANDS_WINDOWS = re.compile(r'([()%!^"<>&|])')


def joined(words: Sequence[str], *, windows: bool = False) -> str:
    """The words as one line, for a POSIX shell or for Windows' command prompt; see `can_be_said`."""
    return " ".join(quoted_windows(word) if windows else quoted_posix(word) for word in words)


def can_be_said(words: Sequence[str], *, windows: bool = False) -> bool:
    """Whether a command line can hold these words: nowhere a NUL, on Windows only what can be seen."""
    return all("\0" not in word and not (windows and any(map(_is_unseen, word))) for word in words)


def quoted_posix(word: str) -> str:
    """A word as a POSIX shell takes it; what cannot be seen is spelled out, as bash, zsh and ksh read it.

    A line break, an escape sequence or a sign that turns the writing around would make the line another one
    than it looks, in a terminal even before Enter is pressed.
    """
    if not any(map(_is_unseen, word)):
        return f"'{word}'" if word.startswith("=") and shlex.quote(word) == word else shlex.quote(word)
    return "$'" + "".join(_SHORT.get(letter) or _spelled(letter) for letter in word) + "'"


def quoted_windows(word: str) -> str:
    """A word as programs on Windows take it from the command prompt.

    Quotes inside are escaped by a backslash, and backslashes before a quote doubled, as the C runtime reads
    them. The prompt itself knows no such quotes: behind one it would take & for its own, and it replaces
    %NAME% within quotes too. So where there is one of these every sign of its own has a caret.
    """
    if _PLAIN_WINDOWS.fullmatch(word):
        return word
    escaped = re.sub(r'(\\*)"', r'\1\1\\"', word)
    quoted = '"' + re.sub(r"(\\+)$", r"\1\1", escaped) + '"'
    return _COMMANDS_WINDOWS.sub(r"^\1", quoted) if '"' in word or "%" in word else quoted


def _is_unseen(letter: str) -> bool:
    return unicodedata.category(letter) in _UNSEEN and letter not in _JOINERS


def _spelled(letter: str) -> str:
    """Itself, or its bytes in octal: three digits each, so that none of what follows is taken for more."""
    if not _is_unseen(letter) and letter not in _ALSO_SPELLED:
        return letter
    # Of a name that is no UTF-8 its own bytes; of half a character, which no argument can hold, its mark.
    if "\udc80" <= letter <= "\udcff":
        data = os.fsencode(letter) if os.name != "nt" else letter.encode("utf-8", "surrogateescape")
    else:
        data = letter.encode("utf-8", "replace")
    return "".join(f"\\{byte:03o}" for byte in data)
