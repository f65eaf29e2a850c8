"""The real window without a screen, for the benchmarks of the window. Import it before any Qt module."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QAbstractEventDispatcher, QCoreApplication, QEvent, QEventLoop, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

if TYPE_CHECKING:
    from viewer.window.settings import Settings


class PaintCounter(QObject):
    """Counts how often a widget has been asked to paint itself."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.count = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Count a paint event, and let it pass."""
        if event.type() == QEvent.Type.Paint:
            self.count += 1
        return False


def application() -> QApplication:
    """The application; made when there is none, in a process whose memory is the window's."""
    from viewer.engine.heap import one_arena

    found = QApplication.instance()
    if isinstance(found, QApplication):
        return found
    one_arena()
    return QApplication(["benchmark"])


def let_go(window: QWidget) -> None:
    """Close a window and destroy it at once.

    Left to Python's collector its parts would go one by one, in any order, and the process with them.
    """
    window.close()
    destroy(window)


def destroy(thing: QObject) -> None:
    """Destroy a Qt object at once, and all that it owns."""
    thing.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def fresh_settings(folder: Path) -> Settings:
    """Settings of nobody: a first start, the call-outs seen."""
    from viewer.window.settings import Settings

    settings = Settings(str(folder / "settings.ini"))
    settings.callouts_seen = True
    return settings


def wait_until(done: Callable[[], bool], seconds: float = 60.0) -> None:
    """Run an event loop, as the program's own, until `done`; `TimeoutError` if it takes longer.

    Each of its turns is looked at. It sleeps between events: one that spins would take the interpreter from
    the background thread.
    """
    loop, end = QEventLoop(), time.monotonic() + seconds
    failed: list[BaseException] = []

    def look() -> None:
        try:
            if done():
                loop.quit()
            elif time.monotonic() > end:
                raise TimeoutError(f"not done within {seconds:g} s")
        except BaseException as error:  # no slot lets one out
            failed.append(error)
            loop.quit()

    if done():
        return
    dispatcher = QAbstractEventDispatcher.instance()
    assert dispatcher is not None
    dispatcher.awake.connect(look)
    heartbeat = QTimer()
    heartbeat.timeout.connect(look)
    heartbeat.start(50)
    try:
        loop.exec()
    finally:
        dispatcher.awake.disconnect(look)
        heartbeat.stop()
    if failed:
        try:
            raise failed[0]
        finally:
            failed.clear()  # else `look`, its error and the frames of all who wait would stay for good
