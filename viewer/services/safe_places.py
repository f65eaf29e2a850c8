"""`SafePlaces`: folders in which sessions are kept: one a document, locked by the system while it is open.

A folder lies here as `ID.headscope`. Beside it: `ID.alive`, the lock of the process that writes it;
`ID.closed`, left by a window that was closed and not killed; `ID.offered`, once a person has seen what a
crash left.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from model.errors import HeadscopeError
from model.files.files import folder_lock, io_error
from viewer.document.files.session_file import SESSION, SUFFIX
from viewer.services.kept import Kept, look_at, too_many

if TYPE_CHECKING:
    from filelock import FileLock

OLDER_LAST = f"last{SUFFIX}"
"""Where versions before kept the only session of a closed window."""
_ALIVE, _CLOSED, _OFFERED = ".alive", ".closed", ".offered"


class SafePlace:
    """The folder of one document and the lock that says so.

    Args:
        was_closed: it was taken over from a window that had been closed.
    """

    def __init__(self, folder: Path, lock: FileLock, *, was_closed: bool = False) -> None:
        self.folder = folder
        self._lock = lock
        self._was_closed = was_closed

    def empty(self) -> None:
        """There is nothing to keep any more."""
        _remove(self.folder)

    def give_back(self) -> None:
        """It was taken and could not be used: it is there again, nobody's, as it was."""
        if self._was_closed:
            _mark(self.folder, _CLOSED)
        self._lock.release()

    def close(self) -> None:
        """The process needs it no more: what is in it can be found again, by whomever."""
        if self.folder.exists():
            _mark(self.folder, _CLOSED)
            _unmark(self.folder, _ALIVE)
        else:
            _forget(self.folder)
        self._lock.release()


class SafePlaces:
    """All that is kept on this machine for this user.

    Args:
        root: a folder of Headscope's own; made when something is kept.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def new(self) -> SafePlace:
        """A place for a document of this process; of the others, what is too much goes.

        Raises:
            HeadscopeError: none can be made.
        """
        try:
            self._root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise io_error(self._root, error) from None
        folder = self._root / f"{secrets.token_hex(8)}{SUFFIX}"
        place = SafePlace(folder, _locked(folder))
        for one in too_many(self.kept()):
            self.remove(one.folder)
        return place

    def take(self, folder: Path) -> SafePlace:
        """Make a kept session this process's own.

        Raises:
            HeadscopeError: it is another process's by now, or gone.
        """
        self._check(folder)
        lock = _locked(folder)
        if not folder.exists():
            _forget(folder)
            lock.release()
            raise HeadscopeError("session_missing", path=str(folder))
        place = SafePlace(folder, lock, was_closed=_marked(folder, _CLOSED))
        for mark in (_CLOSED, _OFFERED):
            _unmark(folder, mark)
        return place

    def kept(self) -> list[Kept]:
        """What can be restored, the newest first."""
        found = []
        for folder in self._folders():
            closed = _marked(folder, _CLOSED)
            waiting = not closed and not _marked(folder, _OFFERED)
            found.append(look_at(folder, waiting=waiting, closed=closed))
        return sorted((one for one in found if one is not None), key=lambda one: -one.when)

    def left_behind(self) -> list[Kept]:
        """What crashes left and nobody has answered for yet, the newest first."""
        return [one for one in self.kept() if one.waiting]

    def answered(self) -> None:
        """A person has seen what crashes left: it stays, and is not offered again."""
        for one in self.left_behind():
            _mark(one.folder, _OFFERED)

    def remove(self, folder: Path) -> None:
        """Forget a kept session, unless it is another process's by now."""
        with contextlib.suppress(HeadscopeError):
            self._check(folder)
            lock = _locked(folder)
            _remove(folder)
            if not folder.exists():
                _forget(folder)
            lock.release()

    def _folders(self) -> list[Path]:
        """Those of processes that are gone."""
        self._take_older()
        folders: set[Path] = set()
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._root):
                path = self._root / entry.name
                if path.suffix in (SUFFIX, _ALIVE):
                    folders.add(path.with_suffix(SUFFIX))
        return [folder for folder in sorted(folders) if not _alive(folder)]

    def _take_older(self) -> None:
        """What an older version kept under a name for one only gets a name of its own."""
        last = self._root / OLDER_LAST
        if last.exists():
            folder = self._root / f"{secrets.token_hex(8)}{SUFFIX}"
            _mark(folder, _CLOSED)
            try:
                os.rename(last, folder)
            except OSError:
                _unmark(folder, _CLOSED)

    def _check(self, folder: Path) -> None:
        """`HeadscopeError` for a folder that is none of these: what is kept is written over and removed."""
        if folder.parent != self._root or folder.suffix != SUFFIX:
            raise HeadscopeError("session_missing", path=str(folder))


def _locked(folder: Path) -> FileLock:
    """The lock of a process on its folder; `HeadscopeError` if another holds it."""
    from filelock import FileLock, Timeout  # not needed before there is something to keep

    lock = FileLock(folder.with_suffix(_ALIVE), timeout=0, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        raise HeadscopeError("folder_busy", path=str(folder)) from None
    except OSError as error:
        raise io_error(folder, error) from None
    return lock


def _alive(folder: Path) -> bool:
    """Whether a process has this folder; what a dead one left half-written there is removed."""
    try:
        lock = _locked(folder)
    except HeadscopeError:
        return True
    with contextlib.suppress(HeadscopeError), folder_lock(folder):
        pass
    if folder.exists():
        _unmark(folder, _ALIVE)
    else:
        _forget(folder)
    lock.release()
    return False


def _remove(folder: Path) -> None:
    """First what makes it a session, so that no half of one is left when this is interrupted."""
    with contextlib.suppress(OSError):
        os.unlink(folder / SESSION)
    shutil.rmtree(folder, ignore_errors=True)


def _marked(folder: Path, mark: str) -> bool:
    return folder.with_suffix(mark).exists()


def _mark(folder: Path, mark: str) -> None:
    with contextlib.suppress(OSError):
        folder.with_suffix(mark).touch()


def _unmark(folder: Path, mark: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(folder.with_suffix(mark))


def _forget(folder: Path) -> None:
    """Remove the small files beside a folder that is gone."""
    for mark in (_OFFERED, _CLOSED, _ALIVE):
        _unmark(folder, mark)
