"""The program as a desktop starts it: however it was installed."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import viewer


def program() -> tuple[str, ...]:
    """What starts this copy of Headscope, absolute.

    The packaged folder's own executable; the command that pip, uv or pipx made, as it was called: uv's and
    pipx's names for it outlive an update; else this Python with `main.py`.
    """
    if getattr(sys, "frozen", False):
        return (os.path.realpath(sys.executable),)
    called = Path(sys.argv[0])
    if called.name == "headscope" and os.access(called, os.X_OK):
        return (os.path.abspath(called),)
    return (sys.executable, str(Path(os.path.abspath(viewer.__file__)).parents[1] / "main.py"))
