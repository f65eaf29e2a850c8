"""Training messages: requests and results, as in `viewer.document.messages.messages`."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Literal

from model.data.pairs.survey import CorpusSurvey
from model.train_options import TrainOptions
from model.training.batch_view import DEFAULT_PAD, BatchView
from model.training.progress.events import ProbeEvent, TrainEvent
from model.training.progress.history import StoredRun
from viewer.document.messages.messages import (
    JobCancelled,
    JobFailed,
    JobMessage,
    JobProgress,
    Priority,
    Request,
)

RunCommand = Literal["stop", "stop_after_evaluation", "save", "snapshot"]
"""What a run can be told: an attribute of `model.training.control.Control`."""


@dataclass(frozen=True)
class Survey(Request):
    """Read the corpus that the options name; answered by growing `Surveyed`s, the last one complete."""

    priority = Priority.READING

    options: TrainOptions


@dataclass(frozen=True)
class Train(Request):
    """Train into the folder `out`, or go on with the run that is there.

    Attributes:
        options: ignored when a run is resumed, but for what may change.
    """

    priority = Priority.BACKGROUND
    latest_wins = False

    options: TrainOptions
    out: str
    resume: bool = False
    command: str = ""


@dataclass(frozen=True)
class ComputeBatch(Request):
    """The batch of a step: of the run that goes on into `out`, of a finished one, or of one yet to begin.

    Attributes:
        out: "" for a run yet to begin that has no folder.
        step: from 0.
        pad: columns of padding to add for the comparison.
    """

    priority = Priority.READING

    options: TrainOptions
    out: str
    step: int = 0
    pad: int = DEFAULT_PAD


@dataclass(frozen=True)
class MeasureSpeed(Request):
    """Find out how fast this machine makes steps of such a run.

    Attributes:
        tokens: of an ordinary sentence.
        key: what the speed depends on, for whoever asks.
    """

    priority = Priority.READING

    options: TrainOptions
    tokens: float
    key: Hashable


@dataclass(frozen=True)
class OpenRun(Request):
    """Read what the run in the folder `out` has measured so far."""

    priority = Priority.READING

    out: str


@dataclass(frozen=True)
class CommandRun(JobMessage):
    """Tell the run of a `Train` job something; one that is paused goes on until it is done.

    Attributes:
        then_pause: once it is done, give the job no time: said together, so that no step comes between.
    """

    command: RunCommand
    then_pause: bool = False


@dataclass(frozen=True, eq=False)
class Surveyed:
    """What is known of a corpus so far; the job's last has `survey.complete`."""

    job: int
    survey: CorpusSurvey


@dataclass(frozen=True, eq=False)
class BatchSeen:
    """The batch that was asked for."""

    job: int
    view: BatchView


@dataclass(frozen=True)
class SpeedMeasured:
    """Batch tokens a second, for what the key of the request stands for."""

    job: int
    key: Hashable
    speed: float


@dataclass(frozen=True, eq=False)
class TrainingHappened:
    """Events of a run in order, collected at most 15 times a second; none is dropped."""

    job: int
    events: tuple[TrainEvent, ...]


@dataclass(frozen=True)
class TrainingEnded:
    """The run ended by itself, or was stopped as asked, with its state saved; all its events came before.

    Attributes:
        out: the bundle's folder.
        done: whether it came to its end; False = it can be resumed.
    """

    job: int
    out: str
    done: bool


@dataclass(frozen=True)
class TrainingPaused:
    """A paused run is given no more time; what could be saved is saved."""

    job: int


@dataclass(frozen=True, eq=False)
class RunOpened:
    """A run that lies on disk.

    Attributes:
        probe: the last trace that was kept of the probe sentence.
    """

    job: int
    run: StoredRun
    probe: ProbeEvent | None = None


TRAINING_REQUESTS = (Survey, Train, ComputeBatch, MeasureSpeed, OpenRun)
"""Their answers, failures and cancellations go to the Train page, not to Look."""

TrainingAnswer = (
    Surveyed
    | BatchSeen
    | SpeedMeasured
    | TrainingHappened
    | TrainingPaused
    | TrainingEnded
    | RunOpened
    | JobProgress
    | JobFailed
    | JobCancelled
)

LAST_ANSWERS = (BatchSeen, SpeedMeasured, TrainingEnded, RunOpened, JobFailed, JobCancelled)
"""A job's answer of one of these types is its last; so is a complete `Surveyed`."""
