"""Told: a lesson in words and pictures; what it computes is `model.lessons`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from model.lessons.lesson import Finding, Lesson, Numbers, Values
from viewer.figures.sheet.part import Part

Words = Callable[[], str]
"""A sentence in the language in force."""


@dataclass(frozen=True, eq=False)
class Told:
    """A lesson's row in `viewer.lessons.registry`.

    Attributes:
        lesson: what it computes.
        title: its name in the list of lessons, two or three words.
        why: one or two sentences, above everything.
        expect: what to expect when the controls are turned.
        formula: LaTeX, with the numbers in hand where that helps.
        paper: where it comes from: authors, year, section or arXiv number.
        control: a control's label, by its name.
        option: what an option of a `Choice` is called: by the control's name and the option's.
        finding: the sentence of a number of "what you got".
        lines: its pictures, line by line.
        badges: what is scaled, averaged, left out or altered in them.
        model: what a trained model of the page is called, by its name in `Numbers.data["models"]`.
        keywords: what people look for who know it by another name.
    """

    lesson: Lesson
    title: Words
    why: Words
    expect: Words
    formula: Callable[[Values], str]
    paper: Words
    control: Callable[[str], str]
    finding: Callable[[Finding], str]
    lines: Callable[[Numbers, Values], tuple[tuple[Part, ...], ...]]
    option: Callable[[str, str], str] = lambda control, option: option
    badges: Callable[[Numbers, Values], tuple[str, ...]] = lambda numbers, values: ()
    model: Callable[[str], str] = lambda name: name
    keywords: Words = str

    @property
    def name(self) -> str:
        """As files and commands know it."""
        return self.lesson.name

    def about(self) -> str:
        """What it is about, where it comes from and by what other names, to be searched."""
        return " ".join((self.keywords(), self.why(), self.expect(), self.paper()))
