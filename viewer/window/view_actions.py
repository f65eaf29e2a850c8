"""View actions: how the active pane shows its run, by menu: page, view, kind, options, theme."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from model.trace.trace import AttentionKind
from viewer.document.session import Session
from viewer.pages.look.pane_views import PANE_VIEWS, pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.window.actions import KINDS, VIEWS, Actions
from viewer.window.pages import Pages
from viewer.window.settings import Settings

_OPTIONS = {
    "sqrt": "sqrt_scale",
    "raw_pieces": "raw_pieces",
    "whole_words": "whole_words",
    "hide_specials": "hide_specials",
}
"""View options that are remembered, by action."""
_PAGES = ("show_look", "show_positions", "show_learn", "show_train")


class ViewActions(QObject):
    """Connects the actions with session, settings and appearance, and checks those that are in force."""

    def __init__(
        self, actions: Actions, session: Session, settings: Settings, appearance: Appearance, pages: Pages
    ) -> None:
        super().__init__(pages)
        self._actions = actions
        self._session = session
        self._settings = settings
        self._appearance = appearance
        self._pages = pages
        for number, name in enumerate(_PAGES):
            actions[name].setData(number)
            actions[name].triggered.connect(self._page_clicked)
        for name, by in (("next_page", 1), ("previous_page", -1)):
            actions[name].setData(by)
            actions[name].triggered.connect(self._beside_clicked)
        for name, option in _OPTIONS.items():
            actions[name].setData(option)
            actions[name].triggered.connect(self._option_clicked)
        for name, view in zip(VIEWS, PANE_VIEWS, strict=True):
            actions[name].setData(view.name)
            actions[name].triggered.connect(self._view_clicked)
        for name, kind in zip(KINDS, AttentionKind, strict=True):
            actions[name].setData(kind)
            actions[name].triggered.connect(self._kind_clicked)
        actions["mean"].triggered.connect(self._mean_clicked)
        actions.theme_group.triggered.connect(self._theme_chosen)
        actions.themes[appearance.choice].setChecked(True)
        session.view_changed.connect(self._view_changed)
        for signal in (
            session.history_changed,
            session.pane_changed,
            session.panes_changed,
            session.runs_changed,
            session.model_changed,
        ):
            signal.connect(self._show_selection)

    def restore(self) -> None:
        """Take the options that are remembered."""
        self._session.set_view(**{name: getattr(self._settings, name) for name in _OPTIONS.values()})
        self.refresh()

    def refresh(self) -> None:
        """Show what is chosen, and allow what can be done now."""
        for name, option in _OPTIONS.items():
            self._actions[name].setChecked(getattr(self._session.view, option))
        self._show_selection()

    def _show_selection(self) -> None:
        actions, selection, trace = self._actions, self._session.selection(), self._session.trace()
        for name, view in zip(VIEWS, PANE_VIEWS, strict=True):
            actions[name].setEnabled(selection is not None)
            actions[name].setChecked(selection is not None and pane_view(selection.view) is view)
        for name, kind in zip(KINDS, AttentionKind, strict=True):
            actions[name].setEnabled(trace is not None and kind in trace.kinds)
            actions[name].setChecked(selection is not None and selection.kind is kind)
        actions["mean"].setEnabled(selection is not None)
        actions["mean"].setChecked(selection is not None and selection.head is None)

    def _page_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._pages.show_page(action.data())

    def _beside_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._pages.show_page((self._pages.index + action.data()) % len(_PAGES))

    def _view_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._pages.show_look()
            self._session.select(view=action.data())
            self._show_selection()

    def _kind_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._pages.show_look()
            self._session.select_kind(AttentionKind(action.data()))
            self._show_selection()

    def _mean_clicked(self) -> None:
        self._pages.show_look()
        self._session.toggle_mean()
        self._show_selection()

    def _option_clicked(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self._session.set_view(**{action.data(): action.isChecked()})

    def _theme_chosen(self, action: QAction) -> None:
        self._settings.theme = action.data()
        self._appearance.choose(action.data())

    def _view_changed(self) -> None:
        for option in _OPTIONS.values():
            setattr(self._settings, option, getattr(self._session.view, option))
        self.refresh()
