"""`Autosave`: what is looked at kept safe against a crash: a folder a session, written behind the window."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from model.errors import HeadscopeError
from viewer.document.document import Document
from viewer.document.files.session_file import ModelRef, save_session
from viewer.document.files.session_left_out import LeftOut
from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.services.safe_places import SafePlace, SafePlaces

_log = logging.getLogger(__name__)

QUIET_MS = 4000
LONGEST_MS = 60_000
_LAST_WRITE_S = 10.0

Work = tuple[Document, str, ModelRef | None]
Show = Callable[[Path, Callable[[], object], Callable[[], object]], object]
"""Shows the session in a folder and calls the one once it is shown, the other where it cannot be."""


class Autosave(QObject):
    """Writes the session some seconds after its last change, and at least every minute while it changes.

    What was opened and can be opened again is not written; only what was made here. A session that is opened
    in place of another gets a folder of its own, and what was there before it stays in its own.

    Args:
        places: where; see `SafePlaces`.
        quiet_ms, longest_ms: without a change, and with changes, until it is written.

    Signals:
        left_out: of a document (its `origin`), what is not in the session that was written (`LeftOut`);
            before `written`.
        written: a session was written, or an error prevented it (`HeadscopeError`, else None).
    """

    written = Signal(object)
    left_out = Signal(int, object)

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
        self._safe = places
        # By `Document.origin`: the folder, what it does not hold yet, and what it has come to.
        self._places: dict[int, SafePlace] = {}
        self._unwritten: dict[int, Work] = {}
        self._newest: dict[int, Document] = {}
        self._failed: dict[int, Work] = {}
        self._thread: threading.Thread | None = None
        self._told = self._closed = False
        self._missing: dict[int, tuple[int, int]] = {}
        self._error: HeadscopeError | None = None
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
        """Say what crashes left, until somebody has answered; as soon as nothing else is being said."""
        if self._closed:
            return
        if self._session.notice is not None:
            self._session.notice_changed.connect(self._offer_later, Qt.ConnectionType.UniqueConnection)
            return
        left = self._safe.left_behind()
        if len(left) == 1:
            values = {"count": left[0].runs, "path": str(left[0].folder)}
            self._session.set_notice(Notice("autosave_found", values))
        elif left:
            self._session.set_notice(Notice("autosave_found_several", {"count": len(left)}))

    def adopt(self, folder: Path, show: Show) -> None:
        """Make a session that another process kept here one's own; what was kept until now stays besides.

        Args:
            show: opens it from where it is; where it does not come to that, nothing was adopted, and what is
                kept stays.

        Raises:
            HeadscopeError: it is another window's, or gone.
        """
        place = self._safe.take(folder)
        show(place.folder, partial(self._adopted, place), place.give_back)

    def _adopted(self, place: SafePlace) -> None:
        self._join()
        self._places[self._session.document.origin] = place

    def write(self) -> None:
        """Write now what is unwritten, in the background."""
        self._quiet.stop()
        self._longest.stop()
        if self._thread is None and not self._closed:
            self._begin()

    def flush(self) -> HeadscopeError | None:
        """Write now what is unwritten, and wait; why work is nowhere to be found again, None if none is."""
        self._join()
        if self._thread is None:
            self._begin()
            self._join()
        self._take_failed()
        left = {**self._unwritten, **self._failed}
        lost = any(work[0].holds_work and not self._session.homes.is_saved(work[0]) for work in left.values())
        if self._thread is not None:
            return HeadscopeError("autosave_slow")
        return self._error if lost else None

    def close(self) -> None:
        """Write what is unwritten and leave it for whoever wants it back; once.

        What the user saved in a place of their own as it is now is not left a second time.
        """
        if self._closed:
            return
        self._closed = True
        self._quiet.stop()
        self._longest.stop()
        self.flush()
        if self._thread is not None:
            return
        for origin, place in self._places.items():
            if self._session.homes.is_saved(self._newest.get(origin, Document())):
                place.empty()
            place.close()

    def _begin(self) -> None:
        self._take_failed()
        works, self._unwritten = self._unwritten, {}
        if works:
            self._thread = threading.Thread(target=self._write, args=(works,), name="autosave", daemon=True)
            self._thread.start()

    def _join(self) -> None:
        """Wait for the thread; one that a dead network drive holds up is left behind."""
        if self._thread is not None:
            self._thread.join(_LAST_WRITE_S)
            if not self._thread.is_alive():
                self._thread = None

    def _take_failed(self) -> None:
        """What could not be written is unwritten still, unless there is something newer."""
        if self._thread is None:
            self._unwritten = {**self._failed, **self._unwritten}
            self._failed = {}

    def _changed(self) -> None:
        session, document = self._session, self._session.saved
        self._unwritten[document.origin] = (
            document,
            session.text,
            session.homes.model_of(session.document, session.model),
        )
        self._newest[document.origin] = document
        if not self._closed:
            self._quiet.start()
            if not self._longest.isActive():
                self._longest.start()

    def _write(self, works: Mapping[int, Work]) -> None:
        """In a thread of its own: what it is given is frozen."""
        self._error = None
        for origin, work in works.items():
            try:
                self._keep(origin, *work)
            except HeadscopeError as failure:
                self._error = failure
            except Exception as failure:  # whatever it is, the window goes on
                _log.exception("the session was not kept")
                self._error = HeadscopeError("internal", detail=str(failure))
            else:
                continue
            self._failed[origin] = work
        if not self._closed:
            self.written.emit(self._error)

    def _keep(self, origin: int, document: Document, text: str, model: ModelRef | None) -> None:
        place = self._places.get(origin)
        if document.holds_work:
            if place is None:
                place = self._places[origin] = self._safe.new()
            left_out = save_session(place.folder, document, text, model).left_out
            if not self._closed:
                self.left_out.emit(origin, left_out)
        elif place is not None:
            place.empty()

    def _say_left_out(self, origin: int, left_out: LeftOut) -> None:
        """Say what is not kept safe, when it is more than was said before."""
        missing, notice = (left_out.runs, left_out.searches), left_out.notice()
        if notice is not None and missing > self._missing.get(origin, (0, 0)) and not self._closed:
            self._session.set_notice(notice)
        self._missing[origin] = missing

    def _ended(self, error: HeadscopeError | None) -> None:
        self._join()
        self._take_failed()
        if error is not None and not self._told and not self._closed:
            self._told = True
            notice = Notice.of(error)
            self._session.set_notice(
                Notice("autosave_failed", {"reason": notice.sentence().rstrip(".。")}, "warning")
            )
        if self._unwritten and not self._closed:
            self._longest.start()
            if error is None:
                self._quiet.start()

    def _offer_later(self) -> None:
        if self._session.notice is None:
            self._session.notice_changed.disconnect(self._offer_later)
            # Not from inside: whoever took a sentence away may be about to say another one.
            QTimer.singleShot(0, self, self.offer)
