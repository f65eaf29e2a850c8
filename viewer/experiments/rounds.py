"""ROUNDS: a translation written all at once, in rounds, said and drawn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import rounds as experiment
from model.lessons.lesson import Finding, Numbers, Values
from model.trace.trace import HIDDEN
from viewer.document.text.token_text import piece_text
from viewer.experiments.told import percent, piece_texts, told_experiment
from viewer.figures.canvas.plot import Axis
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.words import Token, TokenLine, Words

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        experiment.LEFT: translate("Experiments", "Left to right"),
        experiment.ONCE: translate("Experiments", "All at once, in rounds"),
    }[name]


def _control(name: str) -> str:
    return {
        "rounds": translate("Experiments", "Rounds in all"),
        "round": translate("Experiments", "Round"),
    }[name]


def _finding(found: Finding) -> str:
    about = dict(found.about)
    value = float(found.value or 0)
    text = {
        "mixed": translate(
            "Experiments",
            "One round: {value} of the sentences have a word twice (spread {spread}), {right} are right.",
        ),
        "repaired": translate(
            "Experiments",
            "{rounds} rounds: {value} are right (spread {spread}), {repeated} have a word twice.",
        ),
        "left": translate(
            "Experiments",
            "Left to right: {value} are right (spread {spread}), {repeated} have a word twice.",
        ),
        "speed": translate(
            "Experiments",
            "Tokens a second, one sentence after the other: {value} times as many as left to right in one "
            "round, {last} times in {rounds}.",
        ),
    }[found.name]
    if found.name == "speed":
        return text.format(value=f"{value:.2g}", last=f"{about['last']:.2g}", rounds=about["rounds"])
    shown = {name: one if name == "rounds" else percent(one) for name, one in about.items()}
    return text.format(value=percent(value), **shown)


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    lines: list[tuple[Part, ...]] = [(_shares(data), _speed(data))]
    if data["once"] is not None:
        lines.append((_words(data),))
    grids = tuple(_grid(data, name) for name in ("once", "left") if data[name] is not None)
    return (*lines, *([grids] if grids else []))


def _shares(data: Mapping[str, Any]) -> Part:
    shown = data["rounds"] if len(data["right"]) else ()
    lines = [
        Line(translate("Experiments", "right"), shown, data["right"], 0, dots=True),
        Line(translate("Experiments", "a word twice"), shown, data["repeated"], 2, dots=True),
    ]
    if (plain := data["plain"]["right"]) is not None:
        ends = (0.0, float(data["rounds"][-1]))
        lines.append(Line(translate("Experiments", "left to right: right"), ends, (plain, plain), 1))
    return Curves(
        translate("Experiments", "Share of sentences"),
        Axis(0.0, float(data["rounds"][-1]), translate("Experiments", "rounds")),
        Axis(0.0, 1.0, ""),
        tuple(lines),
        share=1.5,
    )


def _speed(data: Mapping[str, Any]) -> Part:
    names = [translate("Experiments", "left to right")]
    speeds = [1.0]
    for rounds, speed in zip(data["rounds"], data["speed"], strict=False):
        names.append(translate("Experiments", "rounds: {number}").format(number=rounds))
        speeds.append(float(speed))
    heading = translate("Experiments", "Tokens a second, left to right = 1")
    return Bars(heading, names, (BarSeries(heading, speeds),))


def _words(data: Mapping[str, Any]) -> Part:
    once = data["once"]
    source = piece_texts(once["src"])
    out = piece_texts(once["out"])
    hidden = [piece == HIDDEN for piece in once["read"]]
    reads = tuple(
        Token(translate("Experiments", "hidden") if mask else piece_text(piece).text, framed=mask)
        for piece, mask in zip(once["read"], hidden, strict=True)
    )
    writes = tuple(
        Token(
            word,
            float(probability),
            float(probability),
            framed=mask,
            struck=out.count(word) > max(1, source.count(word)),
        )
        for word, probability, mask in zip(out, once["probability"], hidden, strict=True)
    )
    heading = translate(
        "Experiments", "Round {number} of {count}: colour says how certain, a frame what is written now"
    ).format(number=data["place"], count=data["written"])
    return Words(
        heading,
        (
            TokenLine(translate("Experiments", "source"), tuple(map(Token, source))),
            TokenLine(translate("Experiments", "reads"), reads),
            TokenLine(translate("Experiments", "writes"), writes),
        ),
    )


def _grid(data: Mapping[str, Any], name: str) -> Part:
    found = data[name]
    heading = (
        translate("Experiments", "Cross-attention of round {number}").format(number=data["place"])
        if name == "once"
        else translate("Experiments", "Cross-attention, left to right")
    )
    return Grid(
        heading,
        np.asarray(found["cross"], np.float32),
        piece_texts(found["out"]),
        piece_texts(found["src"]),
        decimals=2,
        row_title=translate("Experiments", "writes"),
        column_title=translate("Experiments", "source"),
    )


def _formula(values: Values) -> str:
    rounds = values["rounds"]
    return (
        r"\begin{array}{l}n_r=\lfloor N\cdot\frac{R-r+1}{R}\rfloor,\quad R=" + f"{rounds}" + r"\\"
        r"y_i=\mathrm{argmax}_w\,P(y_i=w\mid x,\,y_{\mathrm{kept}})\end{array}"
    )


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    if numbers.data["once"] is None:
        return ()
    badges = [translate("Experiments", "maps: last decoder layer, mean over heads, first seed")]
    if numbers.data["written"] < int(str(values["rounds"])):
        badges.append(translate("Experiments", "a round that would write nothing is left out"))
    return tuple(badges)


ROUNDS = told_experiment(
    "rounds",
    title=lambda: translate("Experiments", "All at once, in rounds"),
    why=lambda: translate(
        "Experiments",
        "Words that are written at the same time do not know of each other: where two translations are "
        "right, they mix them, and further rounds have to mend it.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Each sentence is to be written forward or backward, as one likes. In one round both are mixed: "
        "words come twice and almost no sentence is right. Every further round keeps the most certain "
        "words and writes the others anew, knowing them; left to right has no such problem and stays ahead.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Gu et al. (2018), Non-Autoregressive Neural Machine Translation, arXiv 1711.02281; Ghazvininejad et "
        "al. (2019), Mask-Predict, arXiv 1904.09324, section 3",
    ),
    arm=_arm,
    control=_control,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
