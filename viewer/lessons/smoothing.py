"""SMOOTHING: label smoothing and the schedule of the learning rate, said and drawn."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.lessons import smoothing as lesson
from model.lessons.lesson import Finding, Numbers, Values
from viewer.figures.canvas.numerals import significant, tiny
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Handle, Line, Mark
from viewer.figures.sheet.part import Part
from viewer.figures.sheet.text_table import TextTable
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _control(name: str) -> str:
    return {
        "epsilon": translate("Lessons", "ε, probability that is spread"),
        "vocabulary": translate("Lessons", "V, tokens of the vocabulary"),
        "confidence": translate("Lessons", "Probability of the right token"),
        "d_model": translate("Lessons", "d_model"),
        "warmup": translate("Lessons", "Warm-up steps"),
    }[name]


def _finding(found: Finding) -> str:
    text = {
        "right": translate(
            "Lessons",
            "The right token keeps {value}, each other one gets {other}, all others together {others}.",
        ),
        "least": translate(
            "Lessons", "With smoothing the loss is lowest, {loss}, at a probability of {value}, not at 1."
        )
        if found.about.get("epsilon")
        else translate(
            "Lessons", "Without smoothing the loss falls all the way; the curve ends at {value} with {loss}."
        ),
        "confident": translate(
            "Lessons", "At a probability of {confidence} the loss is {value} with smoothing, {plain} without."
        ),
        "peak": translate(
            "Lessons", "The learning rate is largest at step {step}, the end of the warm-up: {value}."
        ),
        "later": translate("Lessons", "At step {step}, four times as far, it is {value} of that."),
    }[found.name]
    about = {
        name: tiny(value) if isinstance(value, float) else significant(value)
        for name, value in found.about.items()
    }
    value = float(found.value or 0)
    return text.format(value=significant(value) if found.name == "peak" else tiny(value), **about)


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}q_i=(1-\epsilon)\,[i=y]+\frac{\epsilon}{V},\quad L=-\sum_{i}q_i\log p_i\\"
        r"\mathit{lr}=d^{-0.5}\min(s^{-0.5},\ s\cdot w^{-1.5})\end{array}"
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return (_target(numbers), _loss(numbers, values)), (_schedule(numbers, values),), (_conventions(numbers),)


def _target(numbers: Numbers) -> Bars:
    names = (
        translate("Lessons", "right token"),
        translate("Lessons", "others, together"),
        translate("Lessons", "each other"),
    )
    smoothed, plain = numbers.data["target"]
    return Bars(
        translate("Lessons", "Target of one token"),
        names,
        (
            BarSeries(translate("Lessons", "smoothed"), smoothed, 0),
            BarSeries(translate("Lessons", "not smoothed"), plain, 1),
        ),
        1.0,
    )


def _loss(numbers: Numbers, values: Values) -> Curves:
    data = numbers.data
    low, high = span(data["smoothed"], data["plain"], zero=True)
    least = Mark(data["least"], translate("Lessons", "lowest"))
    confidence = float(values["confidence"])
    return Curves(
        translate("Lessons", "Loss of a confident model"),
        Axis(lesson.LEAST_CONFIDENT, 1.0, translate("Lessons", "probability of the right token")),
        Axis(low, high, translate("Lessons", "nats")),
        (
            Line(translate("Lessons", "smoothed"), data["confidence"], data["smoothed"], 0),
            Line(translate("Lessons", "not smoothed"), data["confidence"], data["plain"], 1),
        ),
        (least,) if values["epsilon"] else (),
        tuple(Handle("confidence", confidence, data["at"][at], "", 5, at) for at in (0, 1)),
    )


def _schedule(numbers: Numbers, values: Values) -> Curves:
    data = numbers.data
    chosen = int(values["d_model"]), int(values["warmup"])
    name = translate("Lessons", "d_model {d_model}, warm-up {warmup}")
    lines = [_rate(name, chosen, data["steps"], data["rates"], 0)]
    if chosen != lesson.PAPER:
        paper = translate("Lessons", "the paper: d_model {d_model}, warm-up {warmup}")
        lines.append(_rate(paper, lesson.PAPER, data["steps"], data["paper"], 5))
    low, high = span(*(line.ys for line in lines), zero=True)
    peak = float(max(data["rates"]))
    said = translate("Lessons", "step {step}: {rate}").format(
        step=significant(data["peak"]), rate=significant(peak)
    )
    return Curves(
        translate("Lessons", "Learning rate; drag its peak"),
        Axis(0, lesson.LAST_STEP, translate("Lessons", "step")),
        Axis(low, high, translate("Lessons", "learning rate")),
        tuple(lines),
        (Mark(data["peak"], f"  {said}"),),
        (Handle("warmup", data["peak"], peak),),
    )


def _rate(name: str, of: tuple[int, int], steps: object, rates: object, index: int) -> Line:
    text = name.format(d_model=significant(of[0]), warmup=significant(of[1]))
    return Line(text, steps, rates, index)  # type: ignore[arg-type]


def _conventions(numbers: Numbers) -> TextTable:
    header = (
        translate("Lessons", "ε is spread over"),
        translate("Lessons", "right token"),
        translate("Lessons", "each other"),
        translate("Lessons", "padding"),
    )
    names = (
        translate("Lessons", "all V tokens: Szegedy et al., and training here"),
        translate("Lessons", "V − 1: all but the right token"),
        translate("Lessons", "V − 2: padding left out too"),
    )
    masses = numbers.data["conventions"]
    lines = tuple((name, *map(_mass, row)) for name, row in zip(names, masses, strict=True))
    return TextTable(translate("Lessons", "Where the probability goes differs"), header, lines, (0,))


def _mass(value: float) -> str:
    return f"{value:.6f}" if value > 0.1 else tiny(value)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    return (translate("Lessons", "all other tokens equally probable"),)


SMOOTHING = Told(
    lesson.SMOOTHING,
    title=lambda: translate("Lessons", "Smoothing and warm-up"),
    why=lambda: translate(
        "Lessons",
        "Label smoothing keeps a model from being too sure; a warm-up keeps the first steps from being too "
        "large.",
    ),
    expect=lambda: translate(
        "Lessons",
        "Being more confident than the target raises the loss: its minimum is not at 1. The learning "
        "rate rises evenly to the end of the warm-up, then falls with 1/√step; a larger d_model or a "
        "longer warm-up lowers its peak.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Lessons",
        "Vaswani et al. (2017), sections 5.3 and 5.4; Szegedy et al. (2015), arXiv 1512.00567, section 7",
    ),
    control=_control,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
