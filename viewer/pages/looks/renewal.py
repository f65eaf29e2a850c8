"""`Renewal`: another theme, type or language, taken at once by what is seen, by all else soon after.

Of thousands of widgets a person sees one or two hundred. Qt would give a style sheet or a language to all of
them in one go, and keep the window's thread for most of a second. Here those that are seen have the event
loop's next turn, the others slices of those that follow, in which the window goes on answering. Nothing is
painted before all that is seen is done: there is no frame in two themes.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from types import FunctionType

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from viewer.guarded import Guarded
from viewer.pages.looks.stylesheet import has_sheet, take_sheet
from viewer.pages.widgets.appearance import Appearance, take_type
from viewer.pages.widgets.buttons import Label

Take = Callable[[QWidget], None]
"""What a widget does to take what is in force."""
Tops = Callable[[], list[QWidget]]
"""The windows whose widgets do, asked for when it comes to that: there may be more by then."""
_DIRECTLY = Qt.FindChildOption.FindDirectChildrenOnly


class Renewal(Guarded, QObject):
    """Renews the widgets of a window, of what stands beside it, and of what lies over it.

    Attributes:
        seen_s: seconds for which those that are seen keep the thread at a stretch.
        slice_s: the same of those that nobody sees.
    """

    seen_s, slice_s = 0.015, 0.010

    def __init__(self, window: QWidget, appearance: Appearance) -> None:
        super().__init__(window)
        self._window, self._appearance = window, appearance
        self._seen: dict[Take, Iterator[None]] = {}
        self._others: dict[Take, Iterator[None]] = {}
        self._held: list[QWidget] = []
        self._untold = 0  # how often those who measure by their type have to hear of it again
        self._telling = False
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._go_on)
        window.installEventFilter(self)

    @property
    def busy(self) -> bool:
        """Whether some have not taken it yet."""
        return bool(self._seen or self._held or self._others or self._untold)

    def restyle(self) -> None:
        """Take the theme and type in force."""
        if self._telling:
            return
        take_type(self._appearance)
        tops = QApplication.topLevelWidgets
        if has_sheet():
            self._untold = 2
            self._renew(_take_style, tops, partial(take_sheet, self._appearance))
        else:
            take_sheet(self._appearance)
            self._renew(_remeasure, tops)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window would hand another language on to all its parts; other windows hear of it themselves."""
        if event.type() != QEvent.Type.LanguageChange or watched is not self._window:
            return False
        self._renew(_take_language, lambda: [self._window])
        return True

    def _renew(self, take: Take, tops: Tops, first: Callable[[], object] = lambda: None) -> None:
        """Have all that these windows hold take it, once something else is done."""
        self._held += [top for top in tops() if top.isVisible() and top not in self._held]
        for top in filter(isValid, self._held):
            top.setUpdatesEnabled(False)
        done: set[QWidget] = set()
        self._seen[take] = _all_seen(take, tops, done, first)
        self._others[take] = _all_others(take, tops, done)
        if self._window.isVisible() and self.slice_s < math.inf:
            self._timer.start()
            return
        while self.busy:
            self._go_on()

    def _go_on(self) -> None:
        if self._seen:
            _spend(self._seen, self.seen_s)
        elif self._held and self._untold == 2:
            self._tell()
        elif self._held:
            held, self._held = self._held, []
            for top in filter(isValid, held):
                top.setUpdatesEnabled(True)
                # A request that came while nothing was painted is lost, and Qt thinks that one is on its way.
                QCoreApplication.postEvent(top, QEvent(QEvent.Type.UpdateRequest))
        elif self._others:
            _spend(self._others, self.slice_s)
        else:
            self._tell()
        if not self.busy:
            self._timer.stop()

    def _tell(self) -> None:
        """Whoever measured by the type that a widget had before measures again."""
        self._untold -= 1
        self._telling = True
        try:
            self._appearance.changed.emit()
        finally:
            self._telling = False


def once_taken(widget: QWidget, work: Callable[[], object]) -> None:
    """Do something once all that is seen has taken what is in force; before, the window paints nothing."""
    if widget.updatesEnabled():
        work()
    else:
        QTimer.singleShot(0, widget, partial(once_taken, widget, work))


def _spend(work: dict[Take, Iterator[None]], seconds: float) -> None:
    """As much of it as there is time for."""
    until = time.monotonic() + seconds
    for take, steps in list(work.items()):
        for _ in steps:
            if time.monotonic() > until:
                return
        del work[take]


def _all_seen(take: Take, tops: Tops, done: set[QWidget], first: Callable[[], object]) -> Iterator[None]:
    """What is seen of these windows, from the outside in: what a widget holds has its type from it."""
    first()
    yield
    waiting = [top for top in reversed(tops()) if top.isVisible()]
    while waiting:
        widget = waiting.pop()
        if isValid(widget):
            _do(take, widget)
            done.add(widget)
            parts = widget.findChildren(QWidget, options=_DIRECTLY)
            waiting += [part for part in reversed(parts) if part.isVisible() and not part.isWindow()]
            yield


def _all_others(take: Take, tops: Tops, done: set[QWidget]) -> Iterator[None]:
    """All that was not seen."""
    for top in filter(isValid, tops()):
        parts = [part for part in top.findChildren(QWidget) if part.window() is top]
        yield
        for widget in (top, *parts):
            if isValid(widget) and widget not in done:
                _do(take, widget)
                yield


def _do(take: Take, widget: QWidget) -> None:
    """Have one widget take it; where it fails, the others do not go without."""
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
