"""Reads the heads of a page beside the window, which shows them as they come."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.figures.heads.layout import HeadsGeometry
from viewer.figures.heads.paint import thumbnails_of
from viewer.figures.heads.thumbnails import Thumbnails
from viewer.pages.widgets.figure_view import FigureView
from viewer.pages.widgets.reader import Reader

_SHOW_EVERY_S = 0.05
_LATER = 1  # than the one map that somebody waits for


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
        self._reader = Reader(self, urgency=_LATER)
        self._reader.failed.connect(view.failed)
        self._reader.went_on.connect(self._show)
        self._reader.done.connect(self._end)

    @property
    def complete(self) -> bool:
        """Whether every head in view is read."""
        return not self._unread()

    def go_on(self) -> None:
        """Have the rest read; called whenever the view has drawn."""
        unread = self._unread()
        if unread:
            self._reader.read(tuple(map(id, unread)), partial(_reading, unread))

    def stop(self) -> None:
        """What nobody sees is not read."""
        self._reader.stop()

    def _unread(self) -> list[Thumbnails]:
        ratio = self._view.devicePixelRatioF()
        found = [thumbnails_of(each, ratio, ratio) for each in self._pages()]
        return [each for each in found if not each.complete]

    def _show(self) -> None:
        """Now and then."""
        if time.perf_counter() - self._shown_at > _SHOW_EVERY_S:
            self._shown_at = time.perf_counter()
            self._view.update()

    def _end(self) -> None:
        self._view.update()
        self.done.emit()


def _reading(unread: Sequence[Thumbnails]) -> Iterator[None]:
    """Layer by layer of all kinds."""
    left = [(each, each.reading()) for each in unread]
    while left:
        first = min(left, key=lambda each: each[0].read)
        if next(first[1], first) is first:
            left.remove(first)
        else:
            yield
