"""Threaded generator: advanced in a thread beside the worker's, for work that takes long in one go."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Generator, Iterator
from typing import Generic, TypeVar

from viewer.engine.scheduler import Rest
from viewer.engine.threads import torch_threads

T = TypeVar("T")

# Of 0 to 19: a quarter of a processor that the window's thread wants all of.
_NICENESS = 5


class ThreadedGenerator(Generic[T]):
    """Advances a generator, one call at a time; the job that waits for it rests.

    Args:
        run: nothing else may advance it, or use what it uses, while `busy`.
        wake: tells the scheduler, from any thread, that the job has something to do again; must be heard
            only after the slice that is under way.
        threads: processor threads for torch.
    """

    def __init__(self, run: Iterator[T], wake: Callable[[], None], threads: int) -> None:
        self._run = run
        self._wake = wake
        self._threads = threads
        self._call: _Call[T | None] | None = None

    @property
    def busy(self) -> bool:
        """Whether the other thread is at work."""
        return self._call is not None and not self._call.returned.is_set()

    def next(self) -> Generator[Rest, None, T | None]:
        """Advance once; returns the generator's next value, None at its end. Raises what it raises."""
        self._call = call = _Call(self._advance, self._wake)
        while not call.returned.is_set():
            yield Rest()
        self._call = None
        return call.result()

    def wait(self) -> None:
        """Wait until the other thread has nothing to do, whatever came of it."""
        call, self._call = self._call, None
        if call is not None:
            call.thread.join()

    def _advance(self) -> T | None:
        with torch_threads(self._threads):
            return next(self._run, None)


class _Call(Generic[T]):
    """One call made in a thread of its own."""

    def __init__(self, call: Callable[[], T], then: Callable[[], None]) -> None:
        self._do, self._then = call, then
        self._values: list[T] = []
        self._error: BaseException | None = None
        self.returned = threading.Event()
        self.thread = threading.Thread(target=self._work, name="headscope-beside", daemon=True)
        self.thread.start()

    def result(self) -> T:
        self.thread.join()
        error, self._error = self._error, None
        if error is not None:
            raise error
        return self._values[0]

    def _work(self) -> None:
        _give_way()
        try:
            self._values.append(self._do())
        except BaseException as error:
            self._error = error
        finally:
            self.returned.set()
            self._then()


def _give_way() -> None:
    """From now on this thread, and those of torch that it starts, let others have the processor first.

    Nobody waits for what is done here as they wait for a window. Only Linux does that for a single thread.
    """
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            thread = threading.get_native_id()
            now = os.getpriority(os.PRIO_PROCESS, thread)  # somebody may have started all of it nicer
            os.setpriority(os.PRIO_PROCESS, thread, max(now, _NICENESS))
