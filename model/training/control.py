"""What may be asked of a run while it goes on."""

from __future__ import annotations

import threading


class Control:
    """Wishes; any thread may voice one, the run looks after every step and in the midst of longer work.

    Attributes:
        stop: save and end now; the run can be resumed.
        stop_after_evaluation: evaluate, save and end; the run can be resumed.
        save: write the training state now, then go on.
        snapshot: write the weights of the moment as a complete bundle, then go on.
    """

    def __init__(self) -> None:
        self.stop = threading.Event()
        self.stop_after_evaluation = threading.Event()
        self.save = threading.Event()
        self.snapshot = threading.Event()
