"""Reads the heads of a page a few milliseconds at a time, so that the window answers while they appear."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal

from model.errors import HeadscopeError
from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint import thumbnails_of
from viewer.figures.heads.thumbnails import Thumbnails
from viewer.pages.widgets.figure_view import FigureView

_SLICE_S = 0.012
_SHOW_EVERY_S = 0.05


class HeadReading(QObject):
    """For a view that draws its heads with `DrawOptions.lazy`.

    Signals:
        done: the last head has been read.
    """

    done = Signal()

    def __init__(self, view: FigureView[Any, Any], pages: Callable[[], Sequence[HeadsGeometry]]) -> None:
        """Args: pages: where the heads of each kind in view stand now."""
        super().__init__(view)
        self._view, self._pages = view, pages
        self._shown_at = 0.0
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._read_some)

    @property
    def complete(self) -> bool:
        """Whether every head in view is read."""
        return not self._unread()

    def go_on(self) -> None:
        """Have the rest read; called whenever the view has drawn."""
        if not self._timer.isActive() and not self.complete:
            self._timer.start()

    def stop(self) -> None:
        """What nobody sees is not read."""
        self._timer.stop()

    def _unread(self) -> list[Thumbnails]:
        ratio = self._view.devicePixelRatioF()
        found = [thumbnails_of(each, ratio, ratio) for each in self._pages()]
        return [each for each in found if not each.complete]

    def _read_some(self) -> None:
        """Layer by layer of all kinds, shown now and then."""
        if self._view.stale:
            self._timer.stop()  # goes on once the next figure is drawn
            return
        unread = self._unread()
        end = time.perf_counter() + _SLICE_S
        try:
            while unread and time.perf_counter() < end:
                min(unread, key=lambda each: each.read).read_next()
                unread = [each for each in unread if not each.complete]
        except HeadscopeError as error:
            unread = []
            self._view.failed.emit(error)
        if not unread:
            self._timer.stop()
        if not unread or time.perf_counter() - self._shown_at > _SHOW_EVERY_S:
            self._shown_at = time.perf_counter()
            self._view.update()
        if not unread:
            self.done.emit()
