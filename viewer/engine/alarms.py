"""Alarms for jobs that rest for some time, each woken at its own."""

from __future__ import annotations

import time
from collections.abc import Callable

from PySide6.QtCore import QObject, Qt, QTimer, Slot


class Alarms(QObject):
    """Wakes each job once, when its time has come; lives in the thread of whoever owns it.

    Args:
        wake: what to do with a job whose time has come.
    """

    def __init__(self, wake: Callable[[int], None], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._wake = wake
        self._due: dict[int, float] = {}
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._ring)

    def set(self, job: int, seconds: float) -> None:
        """Wake a job in so many seconds instead of when it was to be woken before."""
        self._due[job] = time.monotonic() + seconds
        self._wind_up()

    def forget(self, job: int) -> None:
        """Wake a job no more."""
        if self._due.pop(job, None) is not None:
            self._wind_up()

    def stop(self) -> None:
        """Wake nobody any more."""
        self._due.clear()
        self._timer.stop()

    @Slot()
    def _ring(self) -> None:
        now = time.monotonic()
        for job in [job for job, due in self._due.items() if due <= now]:
            del self._due[job]
            self._wake(job)
        self._wind_up()

    def _wind_up(self) -> None:
        if not self._due:
            self._timer.stop()
            return
        # A millisecond that is cut off would ring too early, and again.
        seconds = min(self._due.values()) - time.monotonic()
        self._timer.start(max(0, int(1000 * seconds) + 1))
