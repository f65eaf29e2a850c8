"""`Guidance`: what leads a person: the call-outs of a first start, then the tour, offered once."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from viewer.document.messages.notice import Notice
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance
from viewer.window.settings import Settings
from viewer.window.tour.acts import Acts
from viewer.window.tour.guide import Guide
from viewer.window.tour.tour import Tour


class Guidance(Guarded, QObject):
    """Shows one of the two at a time.

    Attributes:
        guide: the call-outs, once they were shown.
        tour: the tour, while somebody takes it.

    Signals:
        tour_ended: the keys are anybody's.
    """

    tour_ended = Signal()

    def __init__(
        self,
        session: Session,
        settings: Settings,
        appearance: Appearance,
        host: QWidget,
        page: LookPage,
        to_page: Callable[[], object],
    ) -> None:
        """Wait to be asked.

        Args:
            host: what both lie over.
            to_page: has `page` in view, at work.
        """
        super().__init__(host)
        self._session, self._settings, self._appearance = session, settings, appearance
        self._host, self._page, self._to_page = host, page, to_page
        self.guide: Guide | None = None
        self.tour: Tour | None = None

    def show_callouts(self) -> None:
        """Point at the three things to do first, once in a person's life."""
        if not self._settings.callouts_seen and self.guide is None:
            self.guide = Guide(self._session, self._settings, self._appearance, self._host, self._page)
            self.guide.finished.connect(self.offer_tour)

    def offer_tour(self) -> None:
        """Once, after the call-outs; it stays in the menu Help."""
        if not self._settings.tour_seen and self.tour is None and self._session.notice is None:
            self._settings.tour_seen = True
            self._session.set_notice(Notice("tour_offered"))

    def begin_tour(self) -> None:
        """Lead from a sentence to the next word, from the first step on."""
        self._lead(set())

    def take_offered_tour(self) -> None:
        """The same, without what was done by now."""
        self._lead(Acts.shown_by(self._session) | (set() if self.guide is None else self.guide.done))

    def leave(self) -> bool:
        """Take the tour or the call-outs away; False if there were none."""
        if self.tour is not None and self.tour.leave():
            return True
        return self.guide is not None and self.guide.leave()

    def set_visible(self, on: bool) -> None:
        """Show what there is, or hide it while it has no place."""
        if self.guide is not None:
            self.guide.callouts.set_visible(on)
        if self.tour is not None:
            self.tour.set_visible(on)

    def retranslate(self) -> None:
        """Take the language in force."""
        if self.guide is not None:
            self.guide.callouts.retranslate()

    def exported(self) -> None:
        """A step of the tour may be done that way too."""
        if self.tour is not None:
            self.tour.do("change")

    def _lead(self, done: set[str]) -> None:
        self._settings.tour_seen = True
        if self.guide is not None:
            self.guide.leave()
        if self.tour is not None:
            self.tour.leave()
        self._to_page()
        self.tour = Tour(self._session, self._appearance, self._host, self._page, done)
        self.tour.ended.connect(self._ended)

    def _ended(self) -> None:
        tour, self.tour = self.tour, None
        if tour is not None:
            tour.deleteLater()
        self.tour_ended.emit()
