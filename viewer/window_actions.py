"""What the window's actions do, and when they can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QShortcut

from viewer.settings import Settings
from viewer.state.session import Session
from viewer.views.appearance import Appearance

if TYPE_CHECKING:
    from viewer.main_window import MainWindow

_VIEW_OPTIONS = {"sqrt": "sqrt_scale", "raw_pieces": "raw_pieces", "hide_specials": "hide_specials"}
_PAGES = ("show_look", "show_positions", "show_learn", "show_train")


class WindowActions(QObject):
    """Connects the actions with window, session and settings."""

    def __init__(
        self, window: MainWindow, session: Session, settings: Settings, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._look = appearance
        self._connect()
        window.actions_.themes[appearance.choice].setChecked(True)
        session.view_changed.connect(self._view_changed)

    def _connect(self) -> None:
        window, actions = self._window, self._window.actions_
        window.addActions(actions.all())
        for name, slot in (
            ("open_model", window.ask_model),
            ("open_trace", window.ask_trace),
            ("open_session", window.ask_model),
            ("save_trace", window.exporting.save_trace),
            ("save_session", window.exporting.save_session),
            ("export", window.exporting.open_dialog),
            ("copy_picture", window.exporting.copy_picture),
            ("copy_command", window.exporting.copy_command),
            ("quit", window.close),
            ("present", window.toggle_present),
            ("keys", window.dialogs.show_keys),
            ("about", window.dialogs.show_about),
            ("model_info", window.dialogs.show_model_info),
            ("second_pane", self._second_pane_clicked),
            ("next_word", window.look_page.show_next_word),
        ):
            actions[name].triggered.connect(slot)
        for number, name in enumerate(_PAGES):
            actions[name].setData(number)
            actions[name].triggered.connect(self._page_clicked)
        for name, option in _VIEW_OPTIONS.items():
            actions[name].setData(option)
            actions[name].triggered.connect(self._view_option_clicked)
        actions.theme_group.triggered.connect(self._theme_chosen)
        QShortcut(QKeySequence("Ctrl+L"), window, window.to_sentence)

    def refresh(self) -> None:
        """Show what is chosen, and allow what can be done now."""
        actions, session, view = self._window.actions_, self._session, self._session.view
        for name, option in _VIEW_OPTIONS.items():
            actions[name].setChecked(getattr(view, option))
        actions["second_pane"].setChecked(len(session.document.panes) > 1)
        actions["next_word"].setChecked(not self._window.look_page.inspector.isHidden())
        shown = session.trace() is not None
        actions["save_session"].setEnabled(shown)
        for name in ("save_trace", "second_pane", "copy_command", "copy_picture", "export"):
            actions[name].setEnabled(shown or (session.model is not None and name != "save_trace"))
        actions["model_info"].setEnabled(session.model is not None)

    def _page_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.show_page(action.data())

    def _second_pane_clicked(self) -> None:
        if len(self._session.document.panes) > 1:
            self._session.close_second_pane()
        else:
            self._session.open_second_pane()
        self.refresh()

    def _view_option_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_view(**{action.data(): action.isChecked()})

    def _theme_chosen(self, action: QAction) -> None:
        self._settings.theme = action.data()
        self._look.choose(action.data())

    def _view_changed(self) -> None:
        for option in _VIEW_OPTIONS.values():
            setattr(self._settings, option, getattr(self._session.view, option))
        self.refresh()
