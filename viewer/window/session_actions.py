"""Session actions: undo, bookmarks, changes of the model, and what can be saved and exported now."""

from __future__ import annotations

from PySide6.QtCore import QObject

from viewer.document.gold.gold_edits import can_have_gold
from viewer.document.messages.requests import Alter
from viewer.document.session import Session
from viewer.document.what_if.what_if import LIVE_SUFFIX, pair_of
from viewer.window.actions import Actions

_OF_A_RUN = ("save_trace", "second_pane", "copy_command", "copy_picture", "script", "export")


class SessionActions(QObject):
    """Connects the actions with the session, and allows what can be done now."""

    def __init__(self, actions: Actions, session: Session, parent: QObject) -> None:
        super().__init__(parent)
        self._actions = actions
        self._session = session
        actions.connect_all(
            {
                "undo": session.undo,
                "redo": session.redo,
                "reset_changes": self._reset_changes,
                "next_bookmark": self._next_bookmark,
                "previous_bookmark": self._previous_bookmark,
            }
        )
        for signal in (
            session.history_changed,
            session.bookmarks.changed,
            session.pane_changed,
            session.panes_changed,
            session.runs_changed,
            session.model_changed,
        ):
            signal.connect(self.refresh)

    def refresh(self) -> None:
        """Allow what can be done now."""
        actions, session, marks = self._actions, self._session, self._session.bookmarks
        shown = session.trace() is not None
        actions["save_session"].setEnabled(shown)
        for name in _OF_A_RUN:
            actions[name].setEnabled(shown or (session.model is not None and name != "save_trace"))
        actions["model_info"].setEnabled(session.model is not None)
        actions.name_changes(session.undo_name, session.redo_name)
        actions["add_bookmark"].setEnabled(session.bookmarks.possible)
        for name in ("next_bookmark", "previous_bookmark", "edit_bookmarks", "print_handout"):
            actions[name].setEnabled(bool(marks.all))
        actions["reset_changes"].setEnabled(self._altered() is not None)
        actions["gold_links"].setEnabled(can_have_gold(session.run()))

    def _altered(self) -> str | None:
        """The untouched run whose altered one is in view."""
        for pane in (self._session.active, 1, 0):
            pair = pair_of(self._session.document, self._session.run(pane))
            if pair is not None and self._session.document.run(pair.baseline.id + LIVE_SUFFIX) is not None:
                return pair.baseline.id
        return None

    def _reset_changes(self) -> None:
        untouched = self._altered()
        if untouched is not None:
            self._session.ask(Alter(untouched, ()))

    def _next_bookmark(self) -> None:
        self._session.bookmarks.step(1)

    def _previous_bookmark(self) -> None:
        self._session.bookmarks.step(-1)
