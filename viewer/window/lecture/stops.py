"""`Stops`: goes to bookmarks one by one and takes the figure of each; then the window is as it was."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtCore import QElapsedTimer, QObject
from PySide6.QtGui import QPixmap

from model.errors import HeadscopeError
from viewer.document.bookmarks import restored
from viewer.document.document import Bookmark
from viewer.document.session import Session
from viewer.figures.building import build_figure
from viewer.figures.figure import AnyFigure
from viewer.figures.request import ExportRequest, Page, Source
from viewer.window.exporting import Exporting
from viewer.window.pages import Pages
from viewer.window.scenes import WindowScenes

_SETTLES_MS = 100  # for a page to lay itself out
_APPEARS_MS = 1200  # for its figure to be there, if it has one
_PATIENCE_MS = 6000  # while the model works; then what there is of it is taken


@dataclass(frozen=True, eq=False)
class Taken:
    """What a stop shows.

    Attributes:
        source, request: what an export of it would draw.
        figure: the same, built; None where the stop shows no figure.
    """

    source: Source
    request: ExportRequest
    figure: AnyFigure | None


class Stops(QObject):
    """Nothing here waits: who asks too early is told to ask again."""

    def __init__(self, session: Session, pages: Pages, exporting: Exporting, scenes: WindowScenes) -> None:
        super().__init__(pages)
        self._session = session
        self._pages = pages
        self._exporting = exporting
        self._scenes = scenes
        self._home: Bookmark | None = None
        self._at: Bookmark | None = None
        self._since = QElapsedTimer()

    def take(self, mark: Bookmark) -> Taken | None:
        """What a bookmark shows; None: not yet, the window is on its way there."""
        if self._at is not mark:
            if self._home is None:
                self._home = Bookmark("", self._session.pane(), self._scenes.scene())
            self._at = mark
            self._go(mark)
            self._since.start()
            return None
        waited, session = self._since.elapsed(), self._session
        busy = session.loading is not None or session.job.busy
        if waited < _SETTLES_MS or (busy and waited < _PATIENCE_MS):
            return None
        taken = self._shown()
        if taken.figure is None and waited < _APPEARS_MS:
            return None
        return taken

    def grabbed(self) -> QPixmap:
        """The page in view, as it is."""
        return self._pages.in_view.grab()

    def leave(self) -> None:
        """Go back to where the window was before the first stop."""
        home, self._home, self._at = self._home, None, None
        if home is not None:
            self._go(home)

    def _go(self, mark: Bookmark) -> None:
        self._session.edit(restored(self._session.document, mark))
        self._scenes.show(mark)

    def _shown(self) -> Taken:
        exporting, pages = self._exporting, self._pages
        source, request, page = exporting.context().source, exporting.request(), pages.in_view
        drawer = pages.look.drawer
        if page is pages.look and drawer.panel:
            # What was opened is what the stop is about.
            figure = drawer.view(drawer.panel).figure()
            if figure is not None:
                source = replace(source, page=Page(figure, drawer.panel.replace("_", "-")))
            return Taken(source, request.but(view="page"), figure)
        if page is not pages.look and source.page is None and request.view != "positions":
            return Taken(source, request, None)
        try:
            return Taken(source, request, build_figure(source, request))
        except HeadscopeError:
            return Taken(source, request, None)
