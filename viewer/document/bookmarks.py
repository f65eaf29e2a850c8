"""Bookmarks: views that were given a name, to be come back to one after the other. QtCore only."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from PySide6.QtCore import QCoreApplication, QObject, Signal, SignalInstance

from model.trace.trace import AttentionKind, Trace
from viewer.document.document import LONGEST_NAME, LONGEST_NOTE, Bookmark, Document, Pane
from viewer.document.history import Change
from viewer.document.scene import LOOK, Scene
from viewer.document.selection import GRAPH_VIEW, Selection
from viewer.document.text.place_text import map_place
from viewer.document.text.token_text import made_of


class BookmarkedSession(Protocol):
    """What the bookmarks need of `viewer.document.session.Session`."""

    bookmarks_changed: SignalInstance

    @property
    def document(self) -> Document:
        """Where they are held."""

    def pane(self) -> Pane | None:
        """The active pane."""

    def trace(self) -> Trace | None:
        """The trace that it shows."""

    def edit(self, after: Document, change: Change | None = None) -> None:
        """Take a document."""


class Bookmarks(QObject):
    """The bookmarks of a session's document and the one that was last gone to; numbers count from 0.

    Signals:
        changed: the bookmarks, or which was last gone to.
        shown: this `Bookmark` was gone to: its run is in view, and its scene is to be opened.
    """

    changed = Signal()
    shown = Signal(object)

    def __init__(self, session: BookmarkedSession, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._at = -1
        self._mark: Bookmark | None = None  # what is there: undoing may put it in another place
        self._scene: Callable[[], Scene] = Scene
        self._scene_name: Callable[[], str] = str
        self._is_on_look: Callable[[], bool] = lambda: True
        session.bookmarks_changed.connect(self._follow)

    @property
    def all(self) -> tuple[Bookmark, ...]:
        """All of them, in their order."""
        return self._session.document.bookmarks

    @property
    def at(self) -> int:
        """The one that was last gone to or made, -1 before the first."""
        return self._at

    def take_scenes(
        self, scene: Callable[[], Scene], name: Callable[[], str], is_on_look: Callable[[], bool]
    ) -> None:
        """Ask these where in the window a bookmark is made, and what to call that; empty for the map.

        Args:
            is_on_look: whether that is on the Look page, which needs a run to come back to.
        """
        self._scene, self._scene_name, self._is_on_look = scene, name, is_on_look

    @property
    def possible(self) -> bool:
        """Whether there is something to come back to."""
        there = self._session.pane() is not None and self._session.trace() is not None
        return there or not self._is_on_look()

    def default_name(self) -> str:
        """What the view of the active pane is called if the user has no better name; empty without one."""
        if name := self._scene_name():
            return name
        pane, trace = self._session.pane(), self._session.trace()
        return "" if pane is None or trace is None else view_name(trace, pane.selection)

    def add(self, name: str = "", note: str = "") -> None:
        """Give the view of the active pane a name, an own one if `name` is empty; and a note.

        Without a run there is nothing on Look to come back to; other pages have their own.
        """
        pane, scene = self._session.pane(), self._scene()
        if pane is not None or scene.page != LOOK:
            mark = Bookmark(_tidy(name) or self.default_name(), pane, scene, note[:LONGEST_NOTE])
            self._edit((*self.all, mark), len(self.all))

    def rename(self, index: int, name: str) -> None:
        """Give a bookmark another name; an empty one changes nothing."""
        if 0 <= index < len(self.all) and _tidy(name):
            changed = replace(self.all[index], name=_tidy(name))
            self._edit((*self.all[:index], changed, *self.all[index + 1 :]), self._at)

    def annotate(self, index: int, note: str) -> None:
        """Say what is to be said at a bookmark."""
        if 0 <= index < len(self.all) and self.all[index].note != note[:LONGEST_NOTE]:
            changed = replace(self.all[index], note=note[:LONGEST_NOTE])
            self._edit((*self.all[:index], changed, *self.all[index + 1 :]), self._at)

    def remove(self, index: int) -> None:
        """Forget a bookmark."""
        if 0 <= index < len(self.all):
            at = self._at - (self._at >= index)
            self._edit((*self.all[:index], *self.all[index + 1 :]), at)

    def move(self, index: int, to: int) -> None:
        """Put a bookmark in another place."""
        marks = list(self.all)
        if not (0 <= index < len(marks) and 0 <= to < len(marks)) or index == to:
            return
        order = list(range(len(marks)))
        order.insert(to, order.pop(index))
        at = order.index(self._at) if self._at >= 0 else self._at
        self._edit(tuple(marks[place] for place in order), at)

    def show(self, index: int) -> None:
        """Show a bookmark's run as it was looked at, in the active pane, and what was open besides."""
        if not 0 <= index < len(self.all):
            return
        moved = self._at != index
        self._at, self._mark = index, self.all[index]
        self._session.edit(restored(self._session.document, self.all[index]))
        self.shown.emit(self._mark)
        if moved:
            self.changed.emit()

    def step(self, by: int) -> None:
        """Go to the next bookmark (1) or the one before (-1); at either end stay there."""
        if self.all:
            self.show(min(max(0, self._at + by), len(self.all) - 1))

    def begin(self) -> None:
        """Be before the first: a lecture that was opened begins."""
        if self._at >= 0:
            self._at, self._mark = -1, None
            self.changed.emit()

    def _edit(self, marks: tuple[Bookmark, ...], at: int) -> None:
        self._at, self._mark = at, marks[at] if at >= 0 else None
        self._session.edit(self._session.document.but(bookmarks=marks), Change.BOOKMARK)

    def _follow(self) -> None:
        if self._mark in self.all:
            if self.all[self._at : self._at + 1] != (self._mark,):
                self._at = self.all.index(self._mark)
        else:
            self._at = min(self._at, len(self.all) - 1)
            self._mark = self.all[self._at] if self._at >= 0 else None
        self.changed.emit()


def restored(document: Document, mark: Bookmark) -> Document:
    """The document with a bookmark's view in its active pane."""
    run = document.run(mark.run_id)
    if run is None or mark.pane is None:
        return document
    shown = Pane(run.id, mark.pane.selection.within(run.trace))
    panes = tuple(shown if i == document.active else pane for i, pane in enumerate(document.panes))
    return document.but(panes=panes)


def view_name(trace: Trace, selection: Selection) -> str:
    """Such as "Decoder layer 2, head 3, step 5"; the encoder's maps have no step, the graph only a step."""
    if selection.view == GRAPH_VIEW and 0 <= selection.step < trace.steps:
        return made_of(trace, selection.step)
    place = map_place(selection.kind, selection.layer, selection.head, trace.heads(selection.kind))
    if selection.kind is AttentionKind.ENCODER_SELF or selection.step < 0:
        return place
    text = QCoreApplication.translate("Bookmarks", "{place}, step {step}")
    return text.format(place=place, step=selection.step + 1)


def _tidy(name: str) -> str:
    return " ".join(name.split())[:LONGEST_NAME]
