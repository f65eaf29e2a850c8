"""Curves in words: what they are called and what the pointer reads out of them."""

from __future__ import annotations

import math

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QColor

from viewer.document.training.curves import Curves
from viewer.figures.canvas.lettering import SMALL
from viewer.figures.canvas.theme import Theme
from viewer.figures.curves.spec import Heading, Key
from viewer.pages.train.curves.curves_series import SMOOTHED_OVER, nearest, trailing_mean
from viewer.pages.widgets.appearance import blend


def headings(curves: Curves, colours: Theme) -> dict[str, Heading]:
    """What stands above each panel: its name, its unit, its newest value, and what its lines are."""
    translate = QCoreApplication.translate
    plain = {
        "lr": translate("Curves", "Learning rate"),
        "grad_norm": translate("Curves", "Gradient norm"),
        "bleu": translate("Curves", "BLEU"),
        "tokens_per_second": translate("Curves", "Tokens/s"),
    }
    keys = (
        Key(translate("Curves", "training"), faint(colours, 0), 1.0),
        Key(
            translate("Curves", "mean of {count} points").format(count=SMOOTHED_OVER), colours.curves[0], 1.6
        ),
        Key(
            translate("Curves", "held out (filled: best)"),
            colours.curves[1],
            1.6,
            dots=True,
            dashed=True,
            short=translate("Curves", "held out"),
        ),
    )
    found = {name: Heading(text, _newest(curves, name)) for name, text in plain.items()}
    return {"loss": Heading(translate("Curves", "Loss, nats per target token"), keys=keys), **found}


def rich_text(heading: Heading, colours: Theme, scale: float, *, narrow: bool) -> str:
    """A heading for a label.

    Args:
        narrow: what the lines are stands in a second row.
    """
    pixels = SMALL * scale
    if not heading.keys:
        name = _span(heading.name, colours.dim, pixels)
        return f"{name}&nbsp; <b>{_span(heading.value, colours.text, pixels)}</b>"
    keys = "&nbsp;&nbsp; ".join(
        f"{_span('━●' if key.dots else '━' if key.width > 1 else '─', key.colour, pixels)} "
        f"{_span((key.short if narrow else '') or key.text, colours.dim, pixels)}"
        for key in heading.keys
    )
    gap = "<br>" if narrow else "&nbsp;&nbsp; "
    return f"<b>{_span(heading.name, colours.text, pixels)}</b>{gap}{keys}"


def faint(colours: Theme, curve: int) -> str:
    """The colour of single steps' numbers: the curve's own, nearer to the panel's."""
    return blend(colours.color("panel"), QColor(colours.curves[curve]), 0.45).name()


def read_out(curves: Curves, step: float) -> str:
    """The true numbers of the step nearest to `step`, and of the evaluation nearest to it."""
    translate = QCoreApplication.translate
    index = nearest(curves.series("loss"), step)
    parts: list[str] = []
    if index is not None:
        steps, losses = curves.series("loss")
        window = losses[max(0, index - SMOOTHED_OVER + 1) : index + 1]
        text = translate(
            "Curves",
            "Step {step}: training loss {loss} (mean of {count} points {mean}), learning rate {lr}, "
            "gradient norm {norm}, {speed} tokens/s",
        )
        parts.append(
            text.format(
                step=f"{steps[index]:,.0f}",
                loss=number(losses[index]),
                mean=number(trailing_mean(window)[-1]),
                count=len(window),
                lr=number(_at(curves, "lr", index)),
                norm=number(_at(curves, "grad_norm", index)),
                speed=f"{_at(curves, 'tokens_per_second', index):,.0f}",
            )
        )
    evaluation = nearest(curves.series("heldout_loss"), step)
    if evaluation is not None:
        steps, losses = curves.series("heldout_loss")
        at = steps[evaluation]
        text = translate("Curves", "step {step}: held-out loss {loss}")
        parts.append(text.format(step=f"{at:,.0f}", loss=number(losses[evaluation])))
        scored, scores = curves.series("bleu")
        text = translate("Curves", "BLEU {score}")
        parts += [text.format(score=f"{score:.1f}") for score in scores[scored == at]]
    return " · ".join(parts)


def number(value: float) -> str:
    """Five significant digits, as a person reads them."""
    return f"{value:.5g}" if math.isfinite(value) else "–"


def _at(curves: Curves, name: str, index: int) -> float:
    return float(curves.series(name)[1][index])


def _newest(curves: Curves, name: str) -> str:
    values = curves.series(name)[1]
    if not len(values):
        return ""
    if name == "tokens_per_second":
        return f"{values[-1]:,.0f}"
    return f"{values[-1]:.1f}" if name == "bleu" else f"{values[-1]:.3g}"


def _span(text: str, colour: str, pixels: float) -> str:
    return f'<span style="font-size:{pixels:.0f}px;color:{colour}">{text}</span>'
