"""Rehearsal: what a window shows is painted once where nobody sees it, part by part, before its next frame.

Another language brings letters, another theme icons that were never drawn before. A frame is painted in one
go, and drawing all of them for the first time takes longer than all else in it. Qt, and our own pictures,
keep what was drawn: the frame itself then has it at hand.
"""

from __future__ import annotations

from collections.abc import Iterator

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QPixmap, QRegion
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

_ALONE = QWidget.RenderFlag.IgnoreMask  # without its children, which have their own turns
_DIRECTLY = Qt.FindChildOption.FindDirectChildrenOnly


def rehearse(window: QWidget) -> Iterator[None]:
    """Paint all that is seen of a window, a widget each time that the next is asked for."""
    if not isValid(window):
        return
    stage = QPixmap(window.size() * window.devicePixelRatioF())
    stage.setDevicePixelRatio(window.devicePixelRatioF())
    waiting = [window]
    while waiting:
        widget = waiting.pop()
        if isValid(widget) and widget.isVisible():
            widget.render(stage, QPoint(), QRegion(), _ALONE)
            parts = widget.findChildren(QWidget, options=_DIRECTLY)
            waiting += [part for part in reversed(parts) if not part.isWindow()]
            yield
