"""Events of a training run, frozen values that it reports: no tensors, no torch."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, ClassVar, Literal

from model.errors import HeadscopeError
from model.trace.trace import Trace
from model.training.fields.derive import Derived

StopReason = Literal["steps", "epochs", "minutes", "patience", "asked"]
WorkStage = Literal[
    "reading", "vocabulary", "encoding", "measuring", "training", "probe", "evaluating", "finishing"
]


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
    """Work is going on that has nothing to tell yet; for a person to see, not part of `--json`.

    Attributes:
        stage: what it is; `training`: a step that `log_every` leaves out of the reports.
        done, total: how far it is; `total` is 0 where that is not known.
    """

    name = "work"
    stage: WorkStage
    done: int = 0
    total: int = 0


@dataclass(frozen=True, kw_only=True)
class StartEvent(TrainEvent):
    """The first step is about to be made; all of this is known now.

    Attributes:
        resumed: whether earlier steps were loaded.
        train_pairs, dev_pairs: used and held out (0: some of the training pairs stand in for them).
        left_out: pairs not used, by reason (`empty`, `long`, `ratio`, `duplicate`, `test`).
        parameters: numbers that are trained.
        steps_per_epoch: of the present epoch.
        device, precision: what is computed on, and in.
        probe, probe_target: the watched sentence; the target is "" when the model writes its own.
        probe_bytes: the most that kept traces will take on disk.
        derived: what follows from the corpus and the run's length and is not as usual; of a new run.
        advice: what a person might have chosen otherwise; None for nothing.
    """

    name = "start"
    resumed: bool
    train_pairs: int
    dev_pairs: int
    left_out: dict[str, int]
    parameters: int
    steps_per_epoch: int
    device: str
    precision: str
    probe: str
    probe_target: str
    probe_bytes: int
    derived: tuple[Derived, ...] = ()
    advice: Derived | None = None

    def to_json(self) -> dict[str, Any]:
        """Without what there is nothing to say of."""
        told = super().to_json()
        return {name: value for name, value in told.items() if name not in ("derived", "advice") or value}


@dataclass(frozen=True, kw_only=True)
class StepEvent(TrainEvent):
    """One optimizer step.

    Attributes:
        loss: cross-entropy in nats per target token, label smoothing left out.
        grad_norm: before clipping.
        tokens_per_second: target tokens, padding not counted.
        minutes_left: until the nearest limit at the present pace; None when no limit is known.
    """

    name = "step"
    loss: float
    lr: float
    grad_norm: float
    tokens_per_second: float
    minutes_left: float | None = None


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
class ProbeEvent(TrainEvent):
    """The attention of the probe sentence at this step.

    Attributes:
        trace: all its patterns, with the weights of the moment; not part of `--json`.
        path: the file it is kept in; "" when it is only shown.
    """

    name = "probe"
    trace: Trace = field(repr=False)
    path: str = ""

    def to_json(self) -> dict[str, Any]:
        """Without the trace."""
        return {"event": self.name, "step": self.step, "epoch": self.epoch, "path": self.path}


@dataclass(frozen=True, kw_only=True)
class SnapshotEvent(TrainEvent):
    """The weights of the moment were written as a complete bundle, as was asked for; the run goes on."""

    name = "snapshot"
    path: str


@dataclass(frozen=True, kw_only=True)
class PausedEvent(TrainEvent):
    """Something could not be written; the run waits and tries again whenever it is given time.

    Attributes:
        error: what went wrong and what to do; its code and sentence are what `--json` prints.
    """

    name = "paused"
    error: HeadscopeError

    def to_json(self) -> dict[str, Any]:
        """The error as its code and its English sentence."""
        place = {"event": self.name, "step": self.step, "epoch": self.epoch}
        return {**place, "code": self.error.code, "error": str(self.error)}


@dataclass(frozen=True, kw_only=True)
class ContinuedEvent(TrainEvent):
    """What a `PausedEvent` told of is mended and the run goes on."""

    name = "continued"


@dataclass(frozen=True, kw_only=True)
class DoneEvent(TrainEvent):
    """The run came to its end: the bundle is complete, with its recorded example.

    Attributes:
        reason: the limit that was reached; `patience`: as many evaluations brought no improvement; `asked`:
            it was to stop after an evaluation.
        minutes: time spent in training, earlier sessions included.
        heldout_loss, bleu: of the best weights, which the bundle holds.
    """

    name = "done"
    reason: StopReason = "steps"
    minutes: float
    heldout_loss: float | None
    bleu: float | None
