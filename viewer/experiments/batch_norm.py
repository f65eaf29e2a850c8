"""BATCH_NORM: LayerNorm or BatchNorm, said and drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import batch_norm as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.told import loss_heading, piece_texts, told_experiment
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {"layer": "LayerNorm", "batch": "BatchNorm"}[name]


def _control(name: str) -> str:
    return {
        "curve": translate("Experiments", "Loss of"),
        "statistic": translate("Experiments", "Mismatch of"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "loss": translate("Experiments", "pairs trained on"),
        "heldout": translate("Experiments", "pairs held out"),
        "mean": translate("Experiments", "the mean"),
        "variance": translate("Experiments", "the variance"),
    }[option]


def _finding(found: Finding) -> str:
    about, value = dict(found.about), float(found.value or 0)
    if found.name.startswith("loss_"):
        text = translate(
            "Experiments", "{model}: loss {value} (spread {spread}), {right} % of fresh pairs all right."
        )
        return text.format(
            model=_arm(found.name.removeprefix("loss_")),
            value=f"{value:.3f}",
            spread=f"{about['spread']:.3f}",
            right=f"{100 * about['right']:.0f}",
        )
    if found.name == "worse":
        text = translate("Experiments", "BatchNorm came to a higher loss in {worse} of {seeds} runs.")
        return text.format(worse=int(value), seeds=about["seeds"])
    if found.name == "mismatch":
        text = translate(
            "Experiments",
            "In the second half of training a batch's mean is off by {value} running deviations, over all "
            "norms: {times} times what as many independent tokens would be ({noise}).",
        )
        return text.format(value=f"{value:.3f}", times=f"{about['times']:.1f}", noise=f"{about['noise']:.3f}")
    if found.name == "largest":
        text = translate(
            "Experiments", "It is largest in {stack} layer {layer}, norm {norm}: {value}, {times} times."
        )
        return text.format(
            stack=_stack(about["stack"]),
            layer=about["layer"],
            norm=about["norm"],
            value=f"{value:.3f}",
            times=f"{about['times']:.1f}",
        )
    if found.name == "statistics":
        text = translate(
            "Experiments",
            "BatchNorm on fresh pairs: loss {own} by the batch's own statistics, {running} by the running "
            "ones, which translations use.",
        )
        return text.format(own=f"{about['own']:.3f}", running=f"{about['running']:.3f}")
    text = translate(
        "Experiments",
        "{model}: another sentence beside it changes a sentence's own attention weights by up to {value} in "
        "training mode, by {after} once trained.",
    )
    return text.format(
        model=_arm(found.name.removeprefix("mate_")),
        value=f"{value:.3g}",
        after=f"{about['inference']:.3g}",
    )


def _stack(name: str) -> str:
    if name == "encoder":
        return translate("Experiments", "encoder")
    return translate("Experiments", "decoder")


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return ((_curves(numbers), _mismatch(numbers)), *_grids(numbers))


def _curves(numbers: Numbers) -> Part:
    data = numbers.data
    lines = tuple(
        Line(_arm(name), steps, losses, 2 * at)
        for at, (name, (steps, losses)) in enumerate(data["curves"].items())
    )
    return Curves(
        loss_heading(data["curve"]),
        _steps(lines),
        Axis(0.0, _most(lines), translate("Experiments", "loss (nats a token)")),
        lines,
        share=1.0,
    )


def _mismatch(numbers: Numbers) -> Part:
    """Batch statistics beside the running ones, as training goes on."""
    data = numbers.data
    lines = tuple(
        Line(_line(name), steps, ys, at) for at, (name, (steps, ys)) in enumerate(data["mismatch"].items())
    )
    title = translate("Experiments", "running deviations")
    heading = translate("Experiments", "Batch mean beside running mean")
    if data["statistic"] == "variance":
        title = translate("Experiments", "share of the running variance")
        heading = translate("Experiments", "Batch variance beside running one")
    return Curves(heading, _steps(lines), Axis(0.0, _most(lines), title), lines, share=1.0)


def _line(name: str) -> str:
    if name == "noise":
        return translate("Experiments", "independent tokens")
    stack, layer = name.split()
    text = translate("Experiments", "{stack} layer {layer}")
    return text.format(stack=_stack(stack), layer=layer)


def _steps(lines: tuple[Line, ...]) -> Axis:
    last = max((line.xs[-1] for line in lines if len(line.xs)), default=experiment.STEPS)
    return Axis(0, float(last), translate("Experiments", "step"))


def _most(lines: tuple[Line, ...]) -> float:
    return span(*(line.ys for line in lines), zero=True)[1] or 1.0


def _grids(numbers: Numbers) -> tuple[tuple[Part, ...], ...]:
    """A sentence's own map under BatchNorm beside two batch-mates, and what became of it with both norms."""
    maps = {arm: one for arm, one in numbers.data["maps"].items() if one}
    if len(maps) < len(experiment.ARMS):
        return ()
    batch = maps["batch"]
    weights = (
        _grid(translate("Experiments", "BatchNorm, beside one sentence"), batch, batch["own"], (0.0, 1.0)),
        _grid(translate("Experiments", "The same beside another"), batch, batch["other"], (0.0, 1.0)),
    )
    changes = {arm: one["other"] - one["own"] for arm, one in maps.items()}
    most = max(float(np.abs(change).max()) for change in changes.values()) or 1.0
    changed = [
        _grid(
            translate("Experiments", "{model}: the change").format(model=_arm(arm)),
            maps[arm],
            changes[arm],
            (-most, most),
        )
        for arm in ("batch", "layer")
    ]
    return (weights, tuple(changed))


def _grid(heading: str, read: dict[str, Any], values: np.ndarray, levels: tuple[float, float]) -> Grid:
    words = piece_texts(read["words"])
    return Grid(heading, values.astype(np.float32), words, words, levels=levels, written=False, tallest=200.0)


def _badges(numbers: Numbers, values: Values) -> tuple[str, ...]:
    return (translate("Experiments", "maps: encoder's last layer, head 1, first seed, training mode"),)


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\mathrm{training}:\ \hat{x}_{tf}=\gamma_f\frac{x_{tf}-\mu_f}"
        r"{\sqrt{\sigma_f^2+\epsilon}}+\beta_f,\quad \mu_f=\frac{1}{N}\sum_{t\,\mathrm{real}}x_{tf}\\"
        r"\mathrm{running}:\ \bar\mu_f\leftarrow 0.9\,\bar\mu_f+0.1\,\mu_f\end{array}"
    )


BATCH_NORM = told_experiment(
    "batch_norm",
    title=lambda: translate("Experiments", "BatchNorm, trained"),
    why=lambda: translate(
        "Experiments",
        "BatchNorm normalises by the other sentences of a batch, LayerNorm by nothing but the token itself: "
        "two Transformers that differ in that alone.",
    ),
    expect=lambda: translate(
        "Experiments",
        "BatchNorm does worse. The paper's reason: what a batch measures strays from the running statistics "
        "that are used later; how far it does here is told below. Another sentence beside yours changes your "
        "map while BatchNorm trains, never with LayerNorm. By hand: the lesson on LayerNorm and BatchNorm.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Shen et al. (2020), PowerNorm: Rethinking Batch Normalization in Transformers, section 3, arXiv "
        "2003.07845",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
    badges=_badges,
)
