"""SharesSpec: how much of each step comes from the source, how much from the prefix of the translation."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from PySide6.QtCore import QCoreApplication

from model.trace.trace import Floats
from viewer.document.text.token_text import TokenText
from viewer.figures.shares.measure import CONTRIBUTIONS, Measure
from viewer.figures.shares.text import percents

_TOLD = 3  # words of a step


@dataclass(frozen=True, eq=False)
class WordShares:
    """Each word's own share of a step.

    Attributes:
        source, prefix: the tokens of both; the prefix as the decoder reads it.
        shares: float32 [step, source and prefix]; rows sum to 1.
    """

    source: tuple[TokenText, ...]
    prefix: tuple[TokenText, ...]
    shares: Floats

    @property
    def tokens(self) -> tuple[TokenText, ...]:
        """Of the columns of `shares`."""
        return (*self.source, *self.prefix)

    def strongest(self, step: int) -> list[int]:
        """The columns that have most of a step, descending."""
        order = np.argsort(-self.shares[step], kind="stable")[:_TOLD]
        return [int(column) for column in order if self.shares[step, column] > 0]


@dataclass(frozen=True, eq=False)
class SharesSpec:
    """The source's share at every step; the rest is the prefix's.

    Attributes:
        source: float32 [layer, step], 0 to 1.
        shown: float64 [step], of what is drawn.
        layer: which decoder layer; None for the mean over all, or of contributions for all multiplied.
        step: the one in view, -1 for none.
        tokens: what is predicted at each step.
        later_from: first step after the one in view (outlined), None to draw all alike.
        notes: formula, caveat and source, a sentence each.
        words: of contributions: each word's own share of what is drawn.
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
    measure: Measure = CONTRIBUTIONS
    words: WordShares | None = None

    @property
    def steps(self) -> int:
        """How many steps there are."""
        return len(self.shown)

    def sentence_at(self, step: int) -> str:
        """What a step's shares are: "step 5, predicting “donné”: source 62 %, prefix 38 %"; its words."""
        text = QCoreApplication.translate(
            "Shares", "Step {step}, predicting “{token}”: source {source}, prefix {prefix}"
        )
        source, prefix = percents(float(self.shown[step]))
        token = self.tokens[step].marked
        said = text.format(step=step + 1, token=token, source=source, prefix=prefix)
        return "; ".join([said, *self.words_at(step)])

    def words_at(self, step: int) -> list[str]:
        """The words that have most of a step: "source “girl” 52 %"."""
        translate, words = QCoreApplication.translate, self.words
        if words is None:
            return []
        source = translate("Shares", "source “{word}” {share} %")
        prefix = translate("Shares", "prefix “{word}” {share} %")
        return [
            (source if column < len(words.source) else prefix).format(
                word=words.tokens[column].marked, share=f"{100 * float(words.shares[step, column]):.0f}"
            )
            for column in words.strongest(step)
        ]
