"""`Renewal`: another theme, type or language, taken at once by what is seen, by all else soon after.

Of thousands of widgets a person sees one or two hundred. Qt would give a style sheet or a language to all of
them in one go, and keep the window's thread for most of a second. Here those that are seen have the event
loop's next turns, the others slices of those that follow, in which the window goes on answering. Nothing is
painted before all that is seen is done: there is no frame in two themes. What else changes so much of a
window that it takes several turns is done in the same way, by `in_turns`.
"""

from __future__ import annotations

import math
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import astuple
from functools import partial
from itertools import islice
from types import FunctionType
from typing import TypeVar

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QTimer
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from viewer.guarded import Guarded
from viewer.icons import recoloured
from viewer.pages.looks.rehearsal import rehearse
from viewer.pages.looks.stylesheet import has_sheet, take_sheet
from viewer.pages.widgets.appearance import Appearance, take_type
from viewer.pages.widgets.before_paint import ready_frame
from viewer.pages.widgets.buttons import Label

K = TypeVar("K")
Take = Callable[[QWidget], None]
"""What a widget does to take what is in force."""
Tops = Callable[[], list[QWidget]]
"""The windows whose widgets do, asked for when it comes to that: there may be more by then."""
_DIRECTLY = Qt.FindChildOption.FindDirectChildrenOnly
_ENOUGH = 8  # widgets: one of them stays where it is, and nothing lies over it


