"""SharesSpec: how much of each step comes from the source, how much from the prefix of the translation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.inspection.answers import SourceShares
from model.trace import Floats, Trace
from viewer.state.figure import FigureSpec
from viewer.state.figure_text import provenance_caption, trace_badges, trace_facts
from viewer.state.token_text import TokenText, token_texts

SOURCE = "Ferrando & Costa-jussà 2021, arXiv 2109.05853"


@dataclass(frozen=True, eq=False)
class SharesSpec:
    """The source's share at every step; the rest is the prefix's.

    Attributes:
        source: float32 [layer, step], 0 to 1.
        shown: float64 [step], of the layer, or the mean over the layers.
        layer: which decoder layer, None for the mean over all.
        step: the one in view, -1 for none.
        tokens: what is predicted at each step.
        later_from: first step after the one in view (outlined), None to draw all alike.
        notes: formula, caveat and source, a sentence each.
    """

    source: Floats
    shown: npt.NDArray[np.float64]
    layer: int | None
    step: int
    tokens: tuple[TokenText, ...]
    title: str
    badges: tuple[str, ...] = ()
    later_from: int | None = None
    notes: tuple[str, ...] = ()

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.shown)

    def sentence_at(self, step: int) -> str:
        """What a step's shares are: "step 5, predicting “donné”: source 62 %, prefix 38 %"."""
        text = QCoreApplication.translate(
            "Shares", "Step {step}, predicting “{token}”: source {source}, prefix {prefix}"
        )
        source, prefix = percents(float(self.shown[step]))
        token = self.tokens[step].text
        return text.format(step=step + 1, token=token, source=source, prefix=prefix)


def shares_figure(
    trace: Trace,
    answer: SourceShares,
    layer: int | None,
    step: int,
    *,
    provenance: Mapping[str, Any] | None = None,
) -> FigureSpec:
    """All steps' shares in one decoder layer, or (None) their mean over the layers.

    Raises:
        IndexError: there is no such layer.
    """
    source = answer.source
    layers = len(source)
    shown = source.mean(axis=0, dtype=np.float64) if layer is None else source[layer].astype(np.float64)
    translate = QCoreApplication.translate
    if layer is None:
        title = translate("Shares", "Source and prefix, mean over {layers} decoder layers")
    else:
        title = translate("Shares", "Source and prefix, decoder layer {layer} of {layers}")
    title = title.format(layer=(layer or 0) + 1, layers=layers)
    badges = (
        translate("Shares", "share of the source: {formula}, no attention weight").format(formula=formula()),
        *trace_badges(trace, sqrt_scale=False),
    )
    spec = SharesSpec(
        source=source,
        shown=shown,
        layer=layer,
        step=step,
        tokens=token_texts(trace.tgt_out_tokens, style=trace.token_style),
        title=title,
        badges=badges,
        later_from=step + 1,
        notes=notes(),
    )
    own = provenance or {}
    facts = trace_facts(trace) | {
        "view": "shares",
        "layer": "mean" if layer is None else layer,
        "step": step,
        "numbers": "source_share",
        "formula": formula(),
        "caveat": caveat(),
        "numbers_source": SOURCE,
        "source": [float(share) for share in shown],
        "badges": list(badges),
        "provenance": dict(own),
    }
    return FigureSpec(spec, provenance_caption(trace, title, badges, own, notes()), facts)


def formula() -> str:
    """How a share is worked out."""
    return QCoreApplication.translate("Shares", "‖c‖ / (‖c‖ + ‖x‖)")


def caveat() -> str:
    """What the letters mean, and what a share does not say."""
    return QCoreApplication.translate(
        "Shares",
        "c is what cross-attention adds in that layer, x the residual stream that it is added to, counted as "
        "the prefix's. x also holds what lower layers brought from the source; the angle between both is "
        "left out.",
    )


def notes() -> tuple[str, ...]:
    """Formula, caveat and source, a sentence each."""
    translate = QCoreApplication.translate
    return (
        translate("Shares", "Share of the source: {formula}.").format(formula=formula()),
        caveat(),
        translate("Shares", "The question is that of {source}; the measure is Headscope's own.").format(
            source=SOURCE
        ),
    )


def percents(source: float) -> tuple[str, str]:
    """Both shares as a person reads them; they add up to 100 %."""
    number = round(100 * source)
    text = QCoreApplication.translate("Wording", "{number} %")
    return text.format(number=number), text.format(number=100 - number)
