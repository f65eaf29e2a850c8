"""The What if tab's model: which runs it is about, what is changed, and asking for other changes."""

from __future__ import annotations

from typing import Literal

from PySide6.QtCore import QObject, Signal

from model.abilities import Ability
from model.alterations.alteration import Alteration
from model.alterations.registry import among_steps, in_order
from viewer.document.alterations.alteration_text import known_change
from viewer.document.alterations.edits import Changes
from viewer.document.messages.requests import Alter, KeepAltered
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.document.what_if.what_if import LIVE_SUFFIX, Pair, pair_of

Obstacle = Literal["", "cannot", "empty", "no_baseline", "no_model", "other_model", "decoding"]


class WhatIfEditor(QObject):
    """Follows the active pane.

    Signals:
        changed: anything that the tab shows may be different.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._asked: tuple[str, Changes] | None = None
        session.pane_changed.connect(self._pane_changed)
        session.job_changed.connect(self._job_changed)
        for signal in (
            session.panes_changed,
            session.runs_changed,
            session.run_grew,
            session.view_changed,
            session.model_changed,
        ):
            signal.connect(self._emit)

    @property
    def pair(self) -> Pair | None:
        """The untouched run and its altered one; None if there is no untouched run."""
        return pair_of(self.session.document, self.session.run())

    @property
    def changes(self) -> Changes:
        """What is changed: as last asked for until that is answered, then as the altered run has it."""
        pair = self.pair
        if pair is None:
            return self._of(self.session.run())
        if self._asked is not None and self._asked[0] == pair.baseline.id:
            return self._asked[1]
        return self._of(pair.altered)

    @property
    def obstacle(self) -> Obstacle:
        """Why nothing can be changed now; empty when it can."""
        run, pair, model = self.session.run(), self.pair, self.session.model
        if cannot(model, Ability.ALTER):
            return "cannot"
        if run is None:
            return "empty"
        if pair is None:
            return "no_baseline"
        if model is None:
            return "no_model"
        if not pair.baseline.trace.may_be_of(model.name, model.sha256):
            return "other_model"
        return "decoding" if pair.baseline.live else ""

    @property
    def keepable(self) -> str:
        """The altered run that the next change would replace, "" if there is none or it is not done."""
        pair = self.pair
        altered = None if pair is None else pair.altered
        if altered is None or altered.live or not altered.id.endswith(LIVE_SUFFIX):
            return ""
        return altered.id

    def ask(self, changes: Changes) -> None:
        """Ask for the translation with exactly these changes, put in order, beside the untouched run.

        Where positions of the target are shuffled, they are those of the untouched translation.
        """
        pair, changes = self.pair, in_order(self.of_this_length(changes))
        if pair is None or self.obstacle or changes == self.changes:
            return
        if not changes and pair.altered is not None and not pair.altered.id.endswith(LIVE_SUFFIX):
            self.session.show_run(pair.baseline.id)  # what a kept run is without its changes
            return
        self._asked = (pair.baseline.id, changes)
        self.session.ask(Alter(pair.baseline.id, changes))
        self.changed.emit()

    def of_this_length(self, changes: Changes) -> Changes:
        """The changes, shuffled positions of the target being each other's in the untouched translation."""
        pair = self.pair
        return changes if pair is None else among_steps(changes, pair.baseline.trace.steps)

    def reset(self) -> None:
        """Take all changes back."""
        self.ask(())

    def keep(self) -> None:
        """Keep the altered run as it is."""
        if self.keepable:
            self.session.ask(KeepAltered(self.keepable))

    @staticmethod
    def _of(run: object) -> Changes:
        known = map(known_change, getattr(run, "alterations", ()))
        return tuple(change for change in known if isinstance(change, Alteration))

    def _pane_changed(self, pane: int) -> None:
        if pane == self.session.active:
            self._emit()

    def _job_changed(self) -> None:
        if not self.session.job.busy:
            self._asked = None
        self._emit()

    def _emit(self) -> None:
        self.changed.emit()
