"""How a pane shows its trace: map, flow, words or all heads."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QWidget

from viewer.state.selection import PaneView
from viewer.state.session import Session
from viewer.views.buttons import tab_button


class ViewTabs(QWidget):
    """One tab a view; the pane's own is checked."""

    def __init__(self, session: Session, pane: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._pane = pane
        self._group = QButtonGroup(self)
        self.tabs = {view: tab_button(self._group, place) for place, view in enumerate(PaneView)}
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for tab in self.tabs.values():
            row.addWidget(tab)
        self._group.idClicked.connect(self._chosen)
        session.pane_changed.connect(self.refresh)
        session.panes_changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show which view the pane has."""
        selection = self._session.selection(self._pane)
        for view, tab in self.tabs.items():
            tab.setEnabled(selection is not None)
            tab.setChecked(selection is not None and selection.view is view)

    def retranslate(self) -> None:
        """Take the language in force."""
        names = {
            PaneView.MAP: (self.tr("Map"), self.tr("Every weight as a coloured cell")),
            PaneView.FLOW: (self.tr("Flow"), self.tr("Tokens in two columns, lines by weight")),
            PaneView.WORDS: (self.tr("Words"), self.tr("The sentence, shaded by attention")),
            PaneView.HEADS: (self.tr("All heads"), self.tr("Every head of every layer and family")),
        }
        for view, (name, tip) in names.items():
            self.tabs[view].setText(name)
            self.tabs[view].setToolTip(tip)
        self.refresh()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the language."""
        if event.type() == QEvent.Type.LanguageChange:
            self.retranslate()
        super().changeEvent(event)

    def _chosen(self, place: int) -> None:
        self._session.activate_pane(self._pane)
        self._session.select(self._pane, view=list(PaneView)[place])
        self.refresh()
