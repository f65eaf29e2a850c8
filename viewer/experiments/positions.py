"""POSITIONS: six ways to tell order, said and drawn."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import positions as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.told import percent, told_experiment
from viewer.figures.canvas.plot import Axis
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        "sinusoidal": translate("Experiments", "Sinusoidal"),
        "learned": translate("Experiments", "Learned"),
        "none": translate("Experiments", "No positions"),
        "relative": translate("Experiments", "Relative"),
        "rotary": translate("Experiments", "Rotary"),
        "alibi": translate("Experiments", "ALiBi"),
    }[name]


def _control(name: str) -> str:
    return {
        "counted": translate("Experiments", "Count"),
        "stack": translate("Experiments", "Attention of"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "words": translate("Experiments", "words in their place"),
        "right": translate("Experiments", "whole sequences"),
        "encoder": translate("Experiments", "the encoder"),
        "decoder": translate("Experiments", "the decoder"),
    }[option]


def _finding(found: Finding) -> str:
    about, value = dict(found.about), float(found.value or 0)
    if found.name in {arm.name for arm in experiment.ARMS}:
        text = translate(
            "Experiments",
            "{model}: {inside} of sequences of 3 to 12 words right (spread {spread}), of longer ones "
            "{beyond}.",
        )
        return text.format(
            model=_arm(found.name),
            inside=percent(value),
            spread=percent(about["spread"]),
            beyond=percent(about["beyond"]),
        )
    if found.name == "beyond":
        text = translate(
            "Experiments",
            "Longer than trained on: of the sequences {model} gets most right, {value}; of the words in "
            "their place {other}, {words}.",
        )
        return text.format(
            model=_arm(about["best"]),
            value=percent(value),
            other=_arm(about["best_words"]),
            words=percent(about["words"]),
        )
    if found.name.startswith("moved"):
        return _moved(found.name).format(value=f"{100 * value:.2g} %")
    if found.name.startswith("place"):
        return _place(found.name).format(value=f"{value:.2f}", guessed=f"{about['guessed']:.2f}")
    text = {
        "shift_acting": translate(
            "Experiments",
            "Counted from five, relative, rotary and ALiBi lose {least} to {value} of the sequences: they "
            "know distances alone.",
        ),
        "shift_added": translate(
            "Experiments", "Counted from five, sinusoidal and learned lose {least} to {value}."
        ),
    }[found.name]
    return text.format(least=percent(about["least"]), value=percent(value))


def _moved(name: str) -> str:
    return {
        "moved_encoder": translate(
            "Experiments",
            "Without positions, the encoder: turning the sentence round changes a word's state by {value} of "
            "its length.",
        ),
        "moved_decoder": translate(
            "Experiments",
            "Without positions, the decoder: turning round what stands before a word changes its state by "
            "{value} of its length.",
        ),
    }[name]


def _place(name: str) -> str:
    return {
        "place_encoder": translate(
            "Experiments",
            "Without positions, a word's place told from the encoder's state is {value} places wrong; "
            "guessing the middle, {guessed}.",
        ),
        "place_decoder": translate(
            "Experiments",
            "Without positions, a word's place told from the decoder's state is {value} places wrong; "
            "guessing the middle, {guessed}.",
        ),
    }[name]


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return (
        (_by_length(numbers), _shift(numbers)),
        *_looks(numbers),
        _biases(numbers),
        (_places(numbers),),
    )


def _by_length(numbers: Numbers) -> Part:
    data = numbers.data
    lines = [
        Line(_arm(name), data["lengths"], shares, at)
        for at, (name, shares) in enumerate(data["accuracy"].items())
        if len(shares)
    ]
    return Curves(
        translate("Experiments", "Right by length: {counted}").format(
            counted=_option("counted", data["counted"])
        ),
        Axis(experiment.SHORTEST, experiment.LONGEST, translate("Experiments", "words")),
        Axis(0, 1.12, translate("Experiments", "share right")),  # room for the mark's word
        tuple(lines),
        marks=(Mark(data["trained"], translate("Experiments", "longest trained on")),),
        share=1.6,
    )


def _shift(numbers: Numbers) -> Part:
    data = numbers.data
    names = [arm.name for arm in experiment.ARMS]

    def shares(which: str) -> list[float]:
        return [_number(data[which][name]) for name in names]

    return Bars(
        translate("Experiments", "3 to 12 words, shifted"),
        [_arm(name) for name in names],
        (
            BarSeries(translate("Experiments", "counted from 0"), shares("usual"), 0),
            BarSeries(
                translate("Experiments", "counted from {shift}").format(shift=data["shift"]),
                shares("shifted"),
                2,
            ),
        ),
        most=1.0,
    )


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _looks(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    """Each model's grid, two a line."""
    data = numbers.data
    found = {name: looks for name, looks in data["looks"].items() if len(looks)}
    most = max((float(looks.max()) for looks in found.values()), default=1.0)
    grids = [
        _grid(_arm(name), looks, data, (0.0, most), titled=at < 2)
        for at, (name, looks) in enumerate(found.items())
    ]
    return tuple(tuple(grids[at : at + 2]) for at in range(0, len(grids), 2))


