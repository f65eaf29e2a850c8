"""`Starts`: what a test started and left running, and the windows that it left open."""

from __future__ import annotations

import traceback
import weakref
from typing import Any

import pytest
from PySide6.QtCore import QThread
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid


class Starts:
    """Remembers where each QThread or QTimer was started."""

    def __init__(self) -> None:
        self._seen: list[tuple[weakref.ref[Any], str]] = []

    def watch(self, monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
        """Note the callers of `kind.start` from now on."""
        original = kind.start  # type: ignore[attr-defined]

        def start(this: Any, *args: Any) -> None:
            place = traceback.extract_stack(limit=2)[0]
            self._seen.append((weakref.ref(this), f"{place.filename}:{place.lineno}"))
            original(this, *args)

        monkeypatch.setattr(kind, "start", start)

    def take_over(self, other: Starts) -> None:
        """Answer for what another one saw started as well."""
        self._seen += other._seen

    def running(self) -> list[str]:
        """Those that still run, by the line that started them."""
        left = []
        for reference, place in self._seen:
            this = reference()
            if this is None or not isValid(this):
                continue
            if this.isRunning() if isinstance(this, QThread) else this.isActive():
                left.append(f"{type(this).__name__} started at {place}")
        return left


def left_behind(before: set[int]) -> list[str]:
    """Visible windows whose id is not in `before`."""
    return [
        f"{type(widget).__name__} {widget.objectName()!r} is still a window"
        for widget in QApplication.topLevelWidgets()
        if id(widget) not in before and widget.isVisible()
    ]
