"""What every test of the window gets: a check that it leaves nothing running behind."""

from __future__ import annotations

import traceback
import weakref
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QThread, QTimer
from PySide6.QtGui import QFont, QPalette
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


@pytest.fixture(autouse=True)
def looks_of_the_system(request: pytest.FixtureRequest) -> Iterator[None]:
    """A window sets the application's font, palette and style sheet, by which the next one would measure its
    own (and Qt style it anew at each widget that is put into another): put them back.
    """
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("qapp")
    font, palette = QFont(QApplication.font()), QPalette(QApplication.palette())
    yield
    application = QApplication.instance()
    if isinstance(application, QApplication) and application.styleSheet():
        application.setStyleSheet("")
    if QApplication.palette() != palette:
        QApplication.setPalette(palette)
    if QApplication.font() != font:
        QApplication.setFont(font)


@pytest.fixture(autouse=True)
def nothing_left_behind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Fails the test that leaves a thread, a timer or a window behind, and names it."""
    if not {"qapp", "qtbot"} & set(request.fixturenames):
        yield
        return
    request.getfixturevalue("qapp")
    before = {id(widget) for widget in QApplication.topLevelWidgets()}
    starts = Starts()
    starts.watch(monkeypatch, QThread)
    starts.watch(monkeypatch, QTimer)
    yield
    # What was asked to go by deleteLater goes now.
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    left = starts.running() + left_behind(before)
    assert not left, f"left behind: {left}"
