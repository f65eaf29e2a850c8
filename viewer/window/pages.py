"""Pages of the window: Look at once, the others imported and made when they are first wanted."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.lazy import Lazy, LazyStack, Parts

if TYPE_CHECKING:
    from viewer.pages.learn.learn_page import LearnPage
    from viewer.pages.positions.positions_page import PositionsPage
    from viewer.pages.train.train_page import TrainPage

LOOK, POSITIONS, LEARN, TRAIN = range(4)


class Pages(LazyStack):
    """All pages, one of them in view.

    Attributes:
        look: the page that is there from the beginning.
        index: which is in view.

    Signals:
        shown: that page is in view, by its number.
        positions_made, learn_made, train_made: the `PositionsPage`, the `LearnPage`, the `TrainPage` is
            there now.
    """

    shown = Signal(int)
    positions_made = Signal(object)
    learn_made = Signal(object)
    train_made = Signal(object)

    def __init__(
        self, session: Session, training: Training, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._training = training
        self._appearance = appearance
        self.index = LOOK
        self.look = LookPage(session, appearance, self)
        self.addWidget(self.look)
        self.setCurrentWidget(self.look)
        self._positions = Lazy(self._make_positions, ("viewer.pages.positions.positions_page",))
        first_lesson = "viewer.pages.learn.architecture.architecture_view"
        self._learn = Lazy(self._make_learn, ("viewer.pages.learn.learn_page", first_lesson))
        self._train = Lazy(self._make_train, ("viewer.pages.train.train_page",))
        self._beside: dict[int, Lazy[Any]] = {
            POSITIONS: self._positions,
            LEARN: self._learn,
            TRAIN: self._train,
        }

    @property
    def positions(self) -> PositionsPage:
        """The Positions page."""
        return self.whole(self._positions)

    @property
    def learn(self) -> LearnPage:
        """The Learn page."""
        return self.whole(self._learn)

    @property
    def learn_page(self) -> LearnPage | None:
        """The Learn page if somebody has looked at it."""
        return self._learn.made

    @property
    def train_page(self) -> TrainPage | None:
        """The Train page if somebody has looked at it."""
        return self._train.made

    @property
    def train(self) -> TrainPage:
        """The Train page: its many fields take as long to make as all the rest of the window."""
        return self.whole(self._train)

    def _make_positions(self) -> Parts[PositionsPage]:
        from viewer.pages.positions.positions_page import PositionsPage

        page = PositionsPage(self._session, self._appearance, self, at_once=False)
        yield from page.parts
        yield
        self.addWidget(page)
        self.positions_made.emit(page)
        return page

    def _make_learn(self) -> Parts[LearnPage]:
        from viewer.pages.learn.learn_page import LearnPage

        page = LearnPage(self._session, self._appearance, self, at_once=False)
        yield from page.parts
        yield
        page.set_plain(self._appearance.present)
        self.addWidget(page)
        self.learn_made.emit(page)
        return page

    def _make_train(self) -> Parts[TrainPage]:
        from viewer.pages.train.train_page import TrainPage

        page = TrainPage(self._session, self._training, self._appearance, self, at_once=False)
        yield from page.parts
        yield
        page.set_plain(self._appearance.present)
        self.addWidget(page)
        self.train_made.emit(page)
        return page

    def ahead(self) -> Iterator[None]:
        """Make the panels and pages that nobody has looked at yet, a part each time the next is asked for.

        Each is its parent's from the beginning: Qt styles all that a widget holds anew when it moves.
        """
        for panels in (self.look.inspector.panels, self.look.drawer.panels):
            yield from panels.ahead()
        for page in (self._train, self._learn, self._positions):
            yield from page.ahead()
        yield from self.train.ahead()  # after every page: only a run needs it

    def made(self, index: int) -> PositionsPage | LearnPage | TrainPage | None:
        """That page if it is there already."""
        page: PositionsPage | LearnPage | TrainPage | None = self._beside[index].made
        return page

    def beside_look(self, index: int) -> PositionsPage | LearnPage | TrainPage:
        """The Positions (1), the Learn (2) or the Train (3) page."""
        if index == TRAIN:
            return self.train
        return self.learn if index == LEARN else self.positions

    @property
    def in_view(self) -> LookPage | PositionsPage | LearnPage | TrainPage:
        """The page in view."""
        return self.beside_look(self.index) if self.index else self.look

    def show_page(self, index: int) -> None:
        """Show the Look (0), the Positions (1), the Learn (2) or the Train (3) page, once it is made."""
        self.index = index
        if index == LOOK:
            self.show_other(self.look)
        else:
            self.show_lazy(self._beside[index])
        self.shown.emit(index)

    def show_look(self) -> None:
        """Show the Look page."""
        self.show_page(LOOK)

    def translate_file(self, path: str) -> None:
        """Have the sentences of a file translated in the drawer of the Look page."""
        self.show_look()
        self.look.show_panels("sentences", None)
        self._session.sentences.open(path)

    def show_compare(self) -> None:
        """Show the run in view beside the pinned one."""
        self.look.show_panels("compare", None)

    def set_plain(self, on: bool) -> Iterator[None]:
        """Show nothing but the content, or all again; in parts, as the Look page does."""
        yield from self.look.set_plain(on)
        for page in (self._train.made, self._learn.made):
            if page is not None:
                yield
                page.set_plain(on)
