"""Beforehand: what a person will want is imported and made in idle moments, before it is wanted.

Imports go on in a thread: Python lets the window's thread in every few milliseconds. Widgets are made in the
window's own thread, a part at a time, and never while somebody does something or the model has work.
"""

from __future__ import annotations

import importlib
import logging
import pkgutil
import threading
import time
from collections.abc import Callable, Iterable, Iterator

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget

import viewer
from viewer.guarded import Guarded

_log = logging.getLogger(__name__)

_LOOK_MS = 200  # between two looks whether it is an idle moment
_REST = 3  # after each part so many times as long as that took, for whatever else the machine has to do
_LEAST_REST_MS = 20
_STILL_S = 0.7  # since a person did something
_LAST_WAIT_S = 5.0
_OF_A_PERSON = {
    QEvent.Type.KeyPress,
    QEvent.Type.MouseButtonPress,
    QEvent.Type.MouseButtonRelease,
    QEvent.Type.MouseMove,
    QEvent.Type.Wheel,
    QEvent.Type.TouchBegin,
    QEvent.Type.Resize,
}
_NOT_SEEN = ("viewer.commands", "viewer.engine", "viewer.integration")


def modules() -> Iterator[str]:
    """The names of all that the window may come to need; asking for them imports packages alone."""
    for found in pkgutil.walk_packages(viewer.__path__, "viewer."):
        if not found.name.startswith(_NOT_SEEN):
            yield found.name


class Beforehand(Guarded, QObject):
    """Goes through its parts once.

    Args:
        window: whose it is; its parts wait until it is seen.
        parts: makes something each time the next is asked for.
        idle: whether nothing else goes on.

    Attributes:
        over: whether there is nothing left to do.
    """

    def __init__(
        self,
        window: QWidget,
        parts: Iterable[object],
        idle: Callable[[], bool],
        names: Callable[[], Iterable[str]] = modules,
    ) -> None:
        super().__init__(window)
        self._window, self._parts, self._idle, self._names = window, iter(parts), idle, names
        self._acted = 0.0
        self._stopped = threading.Event()
        self._thread: threading.Thread | None = None
        self.over = False
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._go_on)

    @property
    def importing(self) -> bool:
        """Whether modules are being imported."""
        return self._thread is not None and self._thread.is_alive()

    def start(self) -> None:
        """Begin as soon as there is an idle moment."""
        handle = self._window.windowHandle()  # it hears what the system says, before any widget does
        if handle is not None:
            handle.installEventFilter(self)
        self._timer.start(_LOOK_MS)

    def stop(self) -> None:
        """Leave the rest; what is being imported or made is the last."""
        self._stopped.set()
        self._timer.stop()
        if self._thread is not None:
            self._thread.join(_LAST_WAIT_S)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Remember when a person last did something."""
        if event.type() in _OF_A_PERSON:
            self._acted = time.monotonic()
        return False

    def _go_on(self) -> None:
        if self._stopped.is_set() or self.over:
            return
        if not self._is_idle():
            self._timer.start(_LOOK_MS)
            return
        if self._thread is None:
            self._thread = threading.Thread(target=self._import, name="beforehand", daemon=True)
            self._thread.start()
        if self.importing:  # what is made needs what is imported
            self._timer.start(_LOOK_MS)
            return
        began = time.monotonic()
        try:
            next(self._parts)
        except StopIteration:
            self.over = True
        else:
            took = 1000 * (time.monotonic() - began)
            self._timer.start(max(_LEAST_REST_MS, round(_REST * took)))

    def _is_idle(self) -> bool:
        other = QApplication.activeModalWidget() or QApplication.activePopupWidget()
        still = time.monotonic() - self._acted > _STILL_S
        return still and other is None and self._window.isVisible() and self._idle()

    def _import(self) -> None:
        """In the thread; what cannot be imported says so where it is wanted."""
        for name in self._names():
            if self._stopped.is_set():
                return
            try:
                importlib.import_module(name)
            except Exception:
                _log.debug("%s was not imported beforehand", name, exc_info=True)
