"""`FormDisk`: what stands where the form's paths point, looked at beside the window."""

from __future__ import annotations

import logging
import os
import stat
import threading
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, NamedTuple

from PySide6.QtCore import QObject, QTimer, Signal

from model import limits
from model.errors import HeadscopeError
from model.files.files import read_bytes
from model.tokens.tokenizer_file import parse_tokenizer_file
from model.training.progress.progress import TRAINING_STATE

_log = logging.getLogger(__name__)

_AGAIN_MS = 30
_MOST_THREADS = 16  # that wait for disks which may never answer

Stamp = tuple[int, int]
"""When a file was written, in nanoseconds, and how many bytes it has; zeros where there is none."""


class Asked(NamedTuple):
    """A path, and what it is to be: pairs, pieces of a vocabulary, or the folder that a model goes into."""

    role: Literal["pairs", "pieces", "out"]
    path: str


@dataclass(frozen=True)
class Standing:
    """What stands at a path.

    Attributes:
        is_file: a file does.
        stamp: of it.
        pieces: of a SentencePiece file; 0 if it is none or is not to be one.
        is_taken: anything does.
        has_run: a run that can be gone on with.
        is_free: nothing does, and a folder can be made there.
    """

    is_file: bool = False
    stamp: Stamp = (0, 0)
    pieces: int = 0
    is_taken: bool = False
    has_run: bool = False
    is_free: bool = False


class FormDisk(QObject):
    """Remembers what was seen the last time that it was looked.

    A disk at hand answers at once. One that sleeps, or is at the other end of a network, may take seconds or
    never answer: threads wait for it, and the window only for a moment.

    Attributes:
        patience: seconds of that moment.

    Signals:
        answered: something else is known than was `said`, or all that was asked for; only where the window
            has not waited for it.
    """

    answered = Signal()
    patience = 0.03

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = _Memory()
        # Asked for instead of told by a thread, which may outlive the form: it knows of nothing of Qt.
        self._timer = QTimer(self, interval=_AGAIN_MS)
        self._timer.timeout.connect(self._go_on)

    @property
    def busy(self) -> bool:
        """Whether something that was asked for is not answered as it is now."""
        return self._memory.is_pending()

    def look(self, asked: Iterable[Asked]) -> None:
        """See what stands there now; until an answer comes, what was seen before counts."""
        slow = self.busy
        self._memory.ask(asked)
        self._memory.work()
        if not self._memory.wait(0.0 if slow else self.patience):
            self._timer.start()

    def at(self, asked: Asked) -> Standing | None:
        """What stands there; None where the disk has not answered."""
        return self._memory.known.get(asked)

    def said(self) -> None:
        """What is known now is told to the person."""
        self._memory.is_new = False

    @property
    def is_new(self) -> bool:
        """Whether something else is known than was `said`."""
        return self._memory.is_new

    def stamp(self, path: str) -> Stamp:
        """Of a file of pairs."""
        found = self.at(Asked("pairs", path))
        return (0, 0) if found is None else found.stamp

    def pieces(self, path: str) -> int:
        """Of a vocabulary's file; 0 where it is none or not known."""
        found = self.at(Asked("pieces", path))
        return 0 if found is None else found.pieces

    def _go_on(self) -> None:
        """See whether there are answers; what is behind one that does not come has a thread of its own."""
        self._memory.work()
        if not self.busy:
            self._timer.stop()
        if self.is_new or not self.busy:
            self.answered.emit()


class _Memory:
    """What was seen and what is to be looked at, for several threads.

    Attributes:
        known: what stood there the last time, of what was asked for last.
        is_new: something else than was told.
    """

    def __init__(self) -> None:
        self.known: dict[Asked, Standing] = {}
        self.is_new = False
        self._changed = threading.Condition()
        self._asked: tuple[Asked, ...] = ()
        self._queue: list[Asked] = []
        self._in_hand: set[Asked] = set()
        self._threads = 0

    def ask(self, asked: Iterable[Asked]) -> None:
        """These are to be looked at, and nothing that was asked for before."""
        with self._changed:
            self._asked = tuple(dict.fromkeys(asked))
            self.known = {each: self.known[each] for each in self._asked if each in self.known}
            self._queue = list(self._asked)

    def is_pending(self) -> bool:
        """Whether there is no answer yet of something that was asked for."""
        with self._changed:
            return self._is_pending()

    def _is_pending(self) -> bool:
        return bool(self._queue) or not self._in_hand.isdisjoint(self._asked)

    def wait(self, seconds: float) -> bool:
        """Whether all is answered, after so long at most."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._is_pending(), seconds)

    def work(self) -> None:
        """Have one more thread look, if all of them wait for an answer and there is more to look at."""
        with self._changed:
            waiting = any(each not in self._in_hand for each in self._queue)
            if not waiting or self._threads > len(self._in_hand) or self._threads >= _MOST_THREADS:
                return
            self._threads += 1
        try:
            threading.Thread(target=self._work, name="looking", daemon=True).start()
        except RuntimeError:  # the system has no more; it is tried again
            with self._changed:
                self._threads -= 1

    def _take(self) -> Asked | None:
        with self._changed:
            # What another thread has in hand was asked for again meanwhile: that thread looks again.
            each = next((each for each in self._queue if each not in self._in_hand), None)
            if each is None:
                self._threads -= 1
            else:
                self._queue.remove(each)
                self._in_hand.add(each)
            return each

    def _work(self) -> None:
        """In a thread."""
        while (each := self._take()) is not None:
            try:
                found = seen(each)
            except Exception:
                _log.exception("%s cannot be looked at", each.path)
                found = Standing()
            with self._changed:
                self._in_hand.discard(each)
                if each in self._asked and self.known.get(each) != found:
                    self.known[each] = found
                    self.is_new = True
                self._changed.notify_all()


def seen(asked: Asked) -> Standing:
    """Look at a path."""
    try:
        if asked.role == "out":
            return _folder(Path(asked.path))
        found = os.stat(asked.path)
        if not stat.S_ISREG(found.st_mode):
            return Standing(is_taken=True)
        pieces = pieces_in(asked.path) if asked.role == "pieces" else 0
        return Standing(True, (found.st_mtime_ns, found.st_size), pieces, is_taken=True)
    except (OSError, ValueError):
        return Standing()


def pieces_in(path: str) -> int:
    """Pieces of a SentencePiece file; 0 if it is none."""
    try:
        known = os.stat(path)
        return _pieces_in(path, known.st_mtime_ns, known.st_size)
    except (OSError, ValueError, HeadscopeError):
        return 0


@lru_cache(maxsize=8)
def _pieces_in(path: str, changed: int, size: int) -> int:
    return len(parse_tokenizer_file(read_bytes(path, limit=limits.PIECES)).pieces)


def _folder(path: Path) -> Standing:
    if path.exists():
        return Standing(is_taken=True, has_run=(path / TRAINING_STATE).is_file())
    parent = next((folder for folder in path.absolute().parents if folder.exists()), None)
    free = parent is not None and parent.is_dir() and os.access(parent, os.W_OK | os.X_OK)
    return Standing(is_free=free)
