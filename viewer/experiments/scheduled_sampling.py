"""SCHEDULED_SAMPLING: exposure bias and what helps against it, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import scheduled_sampling as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import token_texts
from viewer.experiments.told import percent, told_experiment
from viewer.figures.canvas.plot import Axis
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.words import Token, TokenLine, Words
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        "forced": translate("Experiments", "Teacher forcing"),
        "scheduled": translate("Experiments", "Scheduled sampling"),
    }[name]


def _control(name: str) -> str:
    return {"sentence": translate("Experiments", "Sentence")}[name]


def _measure(name: str) -> str:
    return {
        "accuracy": translate("Experiments", "left alone, all words right"),
        "recovered": translate("Experiments", "after a wrong word, all others right"),
        "rest": translate("Experiments", "after a wrong word, words right"),
    }[name]


def _finding(found: Finding) -> str:
    about = dict(found.about)
    if found.name.startswith("share_"):
        text = translate(
            "Experiments",
            "{model}: the step that reads the wrong word takes {wrong} from the source; with the right word "
            "{right}.",
        )
        model = _arm(found.name.removeprefix("share_"))
        return text.format(model=model, wrong=percent(about["wrong"], 1), right=percent(about["right"], 1))
    text = translate(
        "Experiments",
        "{what}: {before} with teacher forcing, {after} with scheduled sampling, better in {better} of "
        "{seeds} runs.",
    )
    said = text.format(
        what=_measure(found.name),
        before=percent(about["before"], 1),
        after=percent(about["after"], 1),
        better=about["better"],
        seeds=about["seeds"],
    )
    return said[:1].upper() + said[1:]


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    maps = tuple(_map(name, one) for name, one in numbers.data["examples"].items() if one)
    lines = ((_scores(numbers),), (_shares(numbers),), (_words(numbers),))
    return (*lines, maps) if maps else lines


def _scores(numbers: Numbers) -> Part:
    series = tuple(
        BarSeries(_arm(name), [np.nan if one is None else one for one in scores], 2 * at)
        for at, (name, scores) in enumerate(numbers.data["scores"].items())
    )
    heading = translate("Experiments", "Share of sentences or words that are right")
    return Bars(heading, [_measure(name) for name in experiment.MEASURES], series, most=1.0)


def _shares(numbers: Numbers) -> Part:
    steps = np.arange(-experiment.BEFORE, experiment.AFTER + 1.0)
    lines = []
    for at, (name, found) in enumerate(numbers.data["shares"].items()):
        words = {
            "shares": translate("Experiments", "{model}, wrong word"),
            "shares_right": translate("Experiments", "{model}, right word"),
        }
        for which, text in words.items():
            if len(found[which]):
                index = 2 * at + (which == "shares_right")
                lines.append(
                    Line(text.format(model=_arm(name)), steps.tolist(), found[which], index, dots=True)
                )
    values = [value for line in lines for value in line.ys]
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    return Curves(
        translate("Experiments", "Share of the source in each step (last decoder layer)"),
        Axis(
            -experiment.BEFORE,
            experiment.AFTER,
            translate("Experiments", "steps from the one that reads it"),
            whole=True,
        ),
        Axis(max(0.0, low - 0.02), min(1.0, high + 0.02), translate("Experiments", "share")),
        tuple(lines),
        marks=(Mark(0.0, translate("Experiments", "wrong word")),),
    )


def _words(numbers: Numbers) -> Part:
    lines: list[TokenLine] = []
    for name, one in numbers.data["examples"].items():
        if not one:
            continue
        if not lines:
            lines.append(_line(translate("Experiments", "Source"), one["source"].split()))
            lines.append(_line(translate("Experiments", "Right"), one["target"].split()))
        lines.append(_written(_arm(name), one))
    return Words(translate("Experiments", "Behind a wrong word (framed); struck: wrong too"), tuple(lines))


def _line(name: str, words: list[str]) -> TokenLine:
    return TokenLine(name, tuple(Token(word) for word in words))


def _written(name: str, one: Mapping[str, Any]) -> TokenLine:
    told, place = one["target"].split(), one["place"]
    written = one["written"].split()
    tokens = tuple(
        Token(word, framed=at == place, struck=at > place and (at >= len(told) or told[at] != word))
        for at, word in enumerate(written)
    )
    return TokenLine(name, tokens)


def _map(name: str, one: Mapping[str, Any]) -> Part:
    cross = np.asarray(one["cross"], dtype=np.float32)
    heading = translate("Experiments", "{model}: cross-attention").format(model=_arm(name))
    row = one["place"] + 1
    strong = tuple((row, column) for column in range(cross.shape[1])) if row < len(cross) else ()
    return Grid(
        heading,
        cross,
        [token.marked for token in token_texts(one["read"])],
        [token.marked for token in token_texts(one["src"])],
        strong=strong,
        written=False,
        row_title=translate("Experiments", "reads"),
        column_title=translate("Experiments", "source"),
        tallest=300.0,
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    return (
        translate("Experiments", "maps: last decoder layer, mean over heads, first seed"),
        translate("Experiments", "framed row: it reads the wrong word"),
    )


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\tilde{y}_{t}=\hat{y}_{t}\ \mathrm{with\ chance}\ \epsilon(s),\ \mathrm{else}\ "
        r"y_{t}\\"
        r"L=-\sum_{t}\log p(y_t\mid\tilde{y}_{<t},x)\end{array}"
    )


SCHEDULED_SAMPLING: Told = told_experiment(
    "scheduled_sampling",
    title=lambda: translate("Experiments", "Scheduled sampling"),
    why=lambda: translate(
        "Experiments",
        "A model that only ever read right prefixes may not know how to go on behind a mistake of its own.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Both models reverse words; one wrong word is forced on them. Trained on a prefix that is in part "
        "its own, a model should recover more often.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Bengio et al. (2015), arXiv 1506.03099; two passes for Transformers: Mihaylova and Martins (2019), "
        "arXiv 1906.07651",
    ),
    arm=_arm,
    control=_control,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
