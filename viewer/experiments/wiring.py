"""WIRING: which encoder layers the decoder reads, said and drawn."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QCoreApplication

from model.experiments import wiring as experiment
from model.lessons.lesson import Finding, Numbers, Values
from viewer.experiments.told import loss_heading, told_experiment
from viewer.figures.canvas.plot import Axis, span
from viewer.figures.sheet.bars import Bars, BarSeries
from viewer.figures.sheet.curves import Curves, Line
from viewer.figures.sheet.grid import Grid
from viewer.figures.sheet.part import Part

translate = QCoreApplication.translate
_MOMENTS = 12  # of the mix over time, at most
_COLOURS = {"last": 0, "same_depth": 1, "mix": 2}


def _arm(name: str) -> str:
    return {
        "last": translate("Experiments", "Last layer"),
        "same_depth": translate("Experiments", "Same depth"),
        "mix": translate("Experiments", "Learned mix"),
    }[name]


def _control(name: str) -> str:
    return {
        "curve": translate("Experiments", "Loss of"),
        "layer": translate("Experiments", "Decoder layer"),
    }[name]


def _option(control: str, option: str) -> str:
    return {
        "loss": translate("Experiments", "pairs trained on"),
        "heldout": translate("Experiments", "pairs held out"),
    }[option]


def _layer(number: int) -> str:
    """A column of the mix."""
    if not number:
        return translate("Experiments", "embedding")
    return translate("Experiments", "layer {number}").format(number=number)


def _finding(found: Finding) -> str:
    about, value = dict(found.about), float(found.value or 0)
    kind, _, arm = found.name.partition("_")
    if kind == "loss":
        text = translate(
            "Experiments", "{model}: loss {value} (spread {spread}), {right} % of fresh pairs all right."
        )
        return text.format(
            model=_arm(arm),
            value=f"{value:.3f}",
            spread=f"{about['spread']:.3f}",
            right=f"{100 * about['right']:.0f}",
        )
    if kind == "better":
        text = translate(
            "Experiments", "{model}: a lower loss than the last layer alone in {better} of {seeds} runs."
        )
        return text.format(model=_arm(arm), better=int(value), seeds=about["seeds"])
    if kind == "gradient":
        text = translate(
            "Experiments",
            "Before the first step encoder layer 1 has {value} % of the gradient of all {layers} layers with "
            "the mix, {last} % with the last layer.",
        )
        return text.format(
            value=f"{100 * value:.0f}", last=f"{100 * about['last']:.0f}", layers=about["layers"]
        )
    text = translate(
        "Experiments",
        "Once trained the mix gives the last layer {value} %, most to {most} ({share} %); all alike would be "
        "{even} %.",
    )
    return text.format(
        value=f"{100 * value:.0f}",
        most=_layer(about["most"]),
        share=f"{100 * about['share']:.0f}",
        even=f"{100 * about['even']:.0f}",
    )


def _lines(numbers: Numbers, values: Values) -> tuple[tuple[Part, ...], ...]:
    return ((_curves(numbers), _over_time(numbers)), _grids(numbers), (_gradients(numbers),))


def _curves(numbers: Numbers) -> Part:
    data = numbers.data
    lines = tuple(
        Line(_arm(name), steps, losses, _COLOURS[name]) for name, (steps, losses) in data["curves"].items()
    )
    title = translate("Experiments", "loss (nats a token)")
    return Curves(loss_heading(data["curve"]), _steps(lines), Axis(0.0, _most(lines), title), lines)


def _over_time(numbers: Numbers) -> Part:
    """The weights of one decoder layer as training goes on."""
    data = numbers.data
    steps, mixes = data["over_time"]
    layer = min(data["layer"], max(1, mixes.shape[1]))
    text = translate("Experiments", "Mix of decoder layer {layer} over time, minus 1/{count}")
    heading = text.format(layer=layer, count=mixes.shape[2] or experiment.ENCODER + 1)
    every = max(1, -(-len(steps) // _MOMENTS))
    values = mixes[::every, layer - 1].T - 1 / mixes.shape[2] if mixes.size else np.zeros((0, 0))
    most = float(np.abs(values).max(initial=0.0)) or 1.0
    return Grid(
        heading,
        values.astype(np.float32),
        [_layer(number) for number in range(len(values))],
        [f"{step:.0f}" for step in steps[::every]],
        levels=(-most, most),
        written=False,
        column_title=translate("Experiments", "step"),
        share=1.2,
    )


def _steps(lines: tuple[Line, ...]) -> Axis:
    last = max((line.xs[-1] for line in lines if len(line.xs)), default=experiment.STEPS)
    return Axis(0, float(last), translate("Experiments", "step"))


def _most(lines: tuple[Line, ...]) -> float:
    return span(*(line.ys for line in lines), zero=True)[1] or 1.0


def _gradients(numbers: Numbers) -> Part:
    by_arm = {name: one for name, one in numbers.data["gradients"].items() if one.size}
    layers = max((one.size for one in by_arm.values()), default=0)
    names = [_layer(number + 1) for number in range(layers)]
    series = tuple(BarSeries(_arm(name), one / one.sum(), _COLOURS[name]) for name, one in by_arm.items())
    heading = translate("Experiments", "Share of the gradient of each encoder layer before the first step")
    return Bars(heading, names, series)


def _grids(numbers: Numbers) -> tuple[Part, ...]:
    """What each decoder layer reads of each encoder layer, with every wiring."""
    found = []
    for name, mix in numbers.data["mixes"].items():
        if mix.size:
            columns = [_short(number) for number in range(mix.shape[1])]
            rows = [_decoder_layer(number + 1) for number in range(mix.shape[0])]
            found.append(
                Grid(
                    _arm(name),
                    mix.astype(np.float32),
                    rows,
                    columns,
                    decimals=2,
                    column_title=translate("Experiments", "encoder layer"),
                )
            )
    return tuple(found)


def _decoder_layer(number: int) -> str:
    return translate("Experiments", "decoder layer {number}").format(number=number)


def _short(number: int) -> str:
    return str(number) if number else translate("Experiments", "emb.")


def _formula(values: Values) -> str:
    return (
        r"\begin{array}{l}\mathrm{last}:\ z_k=h_E\qquad \mathrm{depth}:\ z_k=h_{\mathrm{ceil}(kE/D)}\\"
        r"\mathrm{mix}:\ z_k=\sum_{l=0}^{E}\mathrm{softmax}(w_k)_l\,h_l\end{array}"
    )


WIRING = told_experiment(
    "wiring",
    title=lambda: translate("Experiments", "What the decoder reads"),
    why=lambda: translate(
        "Experiments",
        "As published every decoder layer reads the encoder's last layer; it could as well read the layer of "
        "its own depth, or a learned mix of all.",
    ),
    expect=lambda: translate(
        "Experiments",
        "With the mix the gradient reaches the lowest encoder layers directly, which helps where the encoder "
        "is deep. Six layers are hardly deep: expect a somewhat lower loss, with the mix and with the same "
        "depth.",
    ),
    formula=_formula,
    paper=lambda: translate(
        "Experiments",
        "Bapna et al. (2018), Training Deeper Neural Machine Translation Models with Transparent Attention, "
        "arXiv 1808.07561",
    ),
    arm=_arm,
    control=_control,
    option=_option,
    finding=_finding,
    lines=_lines,
)
