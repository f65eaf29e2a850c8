"""Doors: what a process must not reach while somebody presses keys at random in it.

No home but a folder of its own, no network, no browser, no dialogs of the system; a file dialog answers at
once with a path that it is given, and can neither rename nor delete.
"""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any
from unittest import mock

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QFileDialog

_SCREEN = "screen.json"
_ONE = {
    "name": "screen", "x": 0, "y": 0, "width": 1920, "height": 1080, "logicalDpi": 96, "logicalBaseDpi": 96,
    "dpr": 1,
}  # fmt: skip
_OF_HOME = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME", "TMPDIR")


def environment(home: Path, platform: str = "offscreen") -> dict[str, str]:
    """The environment of a process whose home is a folder, which gets what it needs."""
    given = dict(os.environ)
    for name in _OF_HOME:
        (home / name.lower()).mkdir(parents=True, exist_ok=True)
        given[name] = str(home / name.lower())
    if platform == "offscreen":  # whose screen would be of 800 × 800
        (home / _SCREEN).write_text(json.dumps({"screens": [_ONE]}))
        platform = f"offscreen:configfile={home / _SCREEN}"
    root = str(Path(__file__).resolve().parents[2])
    return given | {
        "HOME": str(home), "PYTHONPATH": root, "PYTHONDONTWRITEBYTECODE": "1", "QT_QPA_PLATFORM": platform,
        "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1",
        "http_proxy": "http://127.0.0.1:9", "https_proxy": "http://127.0.0.1:9", "no_proxy": "",
    }  # fmt: skip


def run_inside(
    module: str, words: list[str], home: Path, platform: str = "offscreen", errors: IO[bytes] | None = None
) -> int:
    """Run a module, which is given `--inside HOME` besides, in a process of its own; its status.

    Args:
        errors: gets its standard error.
    """
    command = [sys.executable, "-m", module, *words, "--inside", str(home)]
    return subprocess.run(
        command, cwd=home, env=environment(home, platform), stderr=errors, check=False
    ).returncode


@contextmanager
def shut(
    to_open: Callable[[], str], to_save: Callable[[str], str], folder: Callable[[], str]
) -> Iterator[None]:
    """While inside, file dialogs answer with these, and nothing reaches beyond this process.

    Args:
        to_open: a file.
        to_save: a path, given what the dialog proposes.
        folder: a folder.
    """

    def opened(*given: Any) -> tuple[str, str]:
        return to_open(), ""

    def several(*given: Any) -> tuple[list[str], str]:
        return [to_open()], ""

    def saved(parent: object = None, title: str = "", start: str = "", *given: Any) -> tuple[str, str]:
        return to_save(start), ""

    answers = {
        "getOpenFileName": opened, "getOpenFileNames": several, "getSaveFileName": saved,
        "getExistingDirectory": lambda *given: folder(),
    }  # fmt: skip
    tame = _Tame()
    application = QApplication.instance()
    assert application is not None
    application.installEventFilter(tame)
    with ExitStack() as stack:
        for name, answer in answers.items():
            stack.enter_context(mock.patch.object(QFileDialog, name, answer))
        stack.enter_context(mock.patch.object(QDesktopServices, "openUrl", return_value=True))
        stack.enter_context(mock.patch.object(socket.socket, "connect", _no_network(socket.socket.connect)))
        yield
    application.removeEventFilter(tame)


class _Tame(QObject):
    """A file dialog that is not answered for: it changes nothing on the disk by itself."""

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and isinstance(watched, QFileDialog):
            watched.setOption(QFileDialog.Option.ReadOnly)
        return False


def _no_network(connect: Any) -> Any:
    def refuse(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise AssertionError(f"somebody wants to go to {address!r}")
        return connect(self, address)

    return refuse
