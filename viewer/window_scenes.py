"""Where in the window a bookmark was made, and the way back there."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from viewer.state.bookmarks import restored
from viewer.state.document import Bookmark
from viewer.state.scene import LOOK, PAGES, Scene
from viewer.state.session import Session

if TYPE_CHECKING:
    from viewer.main_window import MainWindow


class WindowScenes(QObject):
    """Tells the session's bookmarks what is open, and opens what a bookmark holds."""

    def __init__(self, window: MainWindow, session: Session) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        session.bookmarks.take_scenes(self.scene, self.name)
        session.bookmarks.shown.connect(self.show)

    def scene(self) -> Scene:
        """What is open now."""
        window, lapse = self._window, self._window.look_page.time_lapse
        frame = lapse.frame if lapse.frame >= 0 else None
        page = PAGES[window.page]
        if page == LOOK:
            look = window.look_page
            return Scene(page, drawer=look.drawer.panel, inspector=look.inspected, frame=frame)
        tab, state = window.page_of(window.page).scene()
        return Scene(page, tab, state, frame=frame)

    def name(self) -> str:
        """What to call the scene: page and tab; empty in Look, where the map has a name."""
        window = self._window
        if PAGES[window.page] == LOOK:
            return ""
        title = window.top.pages[window.page].text()
        tab = window.page_of(window.page).scene_name
        return f"{title}: {tab}" if tab else title

    def show(self, mark: Bookmark) -> None:
        """Open what was open when a bookmark was made; what it does not say stays as it is."""
        window, scene = self._window, mark.scene
        lapse = window.look_page.time_lapse
        if scene.frame is not None and lapse.sequence is not None and scene.frame != lapse.frame:
            lapse.show(lapse.sequence.place(scene.frame))
            # A short frame may have cut off what was looked at.
            self._session.edit(restored(self._session.document, mark))
        index = PAGES.index(scene.page)
        window.show_page(index)
        if scene.page == LOOK:
            window.look_page.show_panels(scene.drawer, scene.inspector)
        else:
            window.page_of(index).show_scene(scene.tab, scene.state)
