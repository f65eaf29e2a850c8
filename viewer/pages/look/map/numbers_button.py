"""`NumbersButton`: what a pane's numbers are: weights, aggregates, what follows from them, or scores."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMenu, QWidget

from viewer.document.selection import AnyNumbers, Numbers
from viewer.document.session import Session
from viewer.figures.map.numbers import about, in_pieces, of_one_head, shown_numbers
from viewer.pages.look.map.numbers_menu import NumbersMenu
from viewer.pages.look.pane_views import pane_view
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import MenuButton
from viewer.pages.widgets.plain_tip import plain


class NumbersButton(MenuButton):
    """A menu of `viewer.document.selection.Numbers`; its text says which is shown."""

    def __init__(
        self, session: Session, appearance: Appearance, pane: int, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance)
        self._session = session
        self._pane = pane
        menu = QMenu(self)
        menu.setLayoutDirection(Qt.LayoutDirection.LeftToRight)  # the button's own puts its arrow last
        self.entries = NumbersMenu(menu, session, pane, self)
        self.setMenu(menu)
        session.pane_changed.connect(self._pane_changed)
        for signal in (session.panes_changed, session.runs_changed, session.run_grew, session.view_changed):
            signal.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Name what is shown."""
        trace, selection = self._session.trace(self._pane), self._session.selection(self._pane)
        one_head, fixed, what = True, False, self.tr("What the numbers show")
        numbers: AnyNumbers = Numbers.WEIGHTS
        if trace is not None and selection is not None:
            view = pane_view(selection.view)
            fixed = not view.of_one_map
            numbers = view.numbers if fixed else shown_numbers(trace, selection)
            one_head = fixed or of_one_head(selection, numbers)
            what = (view.fixed() if fixed else "") or what
        self.setEnabled(trace is not None and not fixed)
        said = about(numbers, one_head=one_head)
        words = self._session.view.whole_words and not fixed and not in_pieces(numbers)
        self.setText(self.tr("{numbers}, words").format(numbers=said.name) if words else said.name)
        self.setToolTip(plain("\n".join([what, *said.sentences])))
        self.entries.put_off()

    def retranslate(self) -> None:
        """Take the language in force."""
        self.setAccessibleName(self.tr("What the numbers show"))
        self.refresh()

    def _pane_changed(self, pane: int) -> None:
        if pane == self._pane:
            self.refresh()
