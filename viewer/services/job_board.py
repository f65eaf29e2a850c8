"""`JobBoard`: what the window says is being done, when several jobs go on."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from viewer.document.job_status import JobStatus
from viewer.document.session import Session


class JobBoard:
    """Keeps `Session.job` at the newest job that is not ended."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._going: dict[int, JobStatus] = {}

    def begin(self, status: JobStatus) -> None:
        """A job has begun."""
        self._going[status.job] = status
        self._tell()

    def change(self, job: int, **changes: Any) -> None:
        """Fields of its `JobStatus` are different now; a job that is not here is ignored."""
        if job in self._going:
            self._going[job] = replace(self._going[job], **changes)
            self._tell()

    def end(self, job: int) -> None:
        """A job has ended."""
        if self._going.pop(job, None) is not None:
            self._tell()

    def _tell(self) -> None:
        self._session.set_job(next(reversed(self._going.values()), JobStatus()))
