"""WEIGHTED_AVERAGE: attention is a weighted average, said and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import weighted_average as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Handle, Line, Mark
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _control(name: str) -> str:
    if name.startswith("key"):
        return translate("Lessons", "Key {number}").format(number=name.removeprefix("key"))
    return {
        "of": translate("Lessons", "Subject"),
        "query": translate("Lessons", "Query"),
        "width": translate("Lessons", "Width"),
        "layer": translate("Lessons", "Layer"),
        "head": translate("Lessons", "Head"),
        "row": translate("Lessons", "Row"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "regression": translate("Lessons", "Six points"),
        "head": translate("Lessons", "A head of the model"),
    }[option]


def _finding(found: Finding) -> str:
    text = {
        "prediction": translate(
            "Lessons", "The prediction is {value}, between the smallest and the largest value."
        ),
        "largest_weight": translate(
            "Lessons", "Key {key} fits the query best and has the largest weight: {value}."
        ),
        "uniform": translate(
            "Lessons",
            "With a very large width every key weighs {weight}, and the prediction is the mean, {value}.",
        ),
        "sum": translate("Lessons", "The weights add up to {value}."),
        "same_output": translate(
            "Lessons",
            "Averaging the value vectors with them gives the head's output; the largest difference is "
            "{value}.",
        ),
    }[found.name]
    about = {
        name: f"{value:.3g}" if isinstance(value, float) else value for name, value in found.about.items()
    }
    return text.format(value=f"{found.value:.4g}".replace("-", "−"), **about)


def _formula(values: Values) -> str:
    if values["of"] == "head":
        return (
            r"o=\sum_{i}\alpha_i v_i,\quad \alpha=\mathrm{softmax}\left(\frac{qK^{\top}}{\sqrt{d_k}}\right)"
        )
    width = f"{float(values['width']):.2g}"
    formula = (
        r"f(q)=\sum_{i}\alpha_i v_i,\quad "
        r"\alpha_i=\frac{e^{-(q-k_i)^2/(2\cdot w^2)}}{\sum_j e^{-(q-k_j)^2/(2\cdot w^2)}}"
    )
    return formula.replace("w", width)


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return _regression(numbers) if numbers.data["of"] == "regression" else _head(numbers)


def _regression(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    grid, keys, weights = data["grid"], data["keys"], data["weights"]
    low, high = span(data["truth"], data["values"])
    knobs = tuple(
        Handle(f"key{n + 1}", key, value, f"{weight:.2f}", 5 + 9 * float(weight), 1)
        for n, (key, value, weight) in enumerate(zip(keys, data["values"], weights, strict=True))
    )
    plot = Curves(
        translate("Lessons", "Drag the query and the keys"),
        Axis(lesson.LOW, lesson.HIGH, translate("Lessons", "query, keys")),
        Axis(low, high, translate("Lessons", "value")),
        (
            Line(translate("Lessons", "prediction at every query"), grid, data["curve"], 0),
            Line(translate("Lessons", "the curve of the values"), grid, data["truth"], 5),
        ),
        (Mark(data["query"], translate("Lessons", "query")),),
        (*knobs, Handle("query", data["query"], data["prediction"], f"{data['prediction']:.2f}", 7, 0)),
        share=1.7,
    )
    names = [translate("Lessons", "key {number}").format(number=n + 1) for n in range(len(keys))]
    bars = Bars(translate("Lessons", "Weights"), names, (BarSeries("", weights),), 1.0)
    return ((plot, bars),)


def _head(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    tokens = [token.marked for token in token_texts(data["keys"])]
    bars = Bars(translate("Lessons", "Weights of the keys"), tokens, (BarSeries("", data["weights"]),), 1.0)
    values = np.concatenate([data["v"], data["output"][None]]).astype(np.float32)
    most = float(np.abs(values).max()) or 1.0
    grid = Grid(
        translate("Lessons", "Value vectors, and their weighted average below"),
        values,
        [*tokens, translate("Lessons", "average")],
        levels=(-most, most),
        written=False,
        strong=(),
        column_title=translate("Lessons", "dimensions of the head →"),
        share=1.4,
    )
    return ((bars, grid),)


WEIGHTED_AVERAGE = Told(
    lesson.WEIGHTED_AVERAGE,
    title=lambda: translate("Lessons", "A weighted average"),
    why=lambda: translate(
        "Lessons",
        "Attention is a weighted average: a query compares itself with keys, and the better a key fits, the "
        "more its value counts.",
    ),
    expect=lambda: translate(
        "Lessons",
        "A narrow width follows the nearest key alone; a wide one averages all of them. A head does the same "
        "with vectors: its weights come from q·k in place of a distance.",
    ),
    formula=_formula,
    paper=lambda: translate("Lessons", "Nadaraya and Watson (1964); Vaswani et al. (2017), section 3.2.1"),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    keywords=lambda: translate("Lessons", "kernel regression, attention pooling, soft lookup"),
)
