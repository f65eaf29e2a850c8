"""Training requests: what a view asks, by `Training.ask`; see `viewer.document.messages.requests`. No Qt."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from model.train_options import TrainOptions
from viewer.document.messages.requests import ViewRequest


@dataclass(frozen=True)
class StartRun(ViewRequest):
    """Train into the folder `out`, or go on with the run that lies there."""

    options: TrainOptions
    out: str
    resume: bool = False


@dataclass(frozen=True)
class PauseRun(ViewRequest):
    """Save, then give the run that goes on no more time."""


@dataclass(frozen=True)
class ResumeRun(ViewRequest):
    """Go on with a paused run, try again what could not be written, or continue a run that ended."""


@dataclass(frozen=True)
class StopRun(ViewRequest):
    """Save and end the run that goes on, so that it can be resumed.

    Attributes:
        evaluate: evaluate it first; else it ends as soon as may be.
    """

    evaluate: bool = False


@dataclass(frozen=True)
class UseRun(ViewRequest):
    """Open the model of the run in view in Look: as it is now, or when the run has ended its best."""


@dataclass(frozen=True)
class ShowRun(ViewRequest):
    """Put the run that lies in a folder in view."""

    folder: str


@dataclass(frozen=True)
class ReadCorpus(ViewRequest):
    """Read the data that the options name."""

    options: TrainOptions


@dataclass(frozen=True)
class StopReading(ViewRequest):
    """Read it no further; what is known stays in view."""


@dataclass(frozen=True)
class MakeBatch(ViewRequest):
    """Make a batch to be looked at.

    Attributes:
        out: folder of the run; empty for one yet to begin.
        step: from 0.
        pad: columns of padding to add for the comparison.
    """

    options: TrainOptions
    out: str
    step: int
    pad: int


@dataclass(frozen=True)
class StopBatch(ViewRequest):
    """Do not go on making it."""


@dataclass(frozen=True)
class TimeSteps(ViewRequest):
    """Find out how fast this machine makes steps of such a run.

    Attributes:
        tokens: of an ordinary sentence.
        key: what the speed depends on.
    """

    options: TrainOptions
    tokens: float
    key: Hashable
