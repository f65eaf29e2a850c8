"""Trace sequence: a folder of traces, steps of a training run or rounds of a decoding. No torch."""

from __future__ import annotations

import contextlib
import os
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from model.errors import HeadscopeError
from model.files.files import StrPath, io_error, shown, write_error
from model.files.tensor_file import TensorFile
from model.trace.trace import FrameKind, Trace, frame_of
from model.trace.trace_file import open_trace, save_trace
from model.trace.trace_header import check_format

SUFFIX = ".trace"
PROBE = "probe"
"""The folder inside a trained bundle that keeps the traces of its probe sentence."""

_OPEN_TRACES = 16  # each holds a file open
_GONE = ("file_missing", "folder_missing")
_Stamp = tuple[int, int, int]


@dataclass(frozen=True)
class _Frame:
    """What is known of a file in the folder: `stamp` tells a file from one that replaced it.

    Attributes:
        number, kind: None when the file is a trace but of no sequence.
        error: why it cannot be read, else None.
    """

    stamp: _Stamp
    number: int | None = None
    kind: FrameKind | None = None
    error: HeadscopeError | None = None


class TraceSequence:
    """Frames in ascending order of their number; only headers are read until a frame is asked for.

    The folder may change at any moment: `refresh` takes up what was added and forgets what has gone.

    Attributes:
        folder: absolute path.
        kind: what the frames' numbers count.
        numbers: of the frames, ascending: training steps, or rounds.
        damaged: why some files of the folder are no frames; they are left out.
    """

    def __init__(self, folder: Path) -> None:
        """Use `open`."""
        self.folder = folder
        self.kind: FrameKind = "training_step"
        self.numbers: tuple[int, ...] = ()
        self.damaged: tuple[HeadscopeError, ...] = ()
        self._names: tuple[str, ...] = ()
        self._known: dict[str, _Frame] = {}
        self._open: OrderedDict[tuple[str, _Stamp], Trace] = OrderedDict()

    @classmethod
    def open(cls, folder: StrPath) -> Self:
        """The sequence in a folder.

        Raises:
            HeadscopeError: `sequence_empty`: the folder holds no frames; `sequence_mixed`: frames of both
                kinds; the first damaged frame's own error when no frame is whole; the folder is missing or
                cannot be read.
        """
        result = cls(Path(os.path.abspath(folder)))
        result.refresh()
        if not result.numbers:
            raise result.damaged[0] if result.damaged else _empty(result.folder)
        return result

    def __len__(self) -> int:
        """Number of frames."""
        return len(self.numbers)

    def path(self, index: int) -> Path:
        """The file of a frame, by its place from 0."""
        return self.folder / self._names[index]

    def frame(self, index: int) -> Trace:
        """A frame by its place from 0; the last few stay open.

        Raises:
            HeadscopeError: the file has gone meanwhile (`refresh` forgets it), or is damaged.
            IndexError: there is no such frame.
        """
        name = self._names[index]
        key = (name, self._known[name].stamp)
        trace = self._open.pop(key, None)
        if trace is None:
            trace = open_trace(self.folder / name)
            while len(self._open) >= _OPEN_TRACES:
                self._open.popitem(last=False)
        self._open[key] = trace
        return trace

    def place(self, number: int) -> int:
        """The place of the frame with that number, else of the nearest; the earlier of two as near."""
        after = bisect_left(self.numbers, number)
        around = [place for place in (after - 1, after) if 0 <= place < len(self.numbers)]
        return min(around, key=lambda place: abs(self.numbers[place] - number))

    def of_number(self, number: int) -> Trace:
        """The frame with exactly that number.

        Raises:
            HeadscopeError: `sequence_frame`: there is none, with the nearest there is; or as for `frame`.
        """
        place = self.place(number)
        if self.numbers[place] != number:
            raise HeadscopeError(
                "sequence_frame", path=shown(self.folder), frame=number, nearest=self.numbers[place]
            )
        return self.frame(place)

    def refresh(self) -> bool:
        """Read the folder again; whether any frame came, went or was replaced.

        Raises:
            HeadscopeError: the folder is gone, or mixes kinds; what was known stays.
        """
        known: dict[str, _Frame] = {}
        for name, stamp in _stamps(self.folder):
            before = self._known.get(name)
            frame = (
                before if before is not None and before.stamp == stamp else _read(self.folder, name, stamp)
            )
            if frame is not None:
                known[name] = frame
        if known == self._known:
            return False
        kinds = {frame.kind for frame in known.values()} - {None}
        if len(kinds) > 1:
            raise HeadscopeError("sequence_mixed", path=shown(self.folder))
        self._take(known)
        return True

    def _take(self, known: dict[str, _Frame]) -> None:
        frames: dict[int, str] = {}
        for name, frame in sorted(known.items()):
            if frame.number is not None and frame.kind is not None:
                self.kind = frame.kind
                frames.setdefault(frame.number, name)  # a copy under another name is the same frame
        self._known = known
        self.numbers = tuple(sorted(frames))
        self._names = tuple(frames[number] for number in self.numbers)
        self.damaged = tuple(frame.error for _, frame in sorted(known.items()) if frame.error is not None)


def is_sequence(folder: StrPath) -> bool:
    """Whether a folder holds at least one frame; opens files only until it finds one."""
    path = Path(folder)
    with contextlib.suppress(HeadscopeError):
        for name, stamp in _stamps(path):
            frame = _read(path, name, stamp)
            if frame is not None and frame.kind is not None:
                return True
    return False


def save_rounds(rounds: Sequence[Trace], folder: StrPath, *, float16: bool = False) -> None:
    """Write the rounds of one decoding as a sequence: `round-1.trace`, `round-2.trace`, …

    Raises:
        HeadscopeError: `sequence_exists`: the folder holds traces already; or it cannot be written.
    """
    path = Path(folder)
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise write_error(folder, error) from None
    if _stamps(path):
        raise HeadscopeError("sequence_exists", path=shown(folder))
    digits = len(str(len(rounds)))
    for number, trace in enumerate(rounds, 1):
        save_trace(trace, path / f"round-{number:0{digits}d}{SUFFIX}", float16=float16)


def _stamps(folder: Path) -> list[tuple[str, _Stamp]]:
    """The traces of a folder, by name."""
    found = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(SUFFIX) and not entry.name.startswith("."):
                    with contextlib.suppress(FileNotFoundError):  # it went between listing and looking
                        status = entry.stat()
                        found.append((entry.name, (status.st_mtime_ns, status.st_size, status.st_ino)))
    except OSError as error:
        raise io_error(folder, error) from None
    return sorted(found)


def _read(folder: Path, name: str, stamp: _Stamp) -> _Frame | None:
    """What a file's header says; None when the file has gone meanwhile."""
    try:
        file = TensorFile(folder / name)
        check_format(file.metadata, file.path)
    except HeadscopeError as error:
        return None if error.code in _GONE else _Frame(stamp, error=error)
    return _Frame(stamp, *frame_of(file.metadata))


def _empty(folder: Path) -> HeadscopeError:
    return HeadscopeError("sequence_empty", path=shown(folder))
