"""Rehearsal: what a window is about to show is drawn once where nobody sees it, a widget at a time.

Another language brings letters, another type sizes that were never drawn before. A frame is painted in one
go, and drawing all of them for the first time takes longer than all else in it. Qt keeps what was drawn, and
so do our pictures: the frame itself then has it at hand. (`QWidget.render` would draw whole widgets, but
first lays out whatever is hidden in their window.)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, runtime_checkable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget
from shiboken6 import isValid

from viewer.painting import painting

_DIRECTLY = Qt.FindChildOption.FindDirectChildrenOnly


@runtime_checkable
class Drawn(Protocol):
    """A widget that draws itself, on whatever there is to draw on."""

    def draw_on(self, painter: QPainter) -> None:
        """Draw what the widget shows."""


def rehearse(window: QWidget) -> Iterator[None]:
    """Draw the words and pictures that are seen in a window, one each time that the next is asked for."""
    if not isValid(window):
        return
    stage = QPixmap(window.size() * window.devicePixelRatioF())
    stage.setDevicePixelRatio(window.devicePixelRatioF())
    stage.fill(Qt.GlobalColor.white)
    waiting = [window]
    while waiting:
        widget = waiting.pop()
        if isValid(widget) and widget.isVisible():
            parts = widget.findChildren(QWidget, options=_DIRECTLY)
            waiting += [part for part in reversed(parts) if not part.isWindow()]
            if _draw(widget, stage):
                yield


def _draw(widget: QWidget, stage: QPixmap) -> bool:
    """Whether there was something to draw; where there is no room, a view is not asked to."""
    if widget.size().isEmpty():
        return False
    if isinstance(widget, QLabel | QAbstractButton):
        words = widget.text()
    elif isinstance(widget, QComboBox):
        words = widget.currentText()
    else:
        words = ""
    if not words and not isinstance(widget, Drawn):
        return False
    with painting(stage) as painter:
        if isinstance(widget, Drawn):
            widget.draw_on(painter)
        else:
            painter.setFont(widget.font())
            flags = Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextWordWrap
            painter.drawText(QRect(stage.rect()), flags, words)
    return True
