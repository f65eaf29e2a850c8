"""`Control`: what may be asked of a run while it goes on."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from model.training.trainer import Trainer


class Control:
    """Wishes; any thread may voice one, the run looks after every step and in the midst of longer work.

    Attributes:
        stop: save and end now; the run can be resumed.
        stop_after_evaluation: evaluate, save and end; the run can be resumed.
        save: write the training state now, then go on.
        snapshot: write the weights of the moment as a complete bundle, then go on.
        trainer: what trains, told by the run before its `StartEvent` and taken away at its end; only for
            whoever owns the run's thread, between two of its events.
    """

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.stop_after_evaluation = threading.Event()
        self.save = threading.Event()
        self.snapshot = threading.Event()
        self.trainer: Trainer | None = None
