"""NORM_ORDER: pre-norm or post-norm, said and drawn."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from model.experiments import norm_order as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.told import loss_heading, told_experiment
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line, Mark
from viewer.figures.sheet.part import Part

translate = QCoreApplication.translate


def _arm(name: str) -> str:
    return {
        "post_warm": translate("Experiments", "Post-norm, warm-up"),
        "post_cold": translate("Experiments", "Post-norm, no warm-up"),
        "pre_warm": translate("Experiments", "Pre-norm, warm-up"),
        "pre_cold": translate("Experiments", "Pre-norm, no warm-up"),
    }[name]


def _control(name: str) -> str:
    return {"curve": translate("Experiments", "Loss of")}[name]


def _option(control: str, option: str) -> str:
    return {
        "loss": translate("Experiments", "pairs trained on"),
        "heldout": translate("Experiments", "pairs held out"),
    }[option]


def _finding(found: Finding) -> str:
    about = dict(found.about)
    value = float(found.value or 0)
    if found.name.startswith("gradient"):
        text = {
            "gradient_post": translate(
                "Experiments",
                "Post-norm, before the first step: the gradient of layer {layers} is {value} times "
                "that of layer 1.",
            ),
            "gradient_pre": translate(
                "Experiments",
                "Pre-norm, before the first step: the gradient of layer {layers} is {value} times "
                "that of layer 1.",
            ),
        }[found.name]
        return text.format(layers=about["layers"], value=f"{value:.3g}")
    text = translate(
        "Experiments", "{model}: {learned} of {seeds} learned it; loss {value} (spread {spread})."
    )
    return text.format(
        model=_arm(found.name),
        learned=about["learned"],
        seeds=about["seeds"],
        value=f"{value:.3f}",
        spread=f"{about['spread']:.3f}",
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return ((_curves(numbers),), (_gradients(numbers),))


def _curves(numbers: Numbers) -> Part:
    data = numbers.data
    lines = [
        Line(_arm(name), steps, losses, at)
        for at, (name, (steps, losses)) in enumerate(data["curves"].items())
    ]
    low, high = span(*(line.ys for line in lines), zero=True)
    last = max((line.xs[-1] for line in lines if len(line.xs)), default=experiment.STEPS)
    title = translate("Experiments", "loss (nats a token)")
    return Curves(
        loss_heading(data["curve"]),
        Axis(0, float(last), translate("Experiments", "step")),
        Axis(low, max(high, 1.0), title),
        tuple(lines),
        marks=(Mark(data["learned"], translate("Experiments", "learned"), upright=False),),
        share=2.0,
    )


def _gradients(numbers: Numbers) -> Part:
    post, pre = numbers.data["gradients"]["post"], numbers.data["gradients"]["pre"]
    names = [
        translate("Experiments", "layer {number}").format(number=number + 1)
        for number in range(max(len(post), len(pre)))
    ]
    series = (
        BarSeries(translate("Experiments", "post-norm"), post, 0),
        BarSeries(translate("Experiments", "pre-norm"), pre, 2),
    )
    heading = translate("Experiments", "Gradient of each decoder layer before the first step")
    return Bars(heading, names, tuple(one for one in series if len(one.values)))


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\mathrm{post}:\ x_{l+1}=\mathrm{LN}(x_l+F(x_l))\\"
        r"\mathrm{pre}:\ x_{l+1}=x_l+F(\mathrm{LN}(x_l))\end{array}"
    )


NORM_ORDER = told_experiment(
    "norm_order",
    title=lambda: translate("Experiments", "Pre-norm or post-norm"),
    why=lambda: translate(
        "Experiments",
        "Where LayerNorm stands decides whether a deep Transformer can be trained without warm-up.",
    ),
    expect=lambda: translate(
        "Experiments",
        "Six layers each, copying words. Post-norm, as published, has its largest gradients in the last "
        "layers and needs warm-up; pre-norm has even gradients and learns without.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Xiong et al. (2020), On Layer Normalization in the Transformer Architecture, arXiv 2002.04745",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
)
