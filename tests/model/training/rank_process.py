"""A command in a process of its own, forked from a server that has loaded torch once for all."""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

# For the server to load: all that a run needs, and what the first optimizer would load.
import torch._dynamo  # noqa: F401

import model.training.follow
import model.training.train  # noqa: F401
from main import main

LONGEST = 60.0  # seconds that a process may take, on a machine with other work

_METHOD = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"


def _run(arguments: tuple[str, ...], variables: Mapping[str, str], told: str, said: str) -> None:
    os.environ.update(variables)
    for descriptor, path in ((1, told), (2, said)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), descriptor)
    sys.exit(main(list(arguments)))


class Command:
    """`headscope ARGUMENTS` with these environment variables; gone on leaving the `with`."""

    def __init__(self, folder: Path, name: str, arguments: tuple[str, ...], **variables: str) -> None:
        context: Any = multiprocessing.get_context(_METHOD)
        if _METHOD == "forkserver":
            context.set_forkserver_preload([__name__])
        self._told, self._said = folder / f"{name}.stdout", folder / f"{name}.stderr"
        for path in (self._told, self._said):
            path.touch()
        wanted = (arguments, variables, str(self._told), str(self._said))
        self.process: BaseProcess = context.Process(target=_run, args=wanted)
        self.process.start()

    @property
    def told(self) -> str:
        """All it wrote to stdout so far."""
        return self._told.read_text(encoding="utf-8")

    @property
    def said(self) -> str:
        """All it wrote to stderr so far."""
        return self._said.read_text(encoding="utf-8")

    def wait_for(self, text: str) -> None:
        """Until stdout has `text`; an AssertionError when it ends before or takes too long."""
        until = time.monotonic() + LONGEST
        while text not in self.told:
            assert self.process.is_alive(), self.said
            assert time.monotonic() < until, self.said
            time.sleep(0.01)

    def send(self, number: int) -> None:
        """A signal."""
        assert self.process.pid is not None
        os.kill(self.process.pid, number)

    def status(self) -> int:
        """Its exit status once it has ended, negative for a signal."""
        self.process.join(LONGEST)
        assert self.process.exitcode is not None, self.said
        return self.process.exitcode

    def __enter__(self) -> Command:
        return self

    def __exit__(self, *error: object) -> None:
        self.process.kill()
        self.process.join()
        self.process.close()
