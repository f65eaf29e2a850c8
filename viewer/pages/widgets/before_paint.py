"""BeforePaint: what a widget does once before its window's next frame, however often it was asked."""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, QEvent, QObject, Qt, QThread
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from viewer.giving_way import frame, make_way
from viewer.guarded import Guarded
from viewer.own_turn import OwnTurn

_SLICE_S = 0.008  # of what waits for a frame; what takes no longer has its turn
_MOST_TURNS = 6  # of that, however much of it comes


def seen(widget: QWidget) -> bool:
    """Whether frames of the widget are painted: it is not hidden, and its window not minimised."""
    return widget.isVisible() and not widget.window().isMinimized()


def _have_frame(widget: QWidget) -> None:
    """Have its window paint a frame: one pixel of it, for what the work changes asks for itself.

    Of a whole pane the head would be painted with every head that is looked at, twenty widgets for nothing.
    """
    widget.update(0, 0, 1, 1)


class BeforePaint(QObject):
    """Work of a widget that is put off until the frame that shows what it did.

    A token of a live translation comes with several signals, and more of them with the next token may come
    before a frame is painted: all of them together make one piece of work. A widget that nobody sees does
    none; its `showEvent` calls `shown`. Whoever needs what the work does at once calls `now`.
    """

    def __init__(self, widget: QWidget, work: Callable[[], object]) -> None:
        super().__init__(widget)
        self.widget = widget
        self._work = work
        self._waiting = False

    @property
    def waiting(self) -> bool:
        """Whether there is work that is not done yet."""
        return self._waiting

    def ask(self) -> None:
        """Do the work before the next frame; of a widget that is not seen, once it is shown."""
        self._waiting = True
        if self.widget.isVisible():
            _Frames.of(self.widget.window()).add(self)

    def now(self) -> None:
        """Do the work that is waiting."""
        if self._waiting:
            self._waiting = False
            self._work()

    def shown(self) -> None:
        """The widget is shown: its first frame has to be right."""
        if seen(self.widget):
            self.now()
        elif self._waiting:
            self.ask()


def ready_frame(window: QWidget, seconds: float = math.inf) -> bool:
    """Do now what is to be done before the window's next frame, while it paints none.

    Args:
        seconds: begin nothing more once it took so long.

    Returns:
        False where something may be left: it took longer.
    """
    frames = _Frames.found(window)
    return frames is None or frames.do(seconds) <= seconds


class _Frames(Guarded, QObject):
    """Does what is waiting in one window before the window paints.

    What a person asked for, what waited for the frame that shows it, and the frame would be one stretch in
    which nobody is heard: the frame, and what waited for it, has a turn of the event loop of its own; what
    waited and takes long has several before.
    """

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self._waiting: list[BeforePaint] = []
        self._painting = False
        self._turns = 0  # of work since the last frame
        self._turn = OwnTurn(self._next_turn, self)
        window.installEventFilter(self)

    @classmethod
    def of(cls, window: QWidget) -> _Frames:
        """The window's."""
        return cls.found(window) or cls(window)

    @classmethod
    def found(cls, window: QWidget) -> _Frames | None:
        """The window's, if something of it ever waited."""
        found = window.findChild(cls, options=Qt.FindChildOption.FindDirectChildrenOnly)
        return found if isinstance(found, cls) else None

    def add(self, work: BeforePaint) -> None:
        """Have it done before the next frame, and have there be one."""
        if work not in self._waiting:
            self._waiting.append(work)
        if seen(work.widget):
            _have_frame(work.widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """The window is about to paint, or is seen again."""
        if event.type() == QEvent.Type.UpdateRequest:
            if not self._window.updatesEnabled():
                return True  # there is more to come before a frame
            if not self._painting and QThread.currentThread().loopLevel():
                make_way()
                self._turn.ask()
                return True
            self.do()  # it paints now; where no loop turns there is no next turn
        elif event.type() == QEvent.Type.WindowStateChange:
            for work in filter(isValid, self._waiting):
                _have_frame(work.widget)
        return False

    def _next_turn(self) -> None:
        """What waits for the frame that was put off; and once that is done, the frame."""
        if not self._window.updatesEnabled():
            return  # there is more to come, and who holds the frame asks for it then
        if self._turns < _MOST_TURNS and self.do(_SLICE_S) > _SLICE_S:
            self._turns += 1
            self._turn.ask()
        else:
            self._turns = 0
            self._paint()

    def _paint(self) -> None:
        self._painting = True
        try:
            with frame():
                QCoreApplication.sendEvent(self._window, QEvent(QEvent.Type.UpdateRequest))
        finally:
            self._painting = False

    def do(self, seconds: float = math.inf) -> float:
        """What waits, in the order asked; once it took so long, what is left goes on waiting.

        Returns:
            Seconds that it took.
        """
        if not self._waiting:
            return 0.0
        began = time.monotonic()
        works, self._waiting = self._waiting, []
        for place, work in enumerate(works):
            if time.monotonic() - began > seconds:
                self._waiting = works[place:] + [one for one in self._waiting if one not in works[place:]]
                return time.monotonic() - began
            if not isValid(work):
                continue  # it went with its widget
            if seen(work.widget):
                try:
                    work.now()
                except Exception:
                    sys.excepthook(*sys.exc_info())  # the others' work, and the frame, are not lost with it
            elif work.widget.isVisible():
                self._waiting.append(work)  # the window is minimised
        # What became wider or higher takes its place in this frame, not in the next.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.LayoutRequest.value)
        return time.monotonic() - began
