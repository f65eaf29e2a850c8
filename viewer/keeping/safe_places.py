"""Folders in which sessions are kept safe: one a process, locked by the operating system while it lives."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import time
from dataclasses import dataclass
from pathlib import Path

from filelock import FileLock, Timeout

from model.errors import HeadscopeError
from model.files import folder_lock, io_error
from viewer.state.session_file import SESSION, SUFFIX, runs_in

MOST_LEFT = 3
LAST = f"last{SUFFIX}"
_ALIVE, _OFFERED = ".alive", ".offered"


@dataclass(frozen=True)
class Kept:
    """A session that is kept and nobody's.

    Attributes:
        when: seconds since 1970 when it was written.
        last: left by a window that was closed; else by one that crashed.
    """

    folder: Path
    runs: int
    when: float
    last: bool


class SafePlace:
    """The folder of one process and the lock that says so."""

    def __init__(self, folder: Path, lock: FileLock) -> None:
        self.folder = folder
        self._lock = lock

    def empty(self) -> None:
        """There is nothing to keep any more."""
        _remove(self.folder)

    def give_back(self, folder: Path) -> None:
        """It was taken from `folder` and could not be used: it is there again, nobody's, as it was."""
        if folder != self.folder:
            with contextlib.suppress(OSError):
                if not folder.exists():
                    os.rename(self.folder, folder)
                    _forget(self.folder)
        self._lock.release()

    def close(self) -> None:
        """The process needs it no more: it is the last session now, in place of the one before."""
        last = self.folder.with_name(LAST)
        with contextlib.suppress(OSError):
            if self.folder.exists():
                _remove(last)
                os.rename(self.folder, last)
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
        """A place for this process; raises `HeadscopeError` where none can be made."""
        try:
            self._root.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise io_error(self._root, error) from None
        folder = self._root / f"{secrets.token_hex(8)}{SUFFIX}"
        return SafePlace(folder, _locked(folder))

    def take(self, folder: Path) -> SafePlace:
        """Make a kept session this process's own.

        Raises:
            HeadscopeError: it is another process's by now, or gone.
        """
        self._check(folder)
        if folder.name != LAST:
            place = SafePlace(folder, _locked(folder))
            if not folder.exists():
                place.close()
                raise HeadscopeError("session_missing", path=str(folder))
            return place
        place = self.new()
        try:
            os.rename(folder, place.folder)
        except OSError as error:
            place.close()
            raise io_error(folder, error) from None
        return place

    def kept(self) -> list[Kept]:
        """What can be restored, the newest first; what crashes left beyond the newest few is removed."""
        found = [kept for folder in self._folders() if (kept := _kept(folder)) is not None]
        found.sort(key=lambda kept: -kept.when)
        crashed = [kept for kept in found if not kept.last]
        for kept in crashed[MOST_LEFT:]:
            self.remove(kept.folder)
        return [kept for kept in found if kept.last or kept in crashed[:MOST_LEFT]]

    def left_behind(self) -> Kept | None:
        """The newest that a crash left and that was not offered before; from now on it was."""
        for kept in self.kept():
            mark = kept.folder.with_suffix(_OFFERED)
            if kept.last or mark.exists():
                continue
            with contextlib.suppress(OSError):
                mark.touch()
            return kept
        return None

    def remove(self, folder: Path) -> None:
        """Forget a kept session, unless it is another process's by now."""
        with contextlib.suppress(HeadscopeError):
            self._check(folder)
            lock = None if folder.name == LAST else _locked(folder)
            _remove(folder)
            if lock is not None:
                _forget(folder)
                lock.release()

    def _folders(self) -> list[Path]:
        """Of processes that are gone, and the last one."""
        folders: set[Path] = set()
        with contextlib.suppress(OSError):
            for entry in os.scandir(self._root):
                path = self._root / entry.name
                if path.suffix in (SUFFIX, _ALIVE):
                    folders.add(path.with_suffix(SUFFIX))
        return [folder for folder in sorted(folders) if folder.name == LAST or not _alive(folder)]

    def _check(self, folder: Path) -> None:
        """`HeadscopeError` for a folder that is none of these: what is kept is moved and removed."""
        if folder.parent != self._root or folder.suffix != SUFFIX:
            raise HeadscopeError("session_missing", path=str(folder))


def _kept(folder: Path) -> Kept | None:
    """A session of nobody's; None if it never came to hold a run."""
    runs = runs_in(folder)
    with contextlib.suppress(OSError):
        when = (folder / SESSION).stat().st_mtime
        if runs:
            return Kept(folder, runs, min(when, time.time()), folder.name == LAST)
    return None


def _locked(folder: Path) -> FileLock:
    """The lock of a process on its folder; `HeadscopeError` if another holds it."""
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
    if not folder.exists():
        _forget(folder)
    lock.release()
    return False


def _remove(folder: Path) -> None:
    """First what makes it a session, so that no half of one is left when this is interrupted."""
    with contextlib.suppress(OSError):
        os.unlink(folder / SESSION)
    shutil.rmtree(folder, ignore_errors=True)


def _forget(folder: Path) -> None:
    """Remove the small files beside a folder that is gone."""
    for suffix in (_OFFERED, _ALIVE):
        with contextlib.suppress(OSError):
            os.unlink(folder.with_suffix(suffix))
