"""What every test of the window gets: a check that it leaves nothing running behind."""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QThread, QTimer
from PySide6.QtWidgets import QApplication
from shiboken6 import isValid


class _Starts:
    """Remembers where each QThread or QTimer was started."""

    def __init__(self) -> None:
        self.seen: list[tuple[weakref.ref[Any], str]] = []

    def watch(self, monkeypatch: pytest.MonkeyPatch, kind: type) -> None:
        original = kind.start

        def start(this: Any, *args: Any, **keywords: Any) -> Any:
            place = traceback.extract_stack(limit=2)[0]
            self.seen.append((weakref.ref(this), f"{place.filename}:{place.lineno}"))
            return original(this, *args, **keywords)

        monkeypatch.setattr(kind, "start", start)

    def running(self) -> list[str]:
        left = []
        for reference, place in self.seen:
            this = reference()
            if this is None or not isValid(this):
                continue
            if this.isRunning() if isinstance(this, QThread) else this.isActive():
                left.append(f"{type(this).__name__} started at {place}")
        return left


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test that leaves a thread, a timer or a window behind, and names it."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    application: QApplication = request.getfixturevalue("qapp")
    before = set(map(id, application.topLevelWidgets()))
    starts = _Starts()
    starts.watch(monkeypatch, QThread)
    starts.watch(monkeypatch, QTimer)
    yield
    application.sendPostedEvents(None, 52)  # QEvent.DeferredDelete: what was asked to go, goes now
    left = starts.running()
    left += [
        f"{type(widget).__name__} {widget.objectName()!r} still visible"
        for widget in application.topLevelWidgets()
        if id(widget) not in before and widget.isVisible()
    ]
    assert not left, f"left behind: {left}"
