"""What the window's actions do, and when they can be done."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence, QShortcut

from model.trace import AttentionKind
from viewer.actions import FAMILIES, VIEWS
from viewer.session_saving import SessionSaving
from viewer.settings import Settings
from viewer.state.gold_edits import can_have_gold
from viewer.state.selection import PaneView
from viewer.state.session import Session
from viewer.state.what_if import LIVE_SUFFIX, pair_of
from viewer.views.appearance import Appearance
from viewer.views.inspector import ARITHMETIC, WHAT_IF
from viewer.views.numbers_menu import NumbersMenu

if TYPE_CHECKING:
    from viewer.main_window import MainWindow

VIEW_OPTIONS = {
    "sqrt": "sqrt_scale",
    "raw_pieces": "raw_pieces",
    "whole_words": "whole_words",
    "hide_specials": "hide_specials",
}
"""View options that are remembered, by action."""
_DRAWER = {"branches": 0, "compare": 1, "heads_table": 2, "sentences": 3}
_PAGES = ("show_look", "show_positions", "show_learn", "show_train")


class WindowActions(QObject):
    """Connects the actions with window, session and settings.

    Attributes:
        saving: answers "Save session".
        numbers: the View menu's choice of what the active pane shows.
    """

    def __init__(
        self, window: MainWindow, session: Session, settings: Settings, appearance: Appearance
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._look = appearance
        self.saving = SessionSaving(session, settings, window)
        self.saving.said.connect(window.status.show_read_out)
        window.look_page.drawer.sentences.said.connect(window.status.show_read_out)
        window.closing.connect(self.saving.stop)
        self.numbers = NumbersMenu(window.menus.numbers, session, None, self)
        self._connect()
        window.actions_.themes[appearance.choice].setChecked(True)
        session.view_changed.connect(self._view_changed)
        for signal in (session.history_changed, session.bookmarks.changed, session.pane_changed):
            signal.connect(self._session_changed)

    def _connect(self) -> None:
        window, actions = self._window, self._window.actions_
        window.addActions(actions.all())
        for name, slot in (
            ("open_model", window.ask_model),
            ("open_trace", window.ask_trace),
            ("open_session", window.ask_model),
            ("save_trace", window.exporting.save_trace),
            ("save_session", self.saving.ask),
            ("export", window.exporting.open_dialog),
            ("copy_picture", window.exporting.copy_picture),
            ("copy_command", window.exporting.copy_command),
            ("quit", window.close),
            ("present", window.toggle_present),
            ("keys", window.dialogs.show_keys),
            ("about", window.dialogs.show_about),
            ("model_info", window.dialogs.show_model_info),
            ("undo", self._session.undo),
            ("redo", self._session.redo),
            ("reset_changes", self._reset_changes),
            ("gold_links", window.dialogs.ask_gold),
            ("go_to", self._go_to),
            ("add_bookmark", window.dialogs.ask_bookmark),
            ("next_bookmark", self._next_bookmark),
            ("previous_bookmark", self._previous_bookmark),
            ("edit_bookmarks", window.dialogs.show_bookmarks),
            ("what_if", self._show_what_if),
            ("arithmetic", self._show_arithmetic),
            ("second_pane", self._second_pane_clicked),
            ("next_word", window.look_page.show_next_word),
        ):
            actions[name].triggered.connect(slot)
        for number, name in enumerate(_PAGES):
            actions[name].setData(number)
            actions[name].triggered.connect(self._page_clicked)
        for name, panel in _DRAWER.items():
            actions[name].setData(panel)
            actions[name].triggered.connect(self._drawer_clicked)
        for pane in window.look_page.panes:
            pane.gold_asked.connect(window.dialogs.ask_gold)
            for view in (pane.map, pane.flow, pane.words):
                view.picture_asked.connect(window.exporting.copy_picture)
                view.arithmetic_asked.connect(self._show_arithmetic)
        window.exporting.share_layer = window.look_page.next_word.shares.chosen_layer
        for tab in window.look_page.drawer.tabs:
            tab.clicked.connect(self._drawer_changed)
        window.look_page.drawer.toggled.connect(self._drawer_changed)
        for name, option in VIEW_OPTIONS.items():
            actions[name].setData(option)
            actions[name].triggered.connect(self._view_option_clicked)
        for name, shown in zip(VIEWS, PaneView, strict=True):
            actions[name].setData(shown)
            actions[name].triggered.connect(self._pane_view_clicked)
        for name, kind in zip(FAMILIES, AttentionKind, strict=True):
            actions[name].setData(kind)
            actions[name].triggered.connect(self._family_clicked)
        actions["mean"].triggered.connect(self._mean_clicked)
        actions.theme_group.triggered.connect(self._theme_chosen)
        QShortcut(QKeySequence("Ctrl+L"), window, window.keys.to_sentence)

    def refresh(self) -> None:
        """Show what is chosen, and allow what can be done now."""
        actions, session, view = self._window.actions_, self._session, self._session.view
        for name, option in VIEW_OPTIONS.items():
            actions[name].setChecked(getattr(view, option))
        actions["second_pane"].setChecked(len(session.document.panes) > 1)
        actions["next_word"].setChecked(not self._window.look_page.inspector.isHidden())
        shown = session.trace() is not None
        actions["save_session"].setEnabled(shown)
        for name in ("save_trace", "second_pane", "copy_command", "copy_picture", "export"):
            actions[name].setEnabled(shown or (session.model is not None and name != "save_trace"))
        actions["model_info"].setEnabled(session.model is not None)
        self._session_changed()
        self._drawer_changed()

    def _session_changed(self) -> None:
        actions, session, marks = self._window.actions_, self._session, self._session.bookmarks
        actions.name_changes(session.undo_name, session.redo_name)
        actions["add_bookmark"].setEnabled(session.pane() is not None)
        for name in ("next_bookmark", "previous_bookmark", "edit_bookmarks"):
            actions[name].setEnabled(bool(marks.all))
        actions["reset_changes"].setEnabled(self._altered() is not None)
        selection = session.selection()
        for name, view in zip(VIEWS, PaneView, strict=True):
            actions[name].setEnabled(selection is not None)
            actions[name].setChecked(selection is not None and selection.view is view)
        trace = session.trace()
        for name, kind in zip(FAMILIES, AttentionKind, strict=True):
            actions[name].setEnabled(trace is not None and kind in trace.kinds)
            actions[name].setChecked(selection is not None and selection.kind is kind)
        actions["mean"].setEnabled(selection is not None)
        actions["mean"].setChecked(selection is not None and selection.head is None)
        actions["go_to"].setEnabled(selection is not None and selection.view is not PaneView.HEADS)
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
            self._session.wishes.alter_asked.emit(untouched, ())

    def _next_bookmark(self) -> None:
        self._session.bookmarks.step(1)

    def _previous_bookmark(self) -> None:
        self._session.bookmarks.step(-1)

    def _go_to(self) -> None:
        self._window.show_page(0)
        self._window.look_page.panes[self._session.active].go_to.open_line()

    def _show_what_if(self) -> None:
        self._show_inspector(WHAT_IF)

    def _show_arithmetic(self) -> None:
        self._show_inspector(ARITHMETIC)

    def _show_inspector(self, tab: int) -> None:
        self._window.show_page(0)
        self._window.look_page.show_next_word(True)
        self._window.look_page.inspector.show_tab(tab)
        self.refresh()

    def _drawer_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.show_page(0)
            self._window.look_page.drawer.show_panel(action.data() if action.isChecked() else None)
            self._drawer_changed()

    def _drawer_changed(self) -> None:
        tabs = self._window.look_page.drawer.tabs
        for name, panel in _DRAWER.items():
            self._window.actions_[name].setChecked(tabs[panel].isChecked())

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

    def _pane_view_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.show_page(0)
            self._session.select(view=PaneView(action.data()))
            self._session_changed()

    def _family_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._window.show_page(0)
            self._session.select_kind(AttentionKind(action.data()))
            self._session_changed()

    def _mean_clicked(self) -> None:
        self._window.show_page(0)
        self._session.toggle_mean()
        self._session_changed()

    def _view_option_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_view(**{action.data(): action.isChecked()})

    def _theme_chosen(self, action: QAction) -> None:
        self._settings.theme = action.data()
        self._look.choose(action.data())

    def _view_changed(self) -> None:
        for option in VIEW_OPTIONS.values():
            setattr(self._settings, option, getattr(self._session.view, option))
        self.refresh()
