"""`Renewal`: another theme, type or language, taken by what is seen at once and by all else soon after.

Of thousands of widgets a person sees a few hundred. Qt would give a style sheet or a language to all of them
in one go, and keep the window's thread for most of a second; here those that nobody sees have their turn in
slices of the event loop, in which the window goes on answering.
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from collections.abc import Callable
from types import FunctionType

from PySide6.QtCore import QCoreApplication, QEvent, QObject, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from viewer.guarded import Guarded
from viewer.pages.widgets.appearance import Appearance, take_type
from viewer.pages.widgets.buttons import Label
from viewer.pages.widgets.stylesheet import take_sheet

Take = Callable[[QWidget], None]
"""What a widget does to take what is in force."""


class Renewal(Guarded, QObject):
    """Renews the widgets of a window, of what stands beside it, and of what lies over it.

    Attributes:
        slice_s: seconds for which those that nobody sees keep the thread at a stretch.
    """

    slice_s = 0.012

    def __init__(self, window: QWidget, appearance: Appearance) -> None:
        super().__init__(window)
        self._window, self._appearance = window, appearance
        self._left: deque[tuple[Take, QWidget]] = deque()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        window.installEventFilter(self)

    def restyle(self) -> None:
        """Take the theme and type in force."""
        take_type(self._appearance)
        styled = take_sheet(self._appearance)
        tops = [widget for widget in QApplication.topLevelWidgets() if widget.parentWidget() is None]
        widgets = [widget for top in tops for widget in (top, *top.findChildren(QWidget))]
        self._renew(_remeasure if styled else _take_style, widgets)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window would hand another language on to all its parts; other windows hear of it themselves."""
        if event.type() != QEvent.Type.LanguageChange or watched is not self._window:
            return False
        parts = [part for part in self._window.findChildren(QWidget) if part.window() is self._window]
        self._renew(_take_language, [self._window, *parts])
        self._window.update()
        return True

    def _renew(self, take: Take, widgets: list[QWidget]) -> None:
        """Those that are seen now, the others after what is left of other changes."""
        until = time.monotonic() + self.slice_s if self._window.isVisible() else math.inf
        self._left = deque(other for other in self._left if other[0] is not take)
        for widget in widgets:
            if widget.isVisible():
                _do(take, widget)
            else:
                self._left.append((take, widget))
        self._spend(until)

    def _go_on(self) -> None:
        self._spend(time.monotonic() + self.slice_s)

    def _spend(self, until: float) -> None:
        while self._left and time.monotonic() < until:
            _do(*self._left.popleft())
        if self._left and not self._timer.isActive():
            self._timer.start()
        elif not self._left:
            self._timer.stop()


def _do(take: Take, widget: QWidget) -> None:
    """Have one widget take it, if it is still there; where it fails, the others do not go without."""
    if not isValid(widget):
        return
    try:
        take(widget)
    except Exception:
        sys.excepthook(*sys.exc_info())


def _take_style(widget: QWidget) -> None:
    """As Qt does for each widget that a new sheet is for."""
    widget.style().polish(widget)
    QCoreApplication.sendEvent(widget, QEvent(QEvent.Type.StyleChange))
    _remeasure(widget)


def _remeasure(widget: QWidget) -> None:
    if isinstance(widget, Label) and widget.measures:
        widget.remeasure()


def _take_language(widget: QWidget) -> None:
    """As it hears of it from Qt, but alone: an event would go on to all that it holds."""
    if isinstance(type(widget).changeEvent, FunctionType):  # one of Qt's own says nothing by itself
        widget.changeEvent(QEvent(QEvent.Type.LanguageChange))
