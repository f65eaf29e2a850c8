"""Look actions: what is open on the Look page: drawer, inspector, second map, the line to go to a token."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from viewer.document.session import Session
from viewer.pages.look.pane_views import pane_view
from viewer.window.actions import Actions
from viewer.window.pages import Pages

_DRAWER = {"branches": 0, "compare": 1, "heads_table": 2, "sentences": 3}


class LookActions(QObject):
    """Opens and closes the parts of the Look page, and checks the actions of those that are open."""

    def __init__(self, actions: Actions, session: Session, pages: Pages) -> None:
        super().__init__(pages)
        self._actions = actions
        self._session = session
        self._pages = pages
        look = pages.look
        actions.connect_all(
            {
                "go_to": self._go_to,
                "what_if": self._show_what_if,
                "arithmetic": self._show_arithmetic,
                "second_pane": self._second_pane_clicked,
                "next_word": look.show_next_word,
            }
        )
        for name, panel in _DRAWER.items():
            actions[name].setData(panel)
            actions[name].triggered.connect(self._drawer_clicked)
        for pane in look.panes:
            for view in pane.views.values():
                view.arithmetic_asked.connect(self._show_arithmetic)
        look.drawer.shown.connect(self._drawer_changed)
        look.next_word_changed.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        session.pane_changed.connect(self._pane_changed)

    def refresh(self) -> None:
        """Show what is open, and allow what can be done now."""
        self._actions["second_pane"].setChecked(len(self._session.document.panes) > 1)
        self._actions["next_word"].setChecked(not self._pages.look.inspector.isHidden())
        self._pane_changed()
        self._drawer_changed()

    def _pane_changed(self) -> None:
        selection = self._session.selection()
        self._actions["go_to"].setEnabled(selection is not None and pane_view(selection.view).of_one_map)

    def _go_to(self) -> None:
        self._pages.show_look()
        self._pages.look.panes[self._session.active].go_to.open_line()

    def _show_what_if(self) -> None:
        self._show_inspector("what_if")

    def _show_arithmetic(self) -> None:
        self._show_inspector("arithmetic")

    def _show_inspector(self, name: str) -> None:
        self._pages.show_look()
        self._pages.look.show_next_word(True)
        inspector = self._pages.look.inspector
        inspector.show_tab(inspector.names.index(name))
        self.refresh()

    def _drawer_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._pages.show_look()
            self._pages.look.drawer.show_panel(action.data() if action.isChecked() else None)
            self._drawer_changed()

    def _drawer_changed(self) -> None:
        tabs = self._pages.look.drawer.tabs
        for name, panel in _DRAWER.items():
            self._actions[name].setChecked(tabs[panel].isChecked())

    def _second_pane_clicked(self) -> None:
        if len(self._session.document.panes) > 1:
            self._session.close_second_pane()
        else:
            self._session.open_second_pane()
        self.refresh()
