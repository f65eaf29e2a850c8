"""`CompareSides`: the left of Compare: which run is A, which is B, and what can be done with the two."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QPushButton, QSizePolicy, QWidget

from viewer.document.history import Change
from viewer.document.session import Session
from viewer.figures.difference.comparing import Comparing, comparing
from viewer.pages.look.compare.pane_link import PaneLink
from viewer.pages.look.run_chooser import RunChooser
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label

_NAME = 130


class CompareSides(QWidget):
    """Choosers for A and B, and buttons.

    Attributes:
        linked: whether two maps move together; it stands in the row of the drawer.
    """

    def __init__(
        self, session: Session, appearance: Appearance, link: PaneLink, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._link = link
        self.first_label, self.second_label = label("muted"), label("muted")
        self.first, self.second = (RunChooser(session, appearance, _NAME) for _ in range(2))
        self.swap, self.unpin, self.beside = QPushButton(), QPushButton(), QPushButton()
        self.linked = QCheckBox()
        self._lay_out()
        self.first.chosen.connect(session.pin)
        self.second.chosen.connect(self._show_second)
        self.swap.clicked.connect(self._swap)
        self.unpin.clicked.connect(self._unpin)
        self.beside.clicked.connect(self._side_by_side)
        self.linked.clicked.connect(link.set_on)
        link.changed.connect(self._show_link)
        self._show_link()

    def _lay_out(self) -> None:
        grid = self._grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(6)
        grid.setVerticalSpacing(4)
        names = ((self.first_label, self.first), (self.second_label, self.second))
        for line, (name, chooser) in enumerate(names):
            grid.addWidget(name, line, 0)
            grid.addWidget(chooser, line, 1, 1, 2)
        self._buttons = QWidget()
        buttons = QHBoxLayout(self._buttons)
        buttons.setContentsMargins(0, 0, 0, 0)
        buttons.setSpacing(4)
        for button in (self.beside, self.swap, self.unpin):
            buttons.addWidget(button)
        grid.addWidget(self._buttons, 2, 0, 1, 3)
        grid.setRowStretch(3, 1)

    def set_flat(self, on: bool) -> None:
        """The buttons stand beside the choosers, or below them."""
        grid = self._grid
        grid.removeWidget(self._buttons)
        if on:
            grid.addWidget(self._buttons, 0, 3, 2, 1)
        else:
            grid.addWidget(self._buttons, 2, 0, 1, 3)
        grid.setRowStretch(3, 0 if on else 1)
        high = QSizePolicy.Policy.Fixed if on else QSizePolicy.Policy.Preferred
        self.setSizePolicy(QSizePolicy.Policy.Preferred, high)
        grid.setColumnStretch(4, 1 if on else 0)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.first_label.setText(self.tr("A (pinned)"))
        self.second_label.setText(self.tr("B (in view)"))
        self.swap.setText(self.tr("Swap"))
        self.swap.setToolTip(self.tr("Pin B, and look at A"))
        self.unpin.setText(self.tr("Unpin"))
        self.beside.setText(self.tr("Side by side"))
        self.beside.setToolTip(self.tr("A in the left map, B in the right one"))
        self.linked.setText(self.tr("Move together"))
        self.linked.setToolTip(
            self.tr("Two maps of different runs show the same head, and the step and cell of the same tokens")
        )

    def refresh(self, found: Comparing) -> None:
        """Name the two runs."""
        self.first.show_run(found.first.id)
        self.second.show_run(found.second.id)
        self.swap.setEnabled(not found.same)
        self.beside.setEnabled(not found.same and not self._is_beside(found))

    def _is_beside(self, found: Comparing) -> bool:
        return [pane.run_id for pane in self._session.document.panes] == [found.first.id, found.second.id]

    def _show_link(self) -> None:
        with QSignalBlocker(self.linked):
            self.linked.setChecked(self._link.on)

    def _show_second(self, run_id: str) -> None:
        found = comparing(self._session.document)
        if found is not None:
            self._session.show_run(run_id, found.pane)

    def _swap(self) -> None:
        session, found = self._session, comparing(self._session.document)
        if found is None or found.same:
            return
        with session.one_change(Change.PIN):
            session.pin(found.second.id)
            shown = [pane.run_id for pane in session.document.panes]
            for index, run_id in enumerate(shown):
                if run_id == found.second.id:
                    session.show_run(found.first.id, index)
                elif run_id == found.first.id:
                    session.show_run(found.second.id, index)

    def _unpin(self) -> None:
        self._session.pin("")

    def _side_by_side(self) -> None:
        session, found = self._session, comparing(self._session.document)
        if found is None or found.same:
            return
        with session.one_change(Change.PANES):
            session.open_second_pane(found.selection)
            session.show_run(found.first.id, 0)
            session.show_run(found.second.id, 1)
        session.activate_pane(1)
        self._link.set_on(True)
        self._link.follow()
