"""NORMS: LayerNorm or BatchNorm, said and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import norms as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.figures.canvas.numerals import tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.curves import Curves, Handle, Line
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.lessons.told import Told

translate = QCoreApplication.translate
_NAMES = ("LayerNorm", "BatchNorm")


def _control(name: str) -> str:
    return {
        "token": translate("Lessons", "Word (padding in brackets)"),
        "feature": translate("Lessons", "Feature"),
        "changed": translate("Lessons", "Sentence that is changed"),
        "add": translate("Lessons", "Added to all its values"),
        "padding": translate("Lessons", "BatchNorm counts padding"),
    }[name]


def _finding(found: Finding) -> str:
    text = {
        "layer": translate("Lessons", "LayerNorm, {count} numbers: ({x} − {mean}) / {root} = {value}."),
        "batch": translate("Lessons", "BatchNorm, {count} numbers: ({x} − {mean}) / {root} = {value}."),
        "mate": translate(
            "Lessons",
            "Adding {add} to sentence {changed} moves {sentence} by up to {value} under BatchNorm, {layer} "
            "under "
            "LayerNorm.",
        ),
        "self": translate(
            "Lessons",
            "Sentence {changed} itself is changed: by up to {value} under BatchNorm, {layer} under "
            "LayerNorm, which cancels what is added to all features equally.",
        ),
        "padding": translate(
            "Lessons", "Counting padding or not moves {sentence} by up to {value} under BatchNorm only."
        ),
    }[found.name]
    about = dict(found.about)
    if "variance" in about:
        about["root"] = float(np.sqrt(about["variance"] + lesson.EPSILON))
    said = {
        name: _bracketed(value) if name == "mean" else tiny(value) if isinstance(value, float) else value
        for name, value in about.items()
    }
    return text.format(value=tiny(float(found.value or 0)), **said)


def _bracketed(value: float) -> str:
    return f"({tiny(value)})" if value < 0 else tiny(value)


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\hat{x}_{tf}=\gamma_f\frac{x_{tf}-\mu}{\sqrt{\sigma^2+\epsilon}}+\beta_f\\"
        r"\mathrm{LayerNorm}:\ \mu=\frac{1}{d}\sum_{f}x_{tf}\\"
        r"\mathrm{BatchNorm}:\ \mu=\frac{1}{N}\sum_{t}x_{tf}\end{array}"
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    return (_grids(numbers, 0), _grids(numbers, 1), (_moved(numbers), _by_hand(numbers, data["token"])))


def _grids(numbers: Numbers, which: int) -> tuple[Part, ...]:
    """What a norm averages over, framed, and what comes out."""
    data = numbers.data
    averages = (
        translate("Lessons", "LayerNorm averages the framed numbers"),
        translate("Lessons", "BatchNorm averages the framed numbers"),
    )
    after = (translate("Lessons", "After LayerNorm"), translate("Lessons", "After BatchNorm"))
    framed = tuple((int(f), int(t)) for t, f in zip(*np.nonzero(data["averaged"][which]), strict=True))
    chosen = (data["feature"], data["token"])
    return (
        _grid(averages[which], data["x"], framed, data),
        _grid(after[which], data["normed"][which], (chosen,), data),
    )


def _grid(heading: str, values: np.ndarray, framed: tuple[tuple[int, int], ...], data: object) -> Grid:
    assert isinstance(data, dict)
    most = float(np.abs(values[data["real"]]).max()) or 1.0
    return Grid(
        heading,
        values.T.astype(np.float32),
        [str(n + 1) for n in range(values.shape[1])],
        data["names"],
        levels=(-most, most),
        masked=np.broadcast_to(~data["real"], values.T.shape),
        strong=framed,
        decimals=1,
        picks=("feature", "token"),
        row_title=translate("Lessons", "features"),
    )


def _moved(numbers: Numbers) -> Curves:
    data = numbers.data
    low, high = span(*data["moved"], zero=True)
    heading = translate("Lessons", "Largest change of sentence {sentence}").format(sentence=data["sentence"])
    title = translate("Lessons", "added to sentence {changed}").format(changed=data["changed"])
    return Curves(
        heading,
        Axis(-lesson.MOST, lesson.MOST, title),
        Axis(low, max(high, 1.0), translate("Lessons", "change")),
        tuple(Line(name, data["steps"], data["moved"][at], at) for at, name in enumerate(_NAMES)),
        handles=tuple(Handle("add", data["add"], float(data["at"][at]), "", 6, at) for at in (0, 1)),
    )


def _by_hand(numbers: Numbers, token: int) -> TextTable:
    data = numbers.data
    heading = translate("Lessons", "Word {word}, feature {feature}, by hand").format(
        word=data["names"][token], feature=data["feature"] + 1
    )
    header = (
        "",
        translate("Lessons", "numbers"),
        "x",
        translate("Lessons", "mean"),
        translate("Lessons", "variance"),
        translate("Lessons", "result"),
    )
    lines = []
    for name, found in zip(_NAMES, numbers.findings, strict=False):
        about = found.about
        shown = (about["x"], about["mean"], about["variance"], found.value)
        lines.append((name, str(about["count"]), *map(tiny, shown)))
    return TextTable(heading, header, tuple(lines), share=1.3)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    hatched = translate("Lessons", "hatched: padding")
    counted = translate("Lessons", "padding counts as zeros under BatchNorm")
    plain = translate("Lessons", "γ = 1, β = 0, statistics of this batch")
    return (plain, hatched, counted) if values["padding"] else (plain, hatched)


NORMS = Told(
    lesson.NORMS,
    title=lambda: translate("Lessons", "LayerNorm or BatchNorm"),
    why=lambda: translate(
        "Lessons",
        "LayerNorm looks at one word alone; BatchNorm makes a sentence depend on the others in its batch, "
        "and "
        "on padding.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Add to another sentence: under LayerNorm yours stays the same, under BatchNorm it changes; "
        "counting padding changes it again. Click a cell to see what each norm averages over.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Ba et al. (2016), arXiv 1607.06450; Ioffe and Szegedy (2015), arXiv 1502.03167; PowerNorm: Shen et "
        "al. "
        "(2020), arXiv 2003.07845",
    ),
    control=_control,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
