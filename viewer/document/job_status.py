"""Job status: what the engine is doing, as the window shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

JobState = Literal["idle", "loading", "decoding", "asking"]


@dataclass(frozen=True)
class Loading:
    """A model that is being loaded.

    Attributes:
        stoppable: whether a person can stop it.
        done, total: bytes of its weights that are there, of how many; total 0 while that is not known.
    """

    name: str
    stoppable: bool = False
    done: int = 0
    total: int = 0


@dataclass(frozen=True)
class JobStatus:
    """One moment of a job.

    Attributes:
        job: its id; 0 when idle.
        what: which part of the work, as `JobProgress.what`; of a question its `activity`.
        done, total: progress; total 0 = unknown.
        cancellable: whether a person can stop it.
        paused: a decoding that a person holds up.
    """

    state: JobState = "idle"
    job: int = 0
    what: str = ""
    done: int = 0
    total: int = 0
    cancellable: bool = False
    paused: bool = False

    @property
    def busy(self) -> bool:
        """Whether anything is being done."""
        return self.state != "idle"
