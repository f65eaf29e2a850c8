"""What those who answer the window ask of the engine."""

from __future__ import annotations

from typing import Protocol

from PySide6.QtCore import SignalInstance

from viewer.state.messages import Request


class EngineLike(Protocol):
    """See `viewer.engine.engine.Engine`."""

    model_opened: SignalInstance
    trace_grew: SignalInstance
    trace_done: SignalInstance
    heads_measured: SignalInstance
    orders_tried: SignalInstance
    answer_grew: SignalInstance
    answered: SignalInstance
    pieces_split: SignalInstance
    progress: SignalInstance
    failed: SignalInstance
    cancelled: SignalInstance

    def new_job(self) -> int:
        """An id for a request."""

    def submit(self, request: Request) -> int:
        """Queue a job."""

    def cancel(self, job: int) -> None:
        """Stop a job."""

    def pause(self, job: int) -> None:
        """Give a job no time until `resume`."""

    def resume(self, job: int) -> None:
        """Go on with a paused job."""

    def set_pace(self, job: int, pace: float) -> None:
        """Change a decoding's pace."""
