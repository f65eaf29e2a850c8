"""SCALING: why scores are divided by √d_k, said and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.lessons import scaling as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import token_texts
from viewer.figures.canvas.numerals import significant, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Handle, Line, Mark
from viewer.figures.sheet.part import Part
from viewer.lessons.told import Told

translate = QCoreApplication.translate
_INDEX = (1, 0)  # of the theme's curves, without scaling and with


def _control(name: str) -> str:
    return {
        "of": translate("Lessons", "Subject"),
        "d_k": translate("Lessons", "d_k, length of query and key"),
        "keys": translate("Lessons", "Number of keys"),
        "seed": translate("Lessons", "Random seed"),
        "layer": translate("Lessons", "Layer"),
        "head": translate("Lessons", "Head"),
        "row": translate("Lessons", "Row"),
        "along": translate("Lessons", "What is varied"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "random": translate("Lessons", "Random vectors"),
        "head": translate("Lessons", "A head of the model"),
        "cost": translate("Lessons", "What scores cost"),
        "n": translate("Lessons", "n, the number of words"),
        "d": translate("Lessons", "d, the length of the vectors"),
    }[option]


def _finding(found: Finding) -> str:
    text = {
        "variance": translate(
            "Lessons", "q·k has a variance of {value} within a row; random vectors should give d_k = {d_k}."
        ),
        "own_variance": translate(
            "Lessons",
            "q·k of this head has a variance of {value} within a row; random vectors would give d_k = {d_k}.",
        ),
        "entropy": translate(
            "Lessons", "Entropy: {value} nats without scaling, {scaled} with it; uniform weights have {most}."
        ),
        "largest": translate("Lessons", "Largest weight: {value} without scaling, {scaled} with it."),
        "gradient": translate(
            "Lessons", "Gradient through the softmax: {value} without scaling, {scaled} with it."
        ),
        "time": translate(
            "Lessons",
            "At {size} the additive score takes {value} ms, the scaled dot product {scaled} ms: "
            "{times} times as long.",
        ),
        "memory": translate(
            "Lessons",
            "The largest tensor of the additive score has {value} bytes, that of the dot product "
            "{scaled}: {times} times as many.",
        ),
        "scale": translate(
            "Lessons", "Dividing by √d changes the {dot} ms of the plain dot product by {value} ms."
        ),
        "machine": translate(
            "Lessons",
            "Times were just measured on this machine (threads: {value}); each is the median of {runs} runs.",
        ),
    }[found.name]
    about = {
        name: tiny(value) if isinstance(value, float) else significant(value)
        for name, value in found.about.items()
    }
    value = found.value
    return text.format(
        value=tiny(value) if isinstance(value, float) else significant(int(value or 0)), **about
    )


def _formula(values: Values) -> str:
    if values["of"] == "cost":
        return _rows(
            r"\mathrm{additive:}\ v^{\top}\tanh(q_i+k_j)",
            r"\mathrm{dot:}\ q_i\cdot k_j,\quad \mathrm{scaled:}\ \frac{q_i\cdot k_j}{\sqrt{d}}",
        )
    jacobian = r"J=\mathrm{diag}(\alpha)-\alpha\alpha^{\top}"
    if values["of"] == "head":
        return _rows(r"\alpha=\mathrm{softmax}\left(\frac{qK^{\top}}{\sqrt{d_k}}\right)", jacobian)
    d_k = int(values["d_k"])
    return _rows(
        rf"\mathrm{{Var}}(q\cdot k)=\sum_{{i=1}}^{{d_k}}\mathrm{{Var}}(q_ik_i)=d_k={d_k}",
        rf"\sqrt{{d_k}}={d_k**0.5:.4g},\quad {jacobian}",
    )


def _rows(*lines: str) -> str:
    return r"\begin{array}{l}" + r"\\".join(lines) + r"\end{array}"


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return _cost(numbers) if numbers.data["of"] == "cost" else _swept(numbers)


def _swept(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    named = (
        ("entropy", translate("Lessons", "Entropy of a row"), translate("Lessons", "nats")),
        ("largest", translate("Lessons", "Largest weight of a row"), translate("Lessons", "weight")),
        (
            "gradient",
            translate("Lessons", "Gradient through the softmax"),
            translate("Lessons", "norm of the Jacobian"),
        ),
    )
    plots = [_plot(numbers, name, heading, title) for name, heading, title in named]
    if data["of"] == "head":
        rows = [token.marked for token in token_texts(data["names"])]
    else:
        rows = [translate("Lessons", "key {number}").format(number=name) for name in data["names"]]
    heading = translate("Lessons", "Weights of one row")
    if data["keys"] > len(rows):
        heading = translate("Lessons", "Weights of one row: the {shown} largest of {all}").format(
            shown=len(rows), all=data["keys"]
        )
    series = [BarSeries(_scaled(which), data["weights"][which], _INDEX[which]) for which in (0, 1)]
    return ((plots[0], plots[1]), (plots[2], Bars(heading, rows, tuple(series), 1.0)))


def _scaled(which: int) -> str:
    return translate("Lessons", "÷ √d_k") if which else translate("Lessons", "not scaled")


def _plot(numbers: Numbers, name: str, heading: str, title: str) -> Curves:
    data = numbers.data
    widths, curves = data["widths"], data[name]
    low, high = span(*curves, zero=True)
    at, d_k = data["at"], data["d_k"]
    handles = (
        ()
        if data["of"] == "head"
        else tuple(Handle("d_k", d_k, curves[which][at], "", 5, _INDEX[which]) for which in (0, 1))
    )
    return Curves(
        heading,
        Axis(
            min(lesson.NARROWEST, int(widths[0])),
            lesson.WIDEST,
            translate("Lessons", "d_k"),
            log=True,
        ),
        Axis(low, max(high, 1e-3), title),
        tuple(
            Line(_scaled(which), widths, curves[which], _INDEX[which], dots=data["of"] == "head")
            for which in (0, 1)
        ),
        (Mark(d_k, f"d_k = {significant(d_k)}"),),
        handles,
    )


def _cost(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    data = numbers.data
    names = (
        translate("Lessons", "additive"),
        translate("Lessons", "dot product"),
        translate("Lessons", "scaled dot product"),
    )
    sizes = data["sizes"]
    title = (
        translate("Lessons", "n, at d = {fixed}")
        if data["along"] == "n"
        else translate("Lessons", "d, at n = {fixed}")
    ).format(fixed=data["fixed"])
    x = Axis(float(sizes[0]), float(sizes[-1]), title, log=True)

    def plot(heading: str, values: np.ndarray, unit: str) -> Curves:
        y = Axis(values.min() / 1.5, values.max() * 1.5, unit, log=True)
        lines = (
            Line(name, sizes, line, index, dots=True)
            for index, (name, line) in enumerate(zip(names, values, strict=True))
        )
        return Curves(heading, x, y, tuple(lines))

    time = plot(translate("Lessons", "Time, measured here"), data["milliseconds"], translate("Lessons", "ms"))
    memory = plot(
        translate("Lessons", "Largest tensor, by its shape"),
        data["bytes"] / 1024,
        translate("Lessons", "KiB"),
    )
    return ((time,), (memory,))


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    data = numbers.data
    if data["of"] == "cost":
        return (translate("Lessons", "both axes logarithmic"),)
    curves = translate("Lessons", "curves: mean over {rows} rows").format(rows=data["rows"])
    if data["of"] == "random":
        return (curves,)
    joined = translate(
        "Lessons", "left of d_k = {d_k}: its first dimensions; right of it: joined with the next heads"
    )
    return curves, joined.format(d_k=data["d_k"])


SCALING = Told(
    lesson.SCALING,
    title=lambda: translate("Lessons", "Why √d_k"),
    why=lambda: translate(
        "Lessons",
        "The longer the vectors, the larger q·k becomes, until the softmax picks a single key and "
        "stops learning; dividing by √d_k keeps it soft.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Without scaling the largest weight goes to 1 as d_k grows, entropy and gradient to 0; with "
        "it all three stay about the same. At d_k = 4 the gradient may be larger without. A trained "
        "head's vectors are not random, so its curves bend. Additive scores take more memory and time.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Vaswani et al. (2017), section 3.2.1, footnote 4; additive: Bahdanau et al. (2015), arXiv "
        "1409.0473, "
        "appendix A.1.2",
    ),
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
