"""`PairSource`: all that a run's options name as its pairs, read batch after batch from files or a task."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from model.data.pairs.containers import PathLike, file_size, raw_chunks
from model.data.pairs.pair_files import PairReader, Row
from model.data.pairs.survey import Layout
from model.data.pairs.text import Check
from model.data.tasks import TASKS
from model.errors import HeadscopeError
from model.files.files import shown
from model.train_options import TrainOptions
from model.work import due

_MOST = 1000  # rows in a batch


@dataclass(eq=False)
class PairSource:
    """The pairs of a run, whatever they come from.

    Attributes:
        options: name them.
        should_cancel: asked often while reading.
        layout: how they are written down; of several files the first's.
        header: the first file's, see `PairReader`.
        done, total: bytes (pairs of a task) read so far and in all.
        encodings: what each file is written in, by its name.
        hashes: SHA-256 of each file by its name, once `hash_files` was done; of a task that of its pairs as
            tab-separated lines, once they were read.
    """

    options: TrainOptions
    should_cancel: Callable[[], bool] = lambda: False
    layout: Layout = field(init=False, default="tsv")
    header: tuple[str, ...] = field(init=False, default=())
    done: int = field(init=False, default=0)
    total: int = field(init=False, default=0)
    encodings: dict[str, str] = field(init=False, default_factory=dict)
    hashes: dict[str, str] = field(init=False, default_factory=dict)

    def batches(self) -> Iterator[list[Row]]:
        """Yields rows in order, some thousand at most, and an empty list where none came for a while.

        Raises:
            HeadscopeError: as `PairReader` and its `rows`; `cancelled`.
        """
        check = _cancelling(self.should_cancel)
        last = time.monotonic()
        rows: list[Row] = []
        for row in self._rows():
            rows.append(row)
            if len(rows) >= _MOST or (len(rows) % 16 == 0 and due(last)):
                check()
                yield rows
                rows, last = [], time.monotonic()
        check()
        yield rows

    def hash_files(self) -> Iterator[None]:
        """Fills `hashes`; yields between one piece of the work and the next.

        Raises:
            HeadscopeError: a file cannot be read, or `cancelled`.
        """
        check = _cancelling(self.should_cancel)
        for path, name in zip(self.paths, self.names()):
            digest = hashlib.sha256()
            for chunk in raw_chunks(path):
                check()
                digest.update(chunk)
                yield
            self.hashes[name] = digest.hexdigest()

    @property
    def paths(self) -> tuple[str, ...]:
        """The files; none for a task."""
        if self.options.task is not None:
            return ()
        return self.options.parallel or self.options.pairs

    def names(self) -> list[str]:
        """What to call each file: its name, numbered where several have it."""
        names = [Path(path).name for path in self.paths]
        return [
            name if name not in names[:place] else f"{name} ({names[:place].count(name) + 1})"
            for place, name in enumerate(names)
        ]

    def _rows(self) -> Iterator[Row]:
        if self.options.task is not None:
            yield from self._task_rows()
            return
        self.total = sum(file_size(path) for path in self.paths)
        together = bool(self.options.parallel)
        groups: list[tuple[PathLike, ...]] = [self.paths] if together else [(path,) for path in self.paths]
        names = self.names()
        for place, group in enumerate(groups):
            before = self.done
            own = names if together else names[place : place + 1]
            with self._reader(group) as reader:
                if place == 0:
                    self.layout = reader.layout
                for count, row in enumerate(reader.rows()):
                    if count % 64 == 0:
                        self.done = before + reader.done
                        self._note(reader, own, first=place == 0)
                    yield row
                self.done = before + reader.total
                self._note(reader, own, first=place == 0)

    def _reader(self, group: tuple[PathLike, ...]) -> PairReader:
        options = self.options
        check = _cancelling(self.should_cancel)
        return PairReader(group, options.columns, options.encoding, self._column_languages(), check)

    def _column_languages(self) -> tuple[str, str]:
        source, target = self.options.languages
        return (target, source) if self.options.swap else (source, target)

    def _note(self, reader: PairReader, names: list[str], *, first: bool) -> None:
        self.encodings.update(zip(map(shown, names), reader.encodings))
        if first:
            self.header = reader.header

    def _task_rows(self) -> Iterator[Row]:
        assert self.options.task is not None
        self.layout = "task"
        digest = hashlib.sha256()
        self.total = self.options.task_size
        pairs = TASKS[self.options.task].pairs(self.options.task_size, self.options.train.seed)
        for number, (source, target) in enumerate(pairs, 1):
            self.done = number
            digest.update(f"{source}\t{target}\n".encode())
            yield number, source, target
        self.hashes[f"task {self.options.task}"] = digest.hexdigest()


def _cancelling(should_cancel: Callable[[], bool]) -> Check:
    """A function that raises `HeadscopeError` `cancelled` once `should_cancel` says so."""

    def check() -> None:
        if should_cancel():
            raise HeadscopeError("cancelled")

    return check
