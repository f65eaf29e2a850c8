"""`Guide`: the first start's call-outs, shown once, each taken away when what it asks for was done."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from model.abilities import can_compute
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.look_page import LookPage
from viewer.pages.widgets.appearance import Appearance
from viewer.window.settings import Settings
from viewer.window.tour.callouts import Callouts

TYPE, STEP, HEAD = range(3)


class Guide(Guarded, QObject):
    """Watches the session and dismisses the call-outs.

    Attributes:
        callouts: the call-outs themselves.
        done: what was done of what they ask for, by the names of the tour's steps.

    Signals:
        finished: the last of them is gone.
    """

    finished = Signal()

    def __init__(
        self, session: Session, settings: Settings, appearance: Appearance, host: QWidget, page: LookPage
    ) -> None:
        super().__init__(host)
        self._session = session
        self._settings = settings
        self._seen = session.pane()
        self.done: set[str] = set()
        targets = (page.sentence.box, page.sentence.steps, page.heads.view)
        self.callouts = Callouts(host, appearance, targets)
        self.callouts.finished.connect(self._finished)
        session.pane_changed.connect(self._pane_changed)
        session.panes_changed.connect(self._pane_changed)
        page.sentence.asked.connect(self._typed)
        page.sentence.box.textEdited.connect(self._typed)
        page.folded.connect(self._folded)
        self._page = page
        if not can_compute():  # nothing would come of typing
            self.callouts.dismiss(TYPE)
        self._folded()

    def leave(self) -> bool:
        """Take all away; whether there were any."""
        return self.callouts.dismiss_all()

    def _folded(self) -> None:
        self.callouts.set_one_by_one(self._page.room.small)

    def _typed(self) -> None:
        self.done.add("type")
        self.callouts.dismiss(TYPE)

    def _pane_changed(self) -> None:
        seen, pane = self._seen, self._session.pane()
        self._seen = pane
        if seen is None or pane is None or self._session.job.state == "decoding":
            return
        before, now = seen.selection, pane.selection
        if seen.run_id != pane.run_id or before.kind is not now.kind:
            return  # another run or kind came into view, on a step and a head of its own
        if before.step != now.step:
            self.done.add("step")
            self.callouts.dismiss(STEP)
        if (before.layer, before.head) != (now.layer, now.head):
            self.done.add("head")
            self.callouts.dismiss(HEAD)

    def _finished(self) -> None:
        self._settings.callouts_seen = True
        self.finished.emit()
