"""Windows that stay until what is told to them has been told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtGui import QWindow
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import getCppPointer, isValid


@contextmanager
def kept(told: QWindow | QWidget) -> Iterator[None]:
    """Put off the end of a window or widget, and of what it belongs to, until the block is over.

    `QTest` tells a window of several events by its address (that a key is pressed, that it is released, the
    same of each modifier) and lets the program work between them. A window that ends there, since its work is
    done, is told the rest where there is no window any more: the process crashes. A keyboard is told by the
    system, which knows who is there.
    """
    widget = told if isinstance(told, QWidget) else _widget_of(told)
    keeper = _Keeper()
    chain = []  # once Python lets go of a widget PySide takes its window, `told`, for deleted
    while widget is not None:
        widget.installEventFilter(keeper)
        chain.append(widget)
        widget = widget.parentWidget()
    try:
        yield
    finally:
        keeper.let_go()


def _widget_of(handle: QWindow) -> QWidget | None:
    where = getCppPointer(handle)
    for widget in QApplication.topLevelWidgets():
        own = widget.windowHandle()
        if own is not None and getCppPointer(own) == where:
            return widget
    return None


class _Keeper(QObject):
    def __init__(self) -> None:
        super().__init__()
        self._ending: list[QObject] = []
        self._open = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if not self._open or event.type() != QEvent.Type.DeferredDelete:
            return False
        if all(one is not watched for one in self._ending):
            self._ending.append(watched)
        return True

    def let_go(self) -> None:
        """Have what was put off happen now."""
        self._open = False
        for one in self._ending:
            if isValid(one):
                QCoreApplication.sendEvent(one, QEvent(QEvent.Type.DeferredDelete))
