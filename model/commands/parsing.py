"""Parsing of arguments that begin with a dash and are none: a text `-5 degrees`, a file `-a.trace`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any


class _Value(str):
    """An argument that is a value, whatever it begins with."""


class ArgumentParser(argparse.ArgumentParser):
    """As argparse's, but for what begins with a dash.

    Behind an option that wants a value it is that value, unless it is itself an option of the command; and
    where there is a space in it, it is a text. A single word in the place of TEXT goes behind `--`, as
    everywhere: it may as well be an option that is misspelled.
    """

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """See `argparse.ArgumentParser`."""
        if args is not None:
            args = self._with_values(args)
        return super().parse_known_args(args, namespace)

    def _with_values(self, words: Sequence[str]) -> list[str]:
        marked: list[str] = []
        wanted = 0
        for place, word in enumerate(words):
            if word == "--" and not wanted:
                return [*marked, *words[place:]]
            known = word in self._option_string_actions
            if known:
                wanted = _values_of(self._option_string_actions[word])
            elif wanted:
                wanted -= 1
                marked.append(_Value(word))
                continue
            marked.append(word if known or not _is_text(word) else _Value(word))
        return marked

    def _parse_optional(self, arg_string: str) -> Any:
        return None if isinstance(arg_string, _Value) else super()._parse_optional(arg_string)


def _values_of(action: argparse.Action) -> int:
    """How many values an option wants at least."""
    if action.nargs is None:
        return 1
    return action.nargs if isinstance(action.nargs, int) else int(action.nargs == argparse.ONE_OR_MORE)


def _is_text(word: str) -> bool:
    """Whether a word begins with a dash and is no option: `--target=Le chat` is one, `-5 degrees` is not."""
    return word.startswith("-") and " " in word.partition("=")[0]
