"""`Player`: the steps of the active pane advance by themselves."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer, Slot

from viewer.document.session import Session


class Player(QObject):
    """Steps on while `session.playing`; waits at the newest token of a run that grows, stops at the end."""

    def __init__(self, session: Session, parent: QObject | None = None, interval_ms: int = 700) -> None:
        super().__init__(parent)
        self._session = session
        self._timer = QTimer(self)
        self._timer.setInterval(interval_ms)
        self._timer.timeout.connect(self.advance)
        session.playing_changed.connect(self._follow)

    @property
    def interval_ms(self) -> int:
        """Time between two steps."""
        return self._timer.interval()

    def set_interval(self, interval_ms: int) -> None:
        """Go faster or slower."""
        self._timer.setInterval(interval_ms)

    @Slot()
    def advance(self) -> None:
        """One step on."""
        session = self._session
        if not session.at_end():
            session.step_by(1)
        if session.at_end() and not self._may_grow():
            session.set_playing(False)

    @Slot()
    def _follow(self) -> None:
        if not self._session.playing:
            self._timer.stop()
            return
        if self._session.at_end() and not self._may_grow():
            self._session.first_step()
        self._timer.start()

    def _may_grow(self) -> bool:
        run = self._session.run()
        return run is not None and run.live
