"""SharesSpec: how much of each step comes from the source, how much from the prefix of the translation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.trace.trace import Floats
from viewer.document.text.token_text import TokenText
from viewer.figures.shares.text import percents


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
        token = self.tokens[step].marked
        return text.format(step=step + 1, token=token, source=source, prefix=prefix)
