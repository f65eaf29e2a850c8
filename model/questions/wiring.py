"""MixOf: how much of each encoder layer the decoder's layers read. Frozen, no torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question
from model.trace.trace import Floats


@dataclass(frozen=True)
class MixOf(Question, answered_by="model.inspection.wiring:mix_of"):
    """The weights of the layers that the decoder reads, of any wiring; answered by `Mix`.

    Attributes:
        model_sha256: of which model; another's answer would be other weights.
    """

    urgency = "instant"

    model_sha256: str


@dataclass(frozen=True, eq=False)
class Mix:
    """What each decoder layer reads.

    Attributes:
        shares: float32 [decoder layer, encoder layers + 1]; rows sum to 1, the first column is the embedding
            sum's.
    """

    shares: Floats
