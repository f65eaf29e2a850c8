"""Keeps what is looked at safe against a crash: a session folder a process, written behind the window."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, QTimer, Signal

from model.errors import HeadscopeError
from viewer.keeping.safe_places import SafePlace, SafePlaces
from viewer.state.document import Document
from viewer.state.notice import Notice
from viewer.state.session import Session
from viewer.state.session_file import ModelRef, save_session
from viewer.state.session_left_out import LeftOut

_log = logging.getLogger(__name__)

QUIET_MS = 4000
LONGEST_MS = 60_000
_LAST_WRITE_S = 10.0
_MADE_HERE = ("decoded", "hypothesis")


class Autosave(QObject):
    """Writes the session some seconds after its last change, and at least every minute while it changes.

    What was opened and can be opened again is not written; only what was made here.

    Args:
        places: where; see `SafePlaces`.
        quiet_ms, longest_ms: without a change, and with changes, until it is written.

    Signals:
        left_out: what is not in the session that was written (`LeftOut`); before `written`.
        written: a session was written, or an error prevented it (`HeadscopeError`, else None).
    """

    written = Signal(object)
    left_out = Signal(object)

    def __init__(
        self,
        session: Session,
        places: SafePlaces,
        parent: QObject | None = None,
        *,
        quiet_ms: int = QUIET_MS,
        longest_ms: int = LONGEST_MS,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._places = places
        self._place: SafePlace | None = None
        self._thread: threading.Thread | None = None
        self._dirty = self._told = self._closed = False
        self._missing = (0, 0)
        self._quiet, self._longest = QTimer(self), QTimer(self)
        for timer, interval in ((self._quiet, quiet_ms), (self._longest, longest_ms)):
            timer.setSingleShot(True)
            timer.setInterval(interval)
            timer.timeout.connect(self.write)
        for signal in (session.document_changed, session.text_changed):
            signal.connect(self._changed)
        self.left_out.connect(self._say_left_out)
        self.written.connect(self._ended)

    @property
    def writing(self) -> bool:
        """Whether a session is being written."""
        return self._thread is not None

    def offer(self) -> None:
        """Say what a crash left behind, if anything and if nothing else is being said; each once."""
        if self._session.notice is not None:
            return
        left = self._places.left_behind()
        if left is not None and left.runs:
            self._session.set_notice(Notice("autosave_found", {"count": left.runs, "path": str(left.folder)}))

    def adopt(self, folder: Path, show: Callable[[Path], object]) -> None:
        """Make a session that another process kept here one's own; what was kept until now is the last one.

        Args:
            show: opens it from where it is now; if it raises, nothing was adopted, and what is kept stays.

        Raises:
            HeadscopeError: it is another window's, or gone; or what `show` raises.
        """
        place = self._places.take(folder)
        try:
            show(place.folder)
        except BaseException:
            place.give_back(folder)
            raise
        self._join()
        if self._place is not None:
            self._place.close()
        self._place = place

    def write(self) -> None:
        """Write now what is unwritten, in the background."""
        self._quiet.stop()
        self._longest.stop()
        if self._thread is not None or not self._dirty or self._closed:
            return
        self._dirty = False
        self._thread = threading.Thread(target=self._write, args=self._work(), name="autosave", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Write what is unwritten and leave it as the last session; once."""
        if self._closed:
            return
        self._closed = True
        self._quiet.stop()
        self._longest.stop()
        self._join()
        if self._dirty and self._thread is None:
            self._thread = threading.Thread(target=self._write, args=self._work(), daemon=True)
            self._thread.start()
            self._join()
        if self._place is not None and self._thread is None:
            self._place.close()

    def _join(self) -> None:
        """Wait for the thread; one that a dead network drive holds up is left behind."""
        if self._thread is not None:
            self._thread.join(_LAST_WRITE_S)
            if not self._thread.is_alive():
                self._thread = None

    def _changed(self) -> None:
        self._dirty = True
        if not self._closed:
            self._quiet.start()
            if not self._longest.isActive():
                self._longest.start()

    def _work(self) -> tuple[Document, str, ModelRef | None]:
        session, info = self._session, self._session.model
        return session.document, session.text, None if info is None else ModelRef.of(info)

    def _write(self, document: Document, text: str, model: ModelRef | None) -> None:
        """In a thread of its own: what it is given is frozen."""
        error: HeadscopeError | None = None
        try:
            if any(run.provenance.get("source") in _MADE_HERE for run in document.runs):
                if self._place is None:
                    self._place = self._places.new()
                left_out = save_session(self._place.folder, document, text, model)
                if not self._closed:
                    self.left_out.emit(left_out)
            elif self._place is not None:
                self._place.empty()
        except HeadscopeError as failure:
            error = failure
        except Exception as failure:  # whatever it is, the window goes on
            _log.exception("the session was not kept")
            error = HeadscopeError("internal", detail=str(failure))
        if not self._closed:
            self.written.emit(error)

    def _say_left_out(self, left_out: LeftOut) -> None:
        """Say what is not kept safe, when it is more than was said before."""
        missing, notice = (left_out.runs, left_out.searches), left_out.notice()
        if notice is not None and missing > self._missing and not self._closed:
            self._session.set_notice(notice)
        self._missing = missing

    def _ended(self, error: HeadscopeError | None) -> None:
        self._join()
        if error is not None:
            self._dirty = True
            if not self._told and not self._closed:
                self._told = True
                notice = Notice.of(error)
                self._session.set_notice(
                    Notice("autosave_failed", {"reason": notice.sentence().rstrip(".。")}, "warning")
                )
        if self._dirty and not self._closed:
            self._longest.start()
            if error is None:
                self._quiet.start()
