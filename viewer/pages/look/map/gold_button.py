"""The button of gold links beside a map of cross-attention: give them, show them, by which rule."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from model.alignment.hard import RULES, Rule
from model.trace.trace import AttentionKind
from viewer.document.gold.gold_edits import can_have_gold, gold_of
from viewer.document.session import Session
from viewer.pages.look.pane_views import pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import IconButton


class GoldButton(IconButton):
    """Opens a menu; there where the pane shows a map of cross-attention.

    Signals:
        edit_asked: the dialog of gold links.
    """

    edit_asked = Signal()

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, "links")
        self._session = session
        self._pane = pane
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        menu = QMenu(self)
        self.edit_action = menu.addAction("")
        menu.addSeparator()
        self.show_action = menu.addAction("")
        self.show_action.setCheckable(True)
        menu.addSeparator()
        self._rules = QActionGroup(self)
        self.rules = {rule: self._rule_action(menu, rule) for rule in RULES}
        self.setMenu(menu)
        self.edit_action.triggered.connect(self.edit_asked)
        self.show_action.triggered.connect(self._show_clicked)
        self._rules.triggered.connect(self._rule_chosen)
        for signal in (session.pane_changed, session.run_grew, session.runs_changed, session.view_changed):
            signal.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show what is chosen, and only where it means something."""
        selection, run = self._session.selection(self._pane), self._session.run(self._pane)
        here = selection is not None and selection.kind is AttentionKind.CROSS
        self.setVisible(here and selection is not None and pane_view(selection.view).links)
        self.edit_action.setEnabled(can_have_gold(run))
        has_gold = gold_of(self._session.document, run) is not None
        self.show_action.setEnabled(has_gold)
        view = self._session.view
        self.show_action.setChecked(view.gold_links)
        for rule, action in self.rules.items():
            action.setChecked(rule == view.alignment_rule)
            action.setEnabled(run is None or rule == "predicts" or not run.trace.is_round)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.describe(self.tr("Gold links: which words translate each other"))
        self.edit_action.setText(self.tr("Gold alignment…"))
        self.show_action.setText(self.tr("Show gold links"))
        self.rules["predicts"].setText(self.tr("Align a word by the row that predicts it"))
        self.rules["reads"].setText(self.tr("Align a word by the row that reads it"))
        self.refresh()

    def _rule_action(self, menu: QMenu, rule: Rule) -> QAction:
        action = menu.addAction("")
        action.setCheckable(True)
        action.setData(rule)
        self._rules.addAction(action)
        return action

    def _show_clicked(self) -> None:
        self._session.set_view(gold_links=self.show_action.isChecked())

    def _rule_chosen(self, action: QAction) -> None:
        self._session.set_view(alignment_rule=action.data())
