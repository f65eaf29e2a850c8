"""LensOf: what the decoder makes of every layer of the encoder (DecoderLens). Frozen, no torch.

Langedijk et al. 2023 (arXiv 2310.03686).
"""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question
from model.trace.trace import Floats


@dataclass(frozen=True)
class LensOf(Question, answered_by="model.causes.decoder_lens:lens_of"):
    """A translation from each encoder layer, as the model usually writes; answered by `Lens`, which grows."""

    activity = "layers"


@dataclass(frozen=True, eq=False)
class LensRow:
    """What the decoder writes when it reads one encoder layer.

    Attributes:
        layer: how many encoder layers the source has passed; 0 for the embeddings.
        tokens: raw pieces that were produced, the end token included.
        logprobs: float32, natural log probability of each.
        finished: False where the length limit stopped it.
        given: natural log probability of the reading's own translation, read token by token, with that layer;
            NaN where the reading has none.
    """

    layer: int
    text: str
    tokens: tuple[str, ...]
    logprobs: Floats
    finished: bool
    given: float

    @property
    def mean_logprob(self) -> float:
        """Natural log probability per token of what was written; NaN of nothing."""
        return float(self.logprobs.mean(dtype="float64")) if len(self.logprobs) else float("nan")


@dataclass(frozen=True, eq=False)
class Lens:
    """The layers so far, in order from 0.

    Attributes:
        layers: N, how many layers the encoder has; all are there when there are N + 1 rows.
    """

    rows: tuple[LensRow, ...]
    layers: int