def _grid(heading: str, values: Any, data: Any, levels: tuple[float, float], *, titled: bool) -> Part:
    """Heads by offset."""
    offsets = range(-data["reach"], np.shape(values)[1] - data["reach"])
    named = [str(offset).replace("-", "−") if offset % 4 == 0 else "" for offset in offsets]
    return Grid(
        heading,
        np.asarray(values, np.float32),
        [str(head + 1) for head in range(len(values))],
        named,
        levels=levels,
        written=False,
        row_title=translate("Experiments", "head"),
        column_title=translate("Experiments", "key − query") if titled else "",
        tallest=64,
    )


def _biases(numbers: Numbers) -> tuple[Part, ...]:
    """What positions add to the scores, where they add anything."""
    data = numbers.data
    found = {name: bias for name, bias in data["bias"].items() if len(bias)}
    parts = []
    for name, bias in found.items():
        lines = tuple(
            Line(
                translate("Experiments", "head {number}").format(number=head + 1),
                range(-data["reach"], len(of_head) - data["reach"]),
                of_head,
                head,
            )
            for head, of_head in enumerate(bias)
        )
        low, high = float(np.min(bias)), float(np.max(bias))
        heading = translate("Experiments", "{model}: added to the scores").format(model=_arm(name))
        parts.append(
            Curves(
                heading,
                Axis(
                    -data["reach"],
                    np.shape(bias)[1] - 1 - data["reach"],
                    translate("Experiments", "key − query"),
                ),
                Axis(min(low, 0.0), max(high, 0.0) or 0.1, translate("Experiments", "score")),
                lines,
            )
        )
    return tuple(parts)


def _places(numbers: Numbers) -> Part:
    data = numbers.data
    names = [arm.name for arm in experiment.ARMS]
    probes, guessed = data["probes"], data["guessed"]
    heading = translate("Experiments", "Places wrong, told from a word's state")
    if guessed is not None:
        text = translate("Experiments", "Places wrong, told from a word's state (guessing: {guessed})")
        heading = text.format(guessed=f"{guessed:.1f}")
    return Bars(
        heading,
        [_arm(name) for name in names],
        (
            BarSeries(
                translate("Experiments", "encoder"), [_number(probes["encoder"][name]) for name in names], 0
            ),
            BarSeries(
                translate("Experiments", "decoder"), [_number(probes["decoder"][name]) for name in names], 2
            ),
        ),
    )


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\mathrm{added}:\ x_i+p_i\qquad"
        r"\mathrm{relative}:\ q_i\cdot(k_j+a_{j-i})\\"
        r"\mathrm{rotary}:\ (R_i q_i)\cdot(R_j k_j)\qquad"
        r"\mathrm{ALiBi}:\ q_i\cdot k_j/\sqrt{d}-m_h|i-j|\end{array}"
    )


POSITIONS = told_experiment(
    "positions",
    title=lambda: translate("Experiments", "Six ways to tell order"),
    why=lambda: translate(
        "Experiments",
        "Attention sees a set of words; how a model is told their order decides what it does with texts "
        "longer than any it was trained on.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Five of six learn to copy 3 to 12 words. Without positions the encoder sees no order and the model "
        "fails, though the causal decoder tells the place by itself. Relative, rotary and ALiBi act in "
        "self-attention alone, on distances: counting from five changes nothing. Beyond 12 words no winner "
        "is promised.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Shaw et al. (2018), arXiv 1803.02155; Su et al. (2021), 2104.09864; Press et al. (2022), "
        "2108.12409; Kazemnejad et al. (2023), 2305.19466; Haviv et al. (2022), 2203.16634",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=lambda numbers, values: (
        translate("Experiments", "attention: first layer, first seed, mean over sentences of 12 words"),
    ),
)
