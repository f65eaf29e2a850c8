"""Pages of the window: Look and Positions at once, Learn and Train made when they are first wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from viewer.document.session import Session
from viewer.document.training.training import Training
from viewer.pages.look.look_page import LookPage
from viewer.pages.positions.positions_page import PositionsPage
from viewer.pages.widgets.appearance import Appearance

if TYPE_CHECKING:
    from viewer.pages.learn.learn_page import LearnPage
    from viewer.pages.train.train_page import TrainPage

LOOK, POSITIONS, LEARN, TRAIN = range(4)


class Pages(QStackedWidget):
    """All pages, one of them in view.

    Attributes:
        look, positions: the pages that are there from the beginning.
        index: which is in view.

    Signals:
        shown: that page is in view, by its number.
        learn_made, train_made: the `LearnPage`, the `TrainPage` is there now.
    """

    shown = Signal(int)
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
        self._learn: LearnPage | None = None
        self._train: TrainPage | None = None
        self.look = LookPage(session, appearance, self)
        self.positions = PositionsPage(session, appearance, self)
        self.addWidget(self.look)
        self.addWidget(self.positions)

    @property
    def learn(self) -> LearnPage:
        """The Learn page."""
        if self._learn is None:
            from viewer.pages.learn.learn_page import LearnPage

            page = self._learn = LearnPage(self._session, self._appearance)
            page.set_plain(self._appearance.present)
            self.addWidget(page)
            self.learn_made.emit(page)
        return self._learn

    @property
    def train(self) -> TrainPage:
        """The Train page: its many fields take as long to make as all the rest of the window."""
        if self._train is None:
            from viewer.pages.train.train_page import TrainPage

            page = self._train = TrainPage(self._session, self._training, self._appearance)
            page.set_plain(self._appearance.present)
            self.addWidget(page)
            self.train_made.emit(page)
        return self._train

    def beside_look(self, index: int) -> PositionsPage | LearnPage | TrainPage:
        """The Positions (1), the Learn (2) or the Train (3) page."""
        if index == TRAIN:
            return self.train
        return self.learn if index == LEARN else self.positions

    @property
    def in_view(self) -> LookPage | PositionsPage | LearnPage | TrainPage:
        """The page in view."""
        current = self.currentWidget()
        made = (self.look, self.positions, self._learn, self._train)
        return next(page for page in made if page is not None and page is current)

    def show_page(self, index: int) -> None:
        """Show the Look (0), the Positions (1), the Learn (2) or the Train (3) page."""
        self.index = index
        self.setCurrentWidget(self.beside_look(index) if index else self.look)
        self.shown.emit(index)

    def show_look(self) -> None:
        """Show the Look page."""
        self.show_page(LOOK)

    def set_plain(self, on: bool) -> None:
        """Show nothing but the content, or all again."""
        self.look.set_plain(on)
        for page in (self._train, self._learn):
            if page is not None:
                page.set_plain(on)
