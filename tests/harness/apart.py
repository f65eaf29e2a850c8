"""Apart: commands carried out in a fork of a process that has imported everything, with limits and a judge.

A fork has no threads but its own, so that whoever forks computes nothing with torch or Qt.
"""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PATIENCE_S = 300.0  # of a clock on the wall, on a machine that has other work


@dataclass(frozen=True)
class Ending:
    """How a command ended.

    Attributes:
        status: its exit status; negative the signal that ended it.
        seconds: of the processor.
        out, err: what it said.
    """

    status: int
    seconds: float
    out: str
    err: str


def prepare() -> None:
    """Import what commands import, so that a fork need not; one thread, since forks have no others."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    import torch

    torch.set_num_threads(1)
    import transformers  # noqa: F401

    import viewer.commands.render  # noqa: F401


class Apart:
    """A command under way.

    Args:
        work: carried out in the fork; its number is the exit status.
        folder: gets `out` and `err`, what it says.
        most_bytes: of memory beyond what there is; 0 for any.
    """

    def __init__(self, work: Callable[[], int], folder: Path, most_bytes: int = 0) -> None:
        self._folder = folder
        for name in ("out", "err"):
            (folder / name).write_bytes(b"")
        self.pid = os.fork()
        if self.pid == 0:
            _carry_out(work, folder, most_bytes)

    def kill_after(self, seconds: float) -> bool:
        """End it with SIGKILL after a time; whether it was still under way then."""
        time.sleep(seconds)
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        return self.wait().status == -signal.SIGKILL

    def wait(self) -> Ending:
        """How it ended; one that has not ended after `PATIENCE_S` is killed."""
        end = time.monotonic() + PATIENCE_S
        while True:
            done, status, usage = os.wait4(self.pid, os.WNOHANG)
            if done:
                break
            if time.monotonic() > end:
                os.kill(self.pid, signal.SIGKILL)
                end += PATIENCE_S
            time.sleep(0.003)
        said, told = ((self._folder / name).read_text("utf-8", "replace") for name in ("out", "err"))
        return Ending(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, said, told)


def _carry_out(work: Callable[[], int], folder: Path, most_bytes: int) -> None:
    """In the fork; never returns."""
    status = 99
    try:
        if most_bytes:
            here = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
            resource.setrlimit(resource.RLIMIT_AS, (here + most_bytes,) * 2)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for stream, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / name, os.O_WRONLY), stream)
        sys.stdout, sys.stderr = os.fdopen(1, "w"), os.fdopen(2, "w", errors="backslashreplace")
        try:
            status = work()
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else 98
        except BaseException:
            traceback.print_exc()
            status = 97
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(status)
