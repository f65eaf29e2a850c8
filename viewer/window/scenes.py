"""Scenes: where in the window a bookmark was made, and the way back there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject

from viewer.document.bookmarks import restored
from viewer.document.document import Bookmark
from viewer.document.scene import LEARN, LOOK, PAGES, POSITIONS, TRAIN, Place, Scene
from viewer.document.session import Session
from viewer.pages.looks.renewal import in_own_turn
from viewer.window.pages import Pages

if TYPE_CHECKING:
    from viewer.pages.learn.learn_page import LearnPage
    from viewer.pages.positions.positions_page import PositionsPage
    from viewer.pages.train.train_page import TrainPage


class WindowScenes(QObject):
    """Tells the session's bookmarks what is open, and opens what a bookmark holds."""

    def __init__(self, session: Session, pages: Pages, titles: Callable[[int], str]) -> None:
        """Begin to tell.

        Args:
            titles: what a page is called, by its number.
        """
        super().__init__(pages)
        self._session = session
        self._pages = pages
        self._titles = titles
        session.bookmarks.take_scenes(self.scene, self.name, self._is_on_look)
        session.bookmarks.shown.connect(self.show)
        self._opened: Mapping[str, Any] | None = None  # for a Learn page that is not there yet
        session.learn_state.take(self._learn_state)
        session.learn_state.opened.connect(self._restore_learn)
        self._wanted: Scene | None = None  # of a page that is not there yet
        pages.learn_made.connect(self._learn_made)
        for page, made in (
            (POSITIONS, pages.positions_made), (LEARN, pages.learn_made), (TRAIN, pages.train_made),
        ):  # fmt: skip
            made.connect(partial(self._page_made, page))

    def scene(self) -> Scene:
        """What is open now."""
        pages, lapse = self._pages, self._pages.look.time_lapse
        frame = lapse.frame if lapse.frame >= 0 else None
        page = PAGES[pages.index]
        if page == LOOK:
            look = pages.look
            return Scene(page, drawer=look.drawer.panel, inspector=look.inspected, frame=frame)
        tab, state = pages.beside_look(pages.index).scene()
        return Scene(page, tab, state, frame=frame)

    def _is_on_look(self) -> bool:
        return PAGES[self._pages.index] == LOOK

    def name(self) -> str:
        """What to call the scene: page and tab; empty in Look, where the map has a name."""
        index = self._pages.index
        if PAGES[index] == LOOK:
            return ""
        title = self._titles(index)
        tab = self._pages.beside_look(index).scene_name
        return f"{title}: {tab}" if tab else title

    def show(self, mark: Bookmark) -> None:
        """Open what was open when a bookmark was made; what it does not say stays as it is."""
        pages, scene = self._pages, mark.scene
        lapse = pages.look.time_lapse
        if scene.frame is not None and lapse.sequence is not None and scene.frame != lapse.frame:
            lapse.show(lapse.sequence.place(scene.frame))
            # A short frame may have cut off what was looked at.
            self._session.edit(restored(self._session.document, mark))
        # Another page is enough for one turn; before it nobody sees the new run on the old page.
        in_own_turn(pages, partial(self._open, scene))

    def go(self, place: Place) -> None:
        """Go where a part of the window leads."""
        if place.selection:
            self._session.select(**place.selection)
        self._open(place.scene)

    def _open(self, scene: Scene) -> None:
        pages, index = self._pages, PAGES.index(scene.page)
        self._wanted = None
        if scene.page == LOOK:
            pages.show_page(index)
            pages.look.show_panels(scene.drawer, scene.inspector)
        elif (page := pages.made(index)) is not None:
            pages.show_page(index)
            page.show_scene(scene.tab, scene.state)
        else:
            self._wanted = scene
            pages.show_page(index)

    def _page_made(self, name: str, page: PositionsPage | LearnPage | TrainPage) -> None:
        """It is made a part each turn, and may have been left for another page meanwhile."""
        scene = self._wanted
        if scene is not None and scene.page == name:
            self._wanted = None
            page.show_scene(scene.tab, scene.state)

    def _learn_state(self) -> Mapping[str, Any] | None:
        """What is open on the Learn page; what a session had, while nobody has looked at it."""
        page = self._pages.learn_page
        return self._opened if page is None else page.state()

    def _restore_learn(self, state: Mapping[str, Any]) -> None:
        page, self._opened, self._wanted = self._pages.learn_page, state, None
        if page is not None:
            page.restore(state)

    def _learn_made(self, page: LearnPage) -> None:
        if self._opened is not None:
            page.restore(self._opened)
