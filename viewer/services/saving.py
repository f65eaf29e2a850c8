"""`Saving`: a session written where the user wants it: in a thread; the window goes on. QtCore only."""

from __future__ import annotations

import logging
import threading
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from model.errors import HeadscopeError
from viewer.document.document import Document
from viewer.document.files.session_file import ModelRef, save_session
from viewer.document.homes import Home
from viewer.services.open_files import same_place

_log = logging.getLogger(__name__)


class _Cancelled(Exception):
    """Ends the thread's work from inside."""


class Saving(QObject):
    """Writes a session once; what it is given is frozen, so that everything else may change meanwhile.

    Args:
        home: where the document lies, if it does: what another window saved there since is not written over.

    Attributes:
        folder, document: what is written where.
        stamp: of what was written, once it is.

    Signals:
        progressed: how many bytes are written and how many there are (int, int); from 0 on.
        left_out: what is not in the session that was written (`LeftOut`), right before `ended`.
        ended: the folder (`Path`) that was written, the `HeadscopeError` that prevented it, or None when it
            was cancelled; once.
    """

    progressed = Signal(object, object)
    left_out = Signal(object)
    ended = Signal(object)

    def __init__(
        self,
        folder: Path,
        document: Document,
        text: str,
        model: ModelRef | None,
        home: Home | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.folder, self.document, self.stamp = folder, document, ""
        self._work, self._home = (document, text, model), home
        self._cancelled = threading.Event()
        self._thread = threading.Thread(target=self._write, name="save-session", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def cancel(self) -> None:
        """Give it up; what was there stays. Too late once all is written."""
        self._cancelled.set()

    def wait(self, seconds: float) -> bool:
        """Wait for the end without telling; whether it came."""
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _write(self) -> None:
        result: Path | HeadscopeError | None = self.folder
        try:
            home = self._home
            known = home.stamp if home is not None and same_place(home.folder, self.folder) else ""
            written = save_session(self.folder, *self._work, self._report, known)
            self.stamp = written.stamp
            self.left_out.emit(written.left_out)
        except _Cancelled:
            result = None
        except HeadscopeError as error:
            result = error
        except Exception as error:  # whatever it is, the window is told
            _log.exception("the session was not saved")
            result = HeadscopeError("internal", detail=str(error))
        self.ended.emit(result)

    def _report(self, done: int, total: int) -> None:
        if self._cancelled.is_set():
            raise _Cancelled
        self.progressed.emit(done, total)
