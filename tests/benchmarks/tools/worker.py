"""A side of a benchmark in a process of its own, which runs when told to and waits in between.

The parent writes a line with a number of steps; the worker runs them and answers with one JSON line.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

ROOT = Path(__file__).resolve().parents[3]


class WorkerFailed(RuntimeError):
    """The process ended instead of answering; the message is the last line it wrote."""


class Worker:
    """The parent's end; `module` runs with `python`, its messages go to `log`."""

    def __init__(self, python: str, module: str, arguments: Sequence[str], log: Path) -> None:
        self.log = log
        with log.open("w", encoding="utf-8") as messages:
            self.process = subprocess.Popen(
                [python, "-m", module, *arguments],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
            )
        self.hello = self._answer()

    def run(self, steps: int) -> dict[str, Any]:
        """What `steps` steps gave; `WorkerFailed` when the process ended."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{steps}\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise self._failure() from None
        return self._answer()

    def _answer(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        # Libraries print too; only a line that is an object is an answer.
        for line in self.process.stdout:
            if line.startswith("{"):
                answer: dict[str, Any] = json.loads(line)
                return answer
        raise self._failure()

    def _failure(self) -> WorkerFailed:
        self.process.wait()
        lines = self.log.read_text(encoding="utf-8").strip().splitlines()
        return WorkerFailed(lines[-1] if lines else f"it ended with status {self.process.returncode}")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.process.kill()
        self.process.communicate()


def serve(hello: dict[str, Any], run: Callable[[int], dict[str, Any]]) -> None:
    """The worker's end: greet, then answer until stdin closes."""
    answer(hello)
    while (steps := next_order()) is not None:
        answer(run(steps))


def answer(values: dict[str, Any]) -> None:
    """Send one answer to the parent."""
    print(json.dumps(values), flush=True)


def next_order() -> int | None:
    """Wait for the number of steps to run; None when there are no more."""
    line = sys.stdin.readline()
    return int(line) if line.strip() else None
