"""The menu of what a pane's numbers can be, grouped, each with its formula and caveat as the tooltip."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu

from model.abilities import Ability
from viewer.document.selection import AddedNumbers, AnyNumbers, Numbers, numbers_named
from viewer.document.session import Session
from viewer.document.text.model_text import cannot
from viewer.figures.map.numbers import ASKED, GROUPS, about, needs, of_one_head, shown_numbers, why_not
from viewer.figures.map.numbers_text import words_tip
from viewer.figures.quantities import quantities
from viewer.pages.look.causes.obstacle import obstacle_of
from viewer.pages.widgets.plain_tip import plain


class NumbersMenu(QObject):
    """Fills a menu; what does not exist for what is in view is disabled, and its tooltip says why.

    Signals:
        trust_asked: it was chosen; the pane is the active one then.
    """

    trust_asked = Signal()

    def __init__(self, menu: QMenu, session: Session, pane: int | None, parent: QObject) -> None:
        super().__init__(parent)
        self._menu = menu
        self._session = session
        self._pane = pane
        self._group = QActionGroup(self)
        self._choices: dict[AnyNumbers, QAction] = {}
        self._late = False
        menu.setToolTipsVisible(True)
        for group in GROUPS:
            for numbers in group:
                self._add(numbers, None)
            self._end = menu.addSeparator()
        self._words = menu.addAction("")
        self._words.setCheckable(True)
        menu.addSeparator()
        self._trust = menu.addAction("")
        self._trust.triggered.connect(self._trust_chosen)
        self._group.triggered.connect(self._chosen)
        self._words.triggered.connect(self._words_chosen)
        menu.aboutToShow.connect(self.find)
        self.refresh()

    def find(self) -> None:
        """Look for what other packages map; not at the start, which would take longer for it."""
        added = [AddedNumbers(name) for name in quantities()]
        if added and added[0] not in self._choices:
            self._end = self._menu.insertSeparator(self._words)
        for numbers in added:
            if numbers not in self._choices:
                self._add(numbers, self._end)
        self.refresh()

    @property
    def choices(self) -> Mapping[AnyNumbers, QAction]:
        """One action for each `Numbers`, and those of other packages once the menu was opened."""
        self._make_up()
        return self._choices

    @property
    def whole_words(self) -> QAction:
        """Whether pieces are merged to words."""
        self._make_up()
        return self._words

    @property
    def trust(self) -> QAction:
        """Opens what tests the map in view."""
        self._make_up()
        return self._trust

    def put_off(self) -> None:
        """Something else is in view: show it once somebody looks, at once to who looks now."""
        self._late = True
        if self._menu.isVisible():
            self.refresh()

    def _make_up(self) -> None:
        if self._late:
            self.refresh()

    def _add(self, numbers: AnyNumbers, before: QAction | None) -> None:
        action = QAction(self._menu)
        action.setCheckable(True)
        action.setData(str(numbers))
        self._group.addAction(action)
        if before is None:
            self._menu.addAction(action)
        else:
            self._menu.insertAction(before, action)
        self._choices[numbers] = action

    def refresh(self) -> None:
        """Show what is chosen, and what can be."""
        self._late = False
        trace, selection = self._session.trace(self._pane), self._session.selection(self._pane)
        for numbers, action in self._choices.items():
            one_head = selection is None or of_one_head(selection, numbers)
            said = about(numbers, one_head=one_head)
            reason = ""
            if trace is not None and selection is not None:
                # Other packages' are worked out to know, and only if they are wanted.
                wanted = isinstance(numbers, Numbers) or selection.numbers == numbers
                reason = why_not(trace, selection, numbers) if wanted else ""
            if not reason and numbers in ASKED:
                reason = cannot(self._session.model, needs(numbers))
            text = reason[:1].upper() + reason[1:]
            action.setText(said.name)
            action.setToolTip(plain("\n".join([*([text] if text else []), *said.sentences])))
            action.setEnabled(trace is not None and not reason)
            action.setChecked(
                trace is not None and selection is not None and numbers == shown_numbers(trace, selection)
            )
        self._words.setChecked(self._session.view.whole_words)
        self._words.setText(self.tr("Whole words"))
        self._words.setToolTip(plain(words_tip()))
        obstacle = obstacle_of(self._session, Ability.WALK, self._pane)
        tip = self.tr("Take away the words that it ranks first, and watch the next word's probability fall")
        self._trust.setText(self.tr("Can this map be trusted?…"))
        self._trust.setEnabled(not obstacle)
        self._trust.setToolTip(plain(obstacle or tip))

    def _chosen(self, action: QAction) -> None:
        self._session.select(self._pane, numbers=numbers_named(action.data()))  # Qt keeps its text

    def _trust_chosen(self) -> None:
        if self._pane is not None:
            self._session.activate_pane(self._pane)
        self.trust_asked.emit()

    def _words_chosen(self) -> None:
        self._session.set_view(whole_words=self._words.isChecked())
