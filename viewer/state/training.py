"""The training in view: the one place that knows what the Train page shows. QtCore only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from model.data.survey import CorpusSurvey
from model.training.batch_view import BatchView
from model.training.events import DoneEvent, EvalEvent, ProbeEvent, StartEvent, StepEvent, WorkEvent
from model.training.options import TrainOptions
from viewer.state.curves import Curves
from viewer.state.notice import Notice

Phase = Literal["idle", "preparing", "running", "pausing", "paused", "waiting", "stopping", "ended", "failed"]
"""`waiting`: something could not be written, see `problem`; `stopping`: as soon as may be."""


@dataclass(frozen=True)
class Order:
    """A run that a person asks for: what `start_asked` of the Train page carries."""

    options: TrainOptions
    out: str
    resume: bool = False


class Training(QObject):
    """Holds what is known of the run in view; views read it and subscribe, the conductor fills it.

    Signals:
        phase_changed: `phase`, `problem`, `order`, `start` or `done` changed.
        work_changed: `work` changed.
        steps_added: the curves and `last_step` grew; at most some 15 times a second.
        evaluated: `evals` grew.
        probe_changed: `probe` is another.
        survey_changed, batch_changed: the property of that name changed.
        reset: another run is in view: everything may be different.
    """

    phase_changed = Signal()
    work_changed = Signal()
    steps_added = Signal()
    evaluated = Signal()
    probe_changed = Signal()
    survey_changed = Signal()
    batch_changed = Signal()
    reset = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.phase: Phase = "idle"
        self.problem: Notice | None = None
        self.order: Order | None = None
        self.start: StartEvent | None = None
        self.work: WorkEvent | None = None
        self.curves = Curves()
        self.last_step: StepEvent | None = None
        self.evals: tuple[EvalEvent, ...] = ()
        self.probe: ProbeEvent | None = None
        self.done: DoneEvent | None = None
        self.survey: CorpusSurvey | None = None
        self.batch: BatchView | None = None

    @property
    def active(self) -> bool:
        """Whether a run is going on, paused or waiting."""
        return self.phase not in ("idle", "ended", "failed")
