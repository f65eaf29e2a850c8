"""Two panes that move together: what is selected in the active one is selected in the other."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QObject, Signal

from viewer.document.session import Session
from viewer.figures.difference.alignment import alignment


class PaneLink(QObject):
    """While it is on and the panes show different runs, both show the same head, step and cell.

    The same step is the one that reads the same token, the same cell that of the same two tokens; a cell that
    the other run lacks has no crosshair there.

    Signals:
        changed: it was switched on or off, or began or ceased to matter.
    """

    changed = Signal()

    def __init__(self, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._on = True
        self._applies = False
        session.pane_changed.connect(self._pane_changed)
        session.panes_changed.connect(self._look_again)
        session.run_grew.connect(self._run_grew)

    @property
    def on(self) -> bool:
        """Whether the user wants it."""
        return self._on

    @property
    def applies(self) -> bool:
        """Whether there are two panes with different runs."""
        panes = self._session.document.panes
        return len(panes) > 1 and panes[0].run_id != panes[1].run_id

    def set_on(self, on: bool) -> None:
        """Switch it on or off; on, the other pane follows at once."""
        if on != self._on:
            self._on = on
            self.follow()
            self.changed.emit()

    def follow(self) -> None:
        """Select in the other pane what the active one has."""
        session = self._session
        active = session.active
        selection, traces = session.selection(active), (session.trace(0), session.trace(1))
        first, second = traces
        if not (self._on and self.applies) or selection is None or first is None or second is None:
            return
        paired, other = alignment(first, second), 1 - active
        there = traces[other]
        assert there is not None
        changes: dict[str, Any] = {}
        if selection.kind in there.kinds:
            changes = {"kind": selection.kind, "layer": selection.layer, "head": selection.head}
            query = paired.queries(selection.kind).across(active, selection.query)
            key = paired.keys(selection.kind).across(active, selection.key)
            known = query is not None and key is not None
            changes |= {"query": query if known else None, "key": key if known else None}
        live = session.run(other)
        if selection.step >= 0 and live is not None and not live.live:
            changes["step"] = paired.read.nearest(active, selection.step)
        session.select(other, **changes)

    def _pane_changed(self, pane: int) -> None:
        if pane == self._session.active:
            self.follow()
        self._look_again()

    def _run_grew(self, run_id: str) -> None:
        pane = self._session.pane(1 - self._session.active)
        if pane is not None and pane.run_id == run_id:
            self.follow()

    def _look_again(self) -> None:
        if self.applies != self._applies:
            self._applies = self.applies
            self.changed.emit()


def link_of(session: Session) -> PaneLink:
    """The link of a session's panes; it is there before the panel that can switch it off."""
    found = session.findChild(PaneLink)
    return found if isinstance(found, PaneLink) else PaneLink(session, session)
