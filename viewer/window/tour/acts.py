"""`Acts`: notices what a person does, as far as the tour asks for it, however it is done."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from viewer.document.document import Pane, Run
from viewer.document.run_source import MADE_HERE
from viewer.document.session import Session
from viewer.guarded import Guarded
from viewer.pages.look.look_page import LookPage


class Acts(Guarded, QObject):
    """Watches the session and the field of the sentence.

    Signals:
        done: the step of this name was done.
    """

    done = Signal(str)

    def __init__(self, session: Session, page: LookPage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._seen: Pane | None = session.pane()
        self._runs = {run.id for run in session.document.runs}
        page.sentence.box.textEdited.connect(self._typed)
        page.sentence.asked.connect(self._asked)
        session.pane_changed.connect(self._pane_changed)
        session.panes_changed.connect(self._pane_changed)
        session.runs_changed.connect(self._runs_changed)

    @staticmethod
    def shown_by(session: Session) -> set[str]:
        """The steps whose outcome is there already."""
        runs, selection = session.document.runs, session.selection()
        done = set().union(*(_of_run(run) for run in runs))
        if selection is not None and selection.query is not None:
            done.add("cell")
        return done

    def _typed(self, text: str) -> None:
        if text.strip():
            self.done.emit("type")

    def _asked(self) -> None:
        for name in ("type", "translate"):
            self.done.emit(name)

    def _runs_changed(self) -> None:
        runs = self._session.document.runs
        new = [run for run in runs if run.id not in self._runs]
        self._runs = {run.id for run in runs}
        for name in sorted(set().union(*(_of_run(run) for run in new))):
            self.done.emit(name)

    def _pane_changed(self) -> None:
        seen, pane = self._seen, self._session.pane()
        self._seen = pane
        if seen is None or pane is None or seen.run_id != pane.run_id:
            return
        before, now = seen.selection, pane.selection
        follows = self._session.job.state == "decoding"  # a pane at the newest token, by itself
        if before.step != now.step and not follows:
            self.done.emit("step")
        if before.kind is not now.kind:
            self.done.emit("family")
            return  # with a layer and a head of its own
        if (before.layer, before.head) != (now.layer, now.head):
            self.done.emit("head")
        if now.query is not None and (before.query, before.key) != (now.query, now.key):
            self.done.emit("cell")


def _of_run(run: Run) -> set[str]:
    """What made a run."""
    if run.provenance.get("source") not in MADE_HERE:
        return set()
    if run.alterations:
        return {"change"}
    return {"branch"} if run.branch_step is not None else {"type", "translate"}
