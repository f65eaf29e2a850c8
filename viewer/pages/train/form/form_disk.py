"""`FormDisk`: what stands where the form's paths point, looked at beside the window."""

from __future__ import annotations

import os
import stat
import threading
import time
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

_AGAIN_MS = 50

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
        answered: something else than before is known, and nobody has waited for it.
    """

    answered = Signal()
    patience = 0.02

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._memory = _Memory()
        # By folder: those of one are answered or not together, and never keep another's waiting.
        self._looking: dict[str, threading.Event] = {}
        self._next: dict[str, list[Asked]] = {}
        # Asked for instead of told by a thread, which may outlive the form: it knows of nothing of Qt.
        self._timer = QTimer(self, interval=_AGAIN_MS)
        self._timer.timeout.connect(self._go_on)

    def look(self, asked: Iterable[Asked]) -> None:
        """See what stands there now; until an answer comes, what was seen before counts."""
        found, known = tuple(dict.fromkeys(asked)), self._memory.known
        self._memory.known = {each: known[each] for each in found if each in known}
        self._next = {}
        for each in found:
            self._next.setdefault(os.path.dirname(each.path), []).append(each)
        end = time.monotonic() + self.patience
        for over in self._begin():
            over.wait(max(0.0, end - time.monotonic()))
        self._memory.is_new = False  # whoever looks asks for what is known now
        if not all(over.is_set() for over in self._looking.values()):
            self._timer.start()

    def at(self, asked: Asked) -> Standing | None:
        """What stands there; None where the disk has not answered."""
        return self._memory.known.get(asked)

    def stamp(self, path: str) -> Stamp:
        """Of a file of pairs."""
        found = self.at(Asked("pairs", path))
        return (0, 0) if found is None else found.stamp

    def pieces(self, path: str) -> int:
        """Of a vocabulary's file; 0 where it is none or not known."""
        found = self.at(Asked("pieces", path))
        return 0 if found is None else found.pieces

    def _begin(self) -> list[threading.Event]:
        """Look at what comes next, as far as nothing else in its folder is waited for."""
        self._looking = {folder: over for folder, over in self._looking.items() if not over.is_set()}
        folders = self._next.keys() - self._looking.keys()
        for folder in folders:
            over = self._looking[folder] = threading.Event()
            arguments = (self._next.pop(folder), over)
            threading.Thread(target=self._memory.look, args=arguments, name="looking", daemon=True).start()
        return [self._looking[folder] for folder in folders]

    def _go_on(self) -> None:
        """See whether a thread is done."""
        self._begin()
        if not self._looking:
            self._timer.stop()
        if self._memory.is_new:
            self._memory.is_new = False
            self.answered.emit()


class _Memory:
    """What was seen.

    Attributes:
        known: the last time.
        is_new: something else than when the form last asked.
    """

    def __init__(self) -> None:
        self.known: dict[Asked, Standing] = {}
        self.is_new = False

    def look(self, asked: list[Asked], over: threading.Event) -> None:
        """In a thread."""
        for each in asked:
            found, known = seen(each), self.known
            if known.get(each) != found:
                known[each] = found
                self.is_new = True
        over.set()


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
