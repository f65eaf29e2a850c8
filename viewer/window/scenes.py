"""Scenes: where in the window a bookmark was made, and the way back there."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject

from viewer.document.bookmarks import restored
from viewer.document.document import Bookmark
from viewer.document.scene import LOOK, PAGES, Scene
from viewer.document.session import Session
from viewer.window.pages import Pages


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
        session.bookmarks.take_scenes(self.scene, self.name)
        session.bookmarks.shown.connect(self.show)

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
        index = PAGES.index(scene.page)
        pages.show_page(index)
        if scene.page == LOOK:
            pages.look.show_panels(scene.drawer, scene.inspector)
        else:
            pages.beside_look(index).show_scene(scene.tab, scene.state)
