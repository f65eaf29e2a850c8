"""told_experiment: an experiment's row for its page: what all of them say is said here once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QCoreApplication

from model.experiments.page import AGAIN, SEEDS
from model.experiments.registry import page_named
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import piece_text
from viewer.figures.sheet.part import Part
from viewer.lessons.told import Told, Words

translate = QCoreApplication.translate


def percent(share: float, decimals: int = 0) -> str:
    """A share as per cent, with its sign."""
    return translate("Experiments", "{share} %").format(share=f"{100 * share:.{decimals}f}")


def told_experiment(
    name: str,
    *,
    title: Words,
    why: Words,
    expect: Words,
    formula: Callable[[Values], str],
    paper: Words,
    finding: Callable[[Finding], str],
    lines: Callable[[Numbers, Values], tuple[tuple[Part, ...], ...]],
    arm: Callable[[str], str],
    control: Callable[[str], str] = lambda name: name,
    option: Callable[[str, str], str] = lambda control, option: option,
    badges: Callable[[Numbers, Values], tuple[str, ...]] = lambda numbers, values: (),
) -> Told:
    """The row; see `Told` for the arguments.

    Args:
        name: of the experiment.
        arm: what a model is called, by its name in the experiment.
    """

    def control_words(which: str) -> str:
        shared = {
            AGAIN: translate("Experiments", "Run it again"),
            SEEDS: translate("Experiments", "Seeds"),
        }
        return shared.get(which) or control(which)

    def all_badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
        count = numbers.data["seeds"]
        text = (
            translate("Experiments", "recorded result, seeds: {count}")
            if numbers.data["recorded"]
            else translate("Experiments", "run here, seeds: {count}")
        )
        return (text.format(count=count), *badges(numbers, values))

    return Told(
        page_named(name),
        title=title,
        why=why,
        expect=expect,
        formula=formula,
        paper=paper,
        control=control_words,
        option=option,
        finding=finding,
        lines=lines,
        badges=all_badges,
        model=arm,
    )


def loss_heading(curve: str) -> str:
    """Of a picture of losses of the pairs trained on (`loss`) or held out (`heldout`)."""
    return {
        "loss": translate("Experiments", "Loss of pairs trained on"),
        "heldout": translate("Experiments", "Loss of pairs held out"),
    }[curve]


def piece_texts(pieces: Sequence[str]) -> list[str]:
    """Pieces as all pictures write them, the end among them."""
    return [piece_text(piece).text for piece in pieces]
