"""`GcGuard`: cyclic garbage collected in the main thread only.

Python collects in whichever thread happens to allocate; a busy worker would then destroy dead widgets from
outside their thread, which crashes Qt.
"""

from __future__ import annotations

import gc
from collections.abc import Callable

from PySide6.QtCore import QObject, QTimer, Slot

# Between two looks at what is new: half a second of an import takes 40 ms to look through.
_IMPORTING_MS = 100


class GcGuard(QObject):
    """Switches the automatic collector off and collects from a timer of the thread it was made in.

    Args:
        importing: whether another thread imports much now: what that makes stays for good, and is not looked
            through again and again.
    """

    def __init__(
        self,
        parent: QObject | None = None,
        interval_ms: int = 500,
        importing: Callable[[], bool] = lambda: False,
    ) -> None:
        super().__init__(parent)
        self._was_enabled = False
        self._frozen = False
        self._left_out = False  # some objects are
        self._importing, self._imported = importing, False
        self._interval_ms = interval_ms
        self._timer = QTimer(self)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self.collect)

    @property
    def running(self) -> bool:
        """Whether the guard is on."""
        return self._timer.isActive()

    @property
    def frozen(self) -> bool:
        """Whether torch is left out."""
        return self._frozen

    def start(self) -> None:
        """Take over from Python's own collector."""
        if not self.running:
            self._was_enabled = gc.isenabled()
            gc.disable()
            self._timer.start()

    def freeze(self) -> None:
        """Leave all that exists now out of later collections; for the moment when torch is imported.

        A full collection among torch's objects takes 0.1 s, which a person sees; without them almost nothing.
        """
        if self.running and not self._frozen:
            self._frozen = True
            self._leave_out()

    def stop(self) -> None:
        """Give everything back to Python's own collector, as it was."""
        if not self.running:
            return
        self._timer.stop()
        self._frozen = self._imported = False
        if self._left_out:
            self._left_out = False
            gc.unfreeze()
        if self._was_enabled:
            gc.enable()

    @Slot()
    def collect(self) -> None:
        """Collect the generations that Python itself would have collected by now."""
        imported, self._imported = self._imported, self._importing()
        if self._imported != imported:
            self._timer.setInterval(_IMPORTING_MS if self._imported else self._interval_ms)
        if self._imported:
            gc.collect(0)
            return
        if imported:
            self._leave_out()
            return
        due = [count > threshold > 0 for count, threshold in zip(gc.get_count(), gc.get_threshold())]
        for generation in (2, 1, 0):
            if due[generation]:
                gc.collect(generation)
                return

    def _leave_out(self) -> None:
        self._left_out = True
        gc.freeze()
