"""Open windows: a file that a window of this user has open already comes to the front there.

Each window listens at a local socket that only its user may talk to, and a file in `root` names it. Whoever
is started on a file asks them all. A name that nobody answers to is of a process that is gone, and removed.
"""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from viewer.guarded import Guarded

_SUFFIX = ".window"
_CONNECT_MS, _ANSWER_MS = 300, 1500
_MOST = 32 << 10  # bytes of a question: a path has 4 KiB at most
_YES, _NO = b"yes\n", b"no\n"


class OpenWindow(Guarded, QObject):
    """What listens for this window.

    Signals:
        asked: somebody wants to see this file, which is open here: come to the front.
    """

    asked = Signal(str)

    def __init__(self, root: Path, has: Callable[[str], bool], parent: QObject | None = None) -> None:
        """Listen; where that cannot be, nobody finds this window, and nothing else is different.

        Args:
            root: a folder of Headscope's own; made if need be.
            has: whether a file is open here.
        """
        super().__init__(parent)
        self._has = has
        self._note = root / f"{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}"
        self._server = QLocalServer(self)
        self._server.setSocketOptions(QLocalServer.SocketOption.UserAccessOption)
        self._server.newConnection.connect(self._called)
        if self._server.listen(f"headscope-{self._note.stem}"):
            with contextlib.suppress(OSError):
                root.mkdir(parents=True, exist_ok=True)
                self._note.write_text(self._server.fullServerName(), encoding="utf-8")

    def close(self) -> None:
        """Listen no more."""
        self._server.close()
        with contextlib.suppress(OSError):
            os.unlink(self._note)

    def _called(self) -> None:
        socket = self._server.nextPendingConnection()
        while socket is not None:
            socket.readyRead.connect(self._hear)
            socket.disconnected.connect(socket.deleteLater)
            socket = self._server.nextPendingConnection()

    def _hear(self) -> None:
        socket = self.sender()
        if not isinstance(socket, QLocalSocket):
            return
        if socket.bytesAvailable() > _MOST:
            socket.abort()
        elif socket.canReadLine():
            path = bytes(socket.readLine().data()).decode("utf-8", "surrogateescape").rstrip("\n")
            there = bool(path) and self._has(path)
            socket.write(_YES if there else _NO)
            socket.flush()
            socket.disconnectFromServer()
            if there:
                self.asked.emit(path)


def show_in_open_window(root: Path, path: str) -> bool:
    """Have the window that has a file open come to the front; False if none has it."""
    try:
        notes = [root / name for name in os.listdir(root) if name.endswith(_SUFFIX)]
    except OSError:
        return False
    return any(_ask(note, path) for note in notes)


def _ask(note: Path, path: str) -> bool:
    with contextlib.suppress(OSError, UnicodeDecodeError):
        socket = QLocalSocket()
        socket.connectToServer(note.read_text(encoding="utf-8"))
        if not socket.waitForConnected(_CONNECT_MS):
            gone = QLocalSocket.LocalSocketError
            if socket.error() in (gone.ServerNotFoundError, gone.ConnectionRefusedError):
                os.unlink(note)
            return False
        socket.write(path.encode("utf-8", "surrogateescape") + b"\n")
        socket.flush()
        answered = socket.canReadLine() or socket.waitForReadyRead(_ANSWER_MS)
        return answered and bytes(socket.readLine().data()) == _YES
    return False