class Renewal(Guarded, QObject):
    """Renews the widgets of a window, of what stands beside it, and of what lies over it.

    Attributes:
        seen_s: seconds for which those that are seen keep the thread at a stretch.
        slice_s: the same of those that nobody sees.
    """

    seen_s, slice_s = 0.012, 0.010

    def __init__(self, window: QWidget, appearance: Appearance) -> None:
        super().__init__(window)
        self._window, self._appearance = window, appearance
        self._steps: deque[Iterator[object]] = deque()
        self._stepping = False
        self._seen: dict[Take, Iterator[None]] = {}
        self._others: dict[Take, Iterator[None]] = {}
        self._after: deque[Callable[[], object]] = deque()
        self._held: list[QWidget] = []
        self._palette = appearance.palette
        self._icons: dict[None, Iterator[None]] = {}  # to be drawn in its colours
        self._untold = 0  # how often those who measure by their type have to hear of it
        self._ready = False  # what waited for the next frame is done
        self._rehearsals: dict[QWidget, Iterator[None]] = {}
        # Started anew after each slice: whatever became due meanwhile comes first.
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._next_turn)
        window.installEventFilter(self)
        appearance.chosen.connect(self.restyle)

    @property
    def busy(self) -> bool:
        """Whether some have not taken it yet."""
        return bool(self._steps or self._seen or self._held or self._others or self._untold)

    def restyle(self) -> None:
        """Take the theme and type in force."""
        take_type(self._appearance)
        tops = QApplication.topLevelWidgets
        if has_sheet():
            # Before, since Qt keeps sizes that it has asked for; then what is seen; then all.
            self._untold = 3
            before, self._palette = self._palette, self._appearance.palette
            if before != self._palette:
                self._icons = {None: recoloured(dict(zip(astuple(before), astuple(self._palette))))}
            self._renew(_take_style, tops, partial(take_sheet, self._appearance))
        else:
            take_sheet(self._appearance)
            self._renew(_remeasure, tops)

    def do(self, steps: Iterator[object]) -> None:
        """Do what changes much of the window, each step in a turn of its own, before it is painted again.

        The first step is done at once, and before it what is left of earlier ones; what comes of something
        that is done here waits until that is over.
        """
        self._hold([self._window])
        while self._steps and not self._stepping:
            self._step()
        self._steps.append(steps)
        if not self._stepping:
            self._step()
            self._begin()

    def do_after(self, work: Callable[[], object]) -> None:
        """Do something before the window is painted again, once all that is seen has what is in force."""
        if self._held:
            self._after.append(work)
        else:
            work()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window would hand another language on to all its parts; other windows hear of it themselves."""
        if event.type() != QEvent.Type.LanguageChange or watched is not self._window:
            return False
        self._renew(_take_language, lambda: [self._window])
        return True

    def _renew(self, take: Take, tops: Tops, first: Callable[[], object] = lambda: None) -> None:
        """Have all that these windows hold take it, once something else is done."""
        self._hold(tops())
        done: set[QWidget] = set()
        self._seen[take] = _all_seen(take, tops, done, first)
        self._others[take] = _all_others(take, tops, done)
        if not self._at_once:
            self._rehearsals = {top: rehearse(top) for top in self._held}
        self._begin()

    def _hold(self, tops: list[QWidget]) -> None:
        """Let nothing of these windows be painted until all is done."""
        self._ready = False
        self._held += [top for top in tops if top.isVisible() and top not in self._held]
        for top in filter(isValid, self._held):
            if top.updatesEnabled():
                _keep_from_two_frames(top)
            top.setUpdatesEnabled(False)

    @property
    def _at_once(self) -> bool:
        return not self._window.isVisible() or self.slice_s == math.inf

    def _begin(self) -> None:
        if self._stepping:
            return  # it goes on after that step
        if self._at_once:
            while self.busy:
                self._go_on()
        elif not self._timer.isActive():
            self._timer.start(0)

    def _next_turn(self) -> None:
        try:
            self._go_on()
        finally:
            if self.busy:
                self._timer.start(0)

    def _go_on(self) -> None:
        if self._steps:
            self._step()
        elif self._icons:
            _spend(self._icons, self.seen_s)
        elif self._untold == 3:
            self._tell()
        elif self._seen:
            _spend(self._seen, self.seen_s)
        elif self._untold == 2:
            self._tell()
        elif self._held:
            self._go_on_to_frame()
        elif self._others:
            _spend(self._others, self.slice_s)
        elif self._untold:
            self._tell()

    def _go_on_to_frame(self) -> None:
        """All that is seen has taken it: what is left before it is painted, and then that it is."""
        if not self._ready:
            self._ready = all(ready_frame(top, self.seen_s) for top in filter(isValid, self._held))
        elif self._after:
            _attempt(self._after.popleft())
            self._ready = False
        elif self._rehearsals:
            _spend(self._rehearsals, self.seen_s)
        else:
            held, self._held = self._held, []
            for top in filter(isValid, held):
                top.setUpdatesEnabled(True)
                # A request that came while nothing was painted is lost, and Qt thinks that one is on its way.
                QCoreApplication.postEvent(top, QEvent(QEvent.Type.UpdateRequest))

    def _step(self) -> None:
        """The next of what is to be done; when one fails, those that were to follow are left."""
        steps, self._stepping = self._steps[0], True
        try:
            next(steps)
        except StopIteration:
            self._steps.popleft()
        except Exception:
            self._steps.popleft()
            sys.excepthook(*sys.exc_info())
        finally:
            self._stepping = False

    def _tell(self) -> None:
        """Whoever measures by the type that a widget has measures again."""
        self._untold -= 1
        self._stepping = True
        try:
            self._appearance.changed.emit()
        finally:
            self._stepping = False


def in_turns(widget: QWidget, steps: Iterator[object]) -> None:
    """Do what changes much of a widget's window step by step, each in a turn of the event loop.

    The first is done at once; nothing is painted before all are done. In a window that has no `Renewal` all
    are done at once.
    """
    renewal = _renewal_of(widget)
    if renewal is None:
        deque(steps, maxlen=0)
    else:
        renewal.do(steps)


def in_own_turn(widget: QWidget, work: Callable[[], object]) -> None:
    """Do something in the event loop's next turn, before the widget's window is painted again."""

    def steps() -> Iterator[None]:
        yield
        work()

    in_turns(widget, steps())


def once_taken(widget: QWidget, work: Callable[[], object]) -> None:
    """Do something once all that is seen has taken what is in force; before, the window paints nothing."""
    renewal = _renewal_of(widget)
    if renewal is None:
        work()
    else:
        renewal.do_after(work)


def _renewal_of(widget: QWidget) -> Renewal | None:
    """That of the window in which a widget is."""
    found = widget.window().findChild(Renewal, options=_DIRECTLY)
    return found if isinstance(found, Renewal) else None


def _keep_from_two_frames(top: QWidget) -> None:
    """Have a little of a window painted with the next frame, before it is held.

    Once a window may be painted again, Qt has it and then each widget in it asked for. An opaque window that
    comes first is painted with all that it holds, and then the widgets once more, in the same frame; what
    touches something that was asked for before it is painted together with that, once.
    """
    for widget in islice(filter(_is_plain, _leaves(top)), _ENOUGH):
        widget.update(0, 0, 1, 1)


def _leaves(widget: QWidget) -> Iterator[QWidget]:
    """The visible widgets in it that hold none themselves."""
    inside = [child for child in widget.children() if isinstance(child, QWidget) and not child.isWindow()]
    for child in inside:
        if child.isVisible():
            yield from _leaves(child)
    if not inside:
        yield widget


def _is_plain(widget: QWidget) -> bool:
    """Whether what is behind it can show through."""
    return not (widget.autoFillBackground() or widget.testAttribute(Qt.WidgetAttribute.WA_OpaquePaintEvent))


def _spend(work: dict[K, Iterator[None]], seconds: float) -> None:
    """As much of it as there is time for."""
    until = time.monotonic() + seconds
    for key, steps in list(work.items()):
        for _ in steps:
            if time.monotonic() > until:
                return
        del work[key]


def _all_seen(take: Take, tops: Tops, done: set[QWidget], first: Callable[[], object]) -> Iterator[None]:
    """What is seen of these windows, from the outside in: what a widget holds has its type from it.

    What is hidden in a row that measures by it counts as seen: else the row would change after its frame.
    """
    first()
    yield
    waiting = [top for top in reversed(tops()) if top.isVisible()]
    while waiting:
        widget = waiting.pop()
        if isValid(widget):
            _attempt(partial(take, widget))
            done.add(widget)
            parts = widget.findChildren(QWidget, options=_DIRECTLY)
            hidden = getattr(widget, "measures_hidden", False)
            waiting += [
                part for part in reversed(parts) if (hidden or part.isVisible()) and not part.isWindow()
            ]
            yield


def _all_others(take: Take, tops: Tops, done: set[QWidget]) -> Iterator[None]:
    """All that was not seen."""
    for top in filter(isValid, tops()):
        parts = [part for part in top.findChildren(QWidget) if part.window() is top]
        yield
        for widget in (top, *parts):
            if isValid(widget) and widget not in done:
                _attempt(partial(take, widget))
                yield


def _attempt(work: Callable[[], object]) -> None:
    """Do it; where it fails, all else is done nevertheless."""
    try:
        work()
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
