"""Engine protocol: what those who answer the window ask of the engine."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from viewer.document.messages.messages import JobMessage, Request


class EngineLike(Protocol):
    """See `viewer.engine.engine.Engine`."""

    model_opened: SignalInstance
    trace_grew: SignalInstance
    trace_done: SignalInstance
    answer_grew: SignalInstance
    answered: SignalInstance
    pieces_split: SignalInstance
    progress: SignalInstance
    failed: SignalInstance
    cancelled: SignalInstance
    training_answered: SignalInstance

    def new_job(self) -> int:
        """An id for a request."""

    def submit(self, request: Request) -> int:
        """Queue a job."""

    def cancel(self, job: int) -> None:
        """Stop a job."""

    def tell(self, message: JobMessage) -> None:
        """Tell a job that goes on something."""
