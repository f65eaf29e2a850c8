"""What a training run reports, as frozen values: no tensors, no torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, ClassVar, Literal


@dataclass(frozen=True, kw_only=True)
class TrainEvent:
    """Common part: where the run stands.

    Attributes:
        step: optimizer steps done since the run began.
        epoch: passes over the data, in fractions.
    """

    name: ClassVar[str]
    step: int
    epoch: float

    def to_json(self) -> dict[str, Any]:
        """The event as the command line's `--json` prints it."""
        return {"event": self.name, **asdict(self)}


@dataclass(frozen=True, kw_only=True)
class WorkEvent(TrainEvent):
    """Something other than a step is going on; for a person to see, not part of `--json`.

    Attributes:
        stage: what it is.
        done, total: how far it is; `total` is 0 where that is not known.
    """

    name = "work"
    stage: Literal["reading", "vocabulary", "encoding", "evaluating", "finishing"]
    done: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class StepEvent(TrainEvent):
    """One optimizer step.

    Attributes:
        loss: cross-entropy in nats per target token, label smoothing left out.
        grad_norm: before clipping.
        tokens_per_second: target tokens, padding not counted.
    """

    name = "step"
    loss: float
    lr: float
    grad_norm: float
    tokens_per_second: float


@dataclass(frozen=True, kw_only=True)
class EvalEvent(TrainEvent):
    """A look at held-out data.

    Attributes:
        heldout_loss: cross-entropy in nats per target token.
        bleu: of greedy translations, first reference; None when not measured.
        averaged: whether the average of recent weights was better and is what was measured.
        best: whether these weights are the best so far and now in the bundle.
        samples: (source, translation) of a few held-out sentences.
    """

    name = "eval"
    heldout_loss: float
    bleu: float | None
    averaged: bool
    best: bool
    samples: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, kw_only=True)
class SavedEvent(TrainEvent):
    """The training state is on disk: a killed run resumes from here."""

    name = "saved"
    path: str


@dataclass(frozen=True, kw_only=True)
class DoneEvent(TrainEvent):
    """The run reached its limit.

    Attributes:
        minutes: time spent in training, earlier sessions included.
        heldout_loss, bleu: of the best weights, which the bundle holds.
    """

    name = "done"
    minutes: float
    heldout_loss: float | None
    bleu: float | None
