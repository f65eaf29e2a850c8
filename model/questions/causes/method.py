"""Method: a way of asking why, as commands and window know it. No torch."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from model.arguments import natural, positive
from model.questions.causes.report import Report
from model.questions.questions import Question
from model.trace.trace import AttentionKind, Trace


@dataclass(frozen=True)
class Argument:
    """Something that a method is told beside the translation.

    Attributes:
        name: its flag without dashes; in a question it counts from 0 where it is a place.
        metavar, about: for `--help`.
        taken: makes the value of what was typed; raises `argparse.ArgumentTypeError` or `ValueError`.
        word: what was typed is a word of the target, whose first piece's id is the value.
    """

    name: str
    metavar: str
    about: str
    taken: Callable[[str], Any] = str
    word: bool = False


def _place(text: str) -> int:
    """From 1 as people count, from 0 as we do."""
    return positive(text) - 1


def _kind(text: str) -> AttentionKind:
    if text not in {str(kind) for kind in AttentionKind}:
        known = ", ".join(AttentionKind)
        raise argparse.ArgumentTypeError(f"{text!r} is no kind of attention; it is one of {known}")
    return AttentionKind(text)


ARGUMENTS: dict[str, Argument] = {
    argument.name: argument
    for argument in (
        Argument("step", "N", "step of the translation, from 1", _place),
        Argument(
            "word", "WORD", "word that is explained (default: the one that the step produced)", word=True
        ),
        Argument("rival", "WORD", "word that it is compared with", word=True),
        Argument("kind", "KIND", f"family of attention: {', '.join(AttentionKind)}", _kind),
        Argument("layer", "N", "layer, from 1", _place),
        Argument("head", "N", "head, from 1", _place),
        Argument("query", "N", "row of the map, from 1: the token that looks", _place),
        Argument("seed", "N", "seed of random orders, from 0 (default 0)", natural),
        Argument("key", "N", "column of the map, from 1: the token that is looked at", _place),
    )
}
"""All that any method is told, by name: a flag each."""


@dataclass(frozen=True, eq=False)
class Given:
    """What a method was given.

    Attributes:
        trace: the translation that it is about.
        values: by the names of `ARGUMENTS`, those that were given.
    """

    trace: Trace
    values: Mapping[str, Any]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def get(self, name: str) -> Any:
        """None for what was not given."""
        return self.values.get(name)


@dataclass(frozen=True)
class Method:
    """A row of `model.questions.causes.methods.METHODS`.

    Its words are the sources of translations in the context `Methods`; the window shows them through
    `viewer.document.text.method_text`.

    Attributes:
        name: value of `--method`.
        label: as a menu lists it. formula, caveat: each without its full stop or with it, as `label` and
            `formula` stand in a sentence and `caveat` is one.
        source: papers with their arXiv numbers; not translated.
        ask: the question, of what was given.
        report: what a command tells of the answer.
        needs: names of `ARGUMENTS` that must be given. takes: that may be.
    """

    name: str
    label: str
    formula: str
    caveat: str
    source: str
    ask: Callable[[Given], Question]
    report: Callable[[Any, Given], Report]
    needs: tuple[str, ...] = ()
    takes: tuple[str, ...] = ()

    @property
    def notes(self) -> tuple[str, str, str]:
        """What every file says, in English."""
        return f"{self.label}: {self.formula}", self.caveat, f"Source: {self.source}"
