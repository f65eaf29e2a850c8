"""`BesideStrip`: the altered model's translation beside the untouched one's: the row below the output."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from viewer.document.session import Session
from viewer.document.text.input_text import given_steps
from viewer.document.what_if.what_if import pair_of
from viewer.pages.look.sentence.output_chips import AllChips, ShownChips
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.token_strip import TokenStrip


class BesideStrip(TokenStrip):
    """While a change is in force, the one of the two that the output is not; a click goes to its step."""

    def __init__(self, session: Session, appearance: Appearance, parent: QWidget | None = None) -> None:
        super().__init__(appearance, parent=parent)
        self._session = session
        self._run = ""  # its id: unseen, it does not hear when a run is gone
        self._made = ShownChips()
        self._shown: AllChips | None = None
        self.set_clickable(True)
        self.chosen.connect(self._chip_chosen)

    def refresh(self) -> str:
        """Show it, or nothing; returns what it is called, empty if there is none."""
        session, shown = self._session, self._session.run()
        pair = pair_of(session.document, shown)
        if shown is None or pair is None or pair.altered is None or shown.trace.only_reads:
            self._run, self._shown = "", None
            self._made.forget()
            self.show_chips(())
            self.hide()
            return ""
        untouched = shown.id == pair.altered.id
        run = pair.baseline if untouched else pair.altered
        self._run = run.id
        raw, paused = session.view.raw_pieces, session.job.paused
        chips = self._made.of(session.document, run, raw=raw, paused=paused)
        if chips is not self._shown:
            self._shown = chips
            self.show_chips(chips.at(run.trace.steps - 1))
        self.show()
        return self.tr("Original") if untouched else self.tr("Altered")

    def _chip_chosen(self, chip: int) -> None:
        run = self._session.document.run(self._run)
        if run is None:
            return
        for index, pane in enumerate(self._session.document.panes):
            if pane.run_id == run.id:
                self._session.set_step(chip + given_steps(run.trace), index)
