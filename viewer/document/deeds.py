"""Deeds: the files that were written from a session, each with the command that makes it again. QtCore only.

A command names what only the script can know by a mark: the file it makes by `OUT`, the trace of a run by
`trace_of`. `viewer.export.script` puts real names there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

from PySide6.QtCore import QObject, Signal

MOST_DEEDS = 500
"""How many are kept; beyond them the oldest go."""

# No word of a command can hold a NUL of its own.
OUT = "\0out"
_TRACE = "\0trace:"


def trace_of(run_id: str) -> str:
    """The mark for a run's trace file."""
    return _TRACE + run_id


def run_meant(word: str) -> str | None:
    """The run whose trace a word stands for; None for any other word."""
    return word.removeprefix(_TRACE) if word.startswith(_TRACE) else None


@dataclass(frozen=True)
class Deed:
    """A file that was written.

    Attributes:
        path: of the file, or what the names of a set begin with, or a folder.
        words: of the command that makes it, with marks; empty where there is none.
        reason: why there is none, a sentence.
    """

    path: str
    words: tuple[str, ...] = ()
    reason: str = ""

    def to_json(self) -> dict[str, Any]:
        """Plain values."""
        said = {"reason": self.reason} if self.reason else {}
        return {"path": self.path, "words": list(self.words), **said}

    @classmethod
    def of_json(cls, values: Any) -> Self | None:
        """The inverse of `to_json`; None for what makes no sense."""
        if not isinstance(values, Mapping):
            return None
        path, words, reason = values.get("path"), values.get("words", []), values.get("reason", "")
        texts = isinstance(words, list) and all(isinstance(word, str) for word in words)
        if not (isinstance(path, str) and texts and isinstance(reason, str)):
            return None
        return cls(path, tuple(words), reason)


def deeds_of(values: Any) -> tuple[Deed, ...]:
    """What a session's file says of them; what makes no sense is left out."""
    found = map(Deed.of_json, values) if isinstance(values, list) else ()
    return tuple(deed for deed in found if deed is not None)[-MOST_DEEDS:]


class Deeds(QObject):
    """What was written, in order; nothing of it is undone, since the files stay.

    Signals:
        changed: one more.
    """

    changed = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._done: list[Deed] = []
        self._models: dict[str, str] = {}

    @property
    def all(self) -> tuple[Deed, ...]:
        """The oldest first; of a file that was written several times the last."""
        return tuple(self._done)

    @property
    def models(self) -> Mapping[str, str]:
        """The folder of each model that was open, by the hash of its weights."""
        return self._models

    def note(self, path: str, words: Sequence[str] = (), reason: str = "") -> None:
        """A file was written."""
        self.take([*self._done, Deed(path, tuple(words), reason)])

    def take(self, deeds: Iterable[Deed]) -> None:
        """These instead: those of a session that was opened."""
        last: dict[str, Deed] = {}
        for deed in deeds:
            last.pop(deed.path, None)  # one that is written again goes to the end
            last[deed.path] = deed
        self._done = list(last.values())[-MOST_DEEDS:]
        self.changed.emit()

    def model_opened(self, sha256: str, path: str) -> None:
        """Where the runs of a model come from."""
        self._models[sha256] = path
