"""GUIDED: attention held to the diagonal, said and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import guided as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.document.text.token_text import token_texts
from viewer.experiments.told import told_experiment
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part
from viewer.lessons.told import Told

translate = QCoreApplication.translate


def _model(name: str) -> str:
    return {
        "free": translate("Experiments", "Free"),
        "all": translate("Experiments", "All heads guided"),
        "half": translate("Experiments", "Half of the heads guided"),
    }[name.partition("_")[2]]


def _arm(name: str) -> str:
    return f"{_task(name.partition('_')[0])}: {_model(name)}"


def _task(name: str) -> str:
    return {"copy": translate("Experiments", "Copy"), "reverse": translate("Experiments", "Reverse")}[name]


def _control(name: str) -> str:
    return {
        "task": translate("Experiments", "Task"),
        "frame": translate("Experiments", "Step of training"),
    }[name]


def _option(control: str, option: str) -> str:
    return _task(option)


def _finding(found: Finding) -> str:
    about = dict(found.about)
    task = _task(found.name.partition("_")[2])
    if found.name.startswith("loss_"):
        text = translate(
            "Experiments",
            "{task}: mean loss over the run {free} free, {half} with half of the heads guided, {guided} with "
            "all; with all it is lower in {better} of {seeds} runs.",
        )
        return text.format(
            task=task,
            free=f"{about['free']:.3f}",
            guided=f"{about['guided']:.3f}",
            half="–" if about["half"] is None else f"{about['half']:.3f}",
            better=about["better"],
            seeds=about["seeds"],
        )
    text = translate(
        "Experiments", "{task}, half guided: diagonality {guided} of the guided heads, {free} of the free."
    )
    return text.format(task=task, guided=f"{about['guided']:.3f}", free=f"{about['free']:.3f}")


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    maps = tuple(_map(numbers, name) for name, one in numbers.data["maps"].items() if one)
    lines = (maps[:2], (*maps[2:], _curves(numbers)), (_heads(numbers),))
    return tuple(line for line in lines if line)


def _map(numbers: Numbers, name: str) -> Part:
    one, penalty = numbers.data["maps"][name], numbers.data["penalty"]
    cross = np.asarray(one["cross"], dtype=np.float32)
    guided = penalty is not None and not name.endswith("free")
    heading = translate("Experiments", "{model}, step {step}")
    return Grid(
        heading.format(model=_model(name), step=numbers.data["step"]),
        cross,
        [token.marked for token in token_texts(one["read"])],
        [token.marked for token in token_texts(one["src"])],
        masked=np.asarray(penalty) > 0.5 if guided else None,
        written=False,
        row_title=translate("Experiments", "reads"),
        column_title=translate("Experiments", "source"),
        tallest=230.0,
    )


def _curves(numbers: Numbers) -> Part:
    curves = numbers.data["curves"].items()
    lines = tuple(Line(_model(name), steps, losses, at) for at, (name, (steps, losses)) in enumerate(curves))
    low, high = span(*(line.ys for line in lines), zero=True)
    return Curves(
        translate("Experiments", "{task}: loss of held-out pairs").format(task=_task(numbers.data["task"])),
        Axis(0, experiment.STEPS, translate("Experiments", "step")),
        Axis(low, max(high, 1.0), translate("Experiments", "loss (nats a token)")),
        lines,
        marks=(Mark(float(numbers.data["step"])),),
    )


def _heads(numbers: Numbers) -> Part:
    found = {name: one for name, one in numbers.data["diagonality"].items() if len(one)}
    names = [
        translate("Experiments", "head {number}").format(number=number + 1)
        for number in range(max(map(len, found.values()), default=0))
    ]
    series = tuple(BarSeries(_model(name), one, at) for at, (name, one) in enumerate(found.items()))
    heading = translate("Experiments", "Diagonality of each head (guided where half are: heads 1 and 2)")
    return Bars(heading, names, series, most=1.0)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    return (
        translate("Experiments", "maps: last decoder layer, mean over heads, first seed"),
        translate("Experiments", "hatched: the penalty W is above 0.5"),
    )


def _formula(values: Values) -> str:
    return r"L=L_{CE}+\lambda\,\mathrm{mean}(W\odot A),\quad W_{ts}=1-e^{-\frac{(t/T-s/S)^2}{2g^2}}"


GUIDED: Told = told_experiment(
    "guided",
    title=lambda: translate("Experiments", "Guided attention"),
    why=lambda: translate(
        "Experiments",
        "A penalty can hold cross-attention to the diagonal: a help where words keep their order, a "
        "hindrance where they do not.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Guided, the diagonal forms earlier and copying is learned sooner; reversing, which needs the other "
        "diagonal, is learned later. Where half of the heads are free, these look where they did without a "
        "guide.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments", "Tachibana et al. (2018), arXiv 1710.08969, section 4.1 (for speech, g = 0.2)"
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
