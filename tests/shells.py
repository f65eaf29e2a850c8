"""How shells take a command line apart, by their documented rules."""

from __future__ import annotations


def split_windows(line: str) -> list[str]:
    """How the C runtime of Windows splits a command line: quotes, and backslashes before them."""
    words, word, quoted, begun, at = [], "", False, False, 0
    while at < len(line):
        slashes = len(line) - at - len(line[at:].lstrip("\\"))
        at += slashes
        letter = line[at : at + 1]
        if letter == '"':
            word += "\\" * (slashes // 2)
            begun = True
            if slashes % 2:
                word += '"'
            else:
                quoted = not quoted
        elif letter in ("", " ") and not quoted:
            word += "\\" * slashes
            if word or begun:
                words.append(word)
            word, begun = "", False
        else:
            word += "\\" * slashes + letter
        at += 1
    return [*words, word] if word or begun else words


def at_the_prompt(line: str) -> str:
    """What Windows' command prompt hands on of a line that is one command, its carets and variables gone.

    By its documented rules: variables first, then carets and quotes; an operator outside quotes ends it.
    """
    for name in ("PATH", "a", "x"):
        line = line.replace(f"%{name}%", "replaced")
    told, quoted, at = "", False, 0
    while at < len(line):
        letter = line[at]
        if letter == "^" and not quoted:
            at += 1
            letter = line[at]
        elif letter == '"':
            quoted = not quoted
        assert quoted or line[at - 1] == "^" or letter not in "&|<>()", "a second command"
        told, at = told + letter, at + 1
    return told
