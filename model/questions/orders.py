"""OrdersOf and PiecesOf: the order experiment, and the pieces that it reads. Frozen, no torch."""

from __future__ import annotations

from dataclasses import dataclass

from model.questions.questions import Question


@dataclass(frozen=True)
class OrdersOf(Question, answered_by="model.inspection.order:orders_of"):
    """A text's pieces in their own and in another order; answered by `exploration.OrderExperiment`.

    Attributes:
        model_sha256: of which model; another's answer would be about other pieces.
        order: as in `model.alterations.reorder.Reorder`; None takes `model.trace.exploration.other_order`.
    """

    urgency = "interactive"
    activity = "ordering"

    model_sha256: str
    text: str
    order: tuple[int, ...] | None = None


@dataclass(frozen=True)
class PiecesOf(Question, answered_by="model.inspection.order:pieces_of"):
    """A text that is being typed, as its pieces; answered by `TextPieces`.

    Attributes:
        model_sha256: of which model.
    """

    urgency = "instant"

    model_sha256: str
    text: str


@dataclass(frozen=True)
class TextPieces:
    """Raw pieces of a text, without the end token."""

    text: str
    pieces: tuple[str, ...]
