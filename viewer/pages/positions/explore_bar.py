"""`ExploreBar`: the model's table or one of chosen numbers, and those numbers."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton, QWidget

from viewer.document.positions.positions_choice import (
    HIGHEST_BASE,
    LEAST_DIMENSIONS,
    LOWEST_BASE,
    MOST_DIMENSIONS,
    PositionsChoice,
)
from viewer.document.positions.positions_table import PAPER_BASE, SLIP_BASE, grouped
from viewer.pages.positions.number_row import NumberRow
from viewer.pages.widgets.appearance import Appearance
from viewer.pages.widgets.buttons import label, tab_button
from viewer.pages.widgets.overflow_row import STAYS, OverflowRow
from viewer.pages.widgets.worded import Worded


class BaseRow(OverflowRow):
    """The slider of the base with buttons for the paper's and the notes' slip."""

    def __init__(self, choice: PositionsChoice, appearance: Appearance) -> None:
        super().__init__(appearance, spacing=4)
        self._choice = choice
        self.number = NumberRow(appearance, log=True)
        self.marks = tuple(QPushButton() for _ in range(2))
        self.add(self.number, 1, rank=STAYS)
        for mark, base in zip(self.marks, (SLIP_BASE, PAPER_BASE), strict=True):
            mark.setProperty("role", "link")
            mark.setText(grouped(base))
            self.add(mark)
        self.marks[0].clicked.connect(self._take_slip)
        self.marks[1].clicked.connect(self._take_paper)
        self.number.chosen.connect(choice.set_base)

    def refresh(self) -> None:
        """Show the chosen base."""
        self.number.show_number(round(self._choice.base), int(LOWEST_BASE), int(HIGHEST_BASE))

    def retranslate(self) -> None:
        """Take the language in force."""
        self.number.describe(self.tr("Base"), self.tr("Base of the wavelengths; 10,000 in the paper"))
        self.marks[0].setToolTip(self.tr("1,000, a common mistake in lecture notes"))
        self.marks[1].setToolTip(self.tr("10,000, the base of the paper"))

    def _take_slip(self) -> None:
        self._choice.set_base(SLIP_BASE)

    def _take_paper(self) -> None:
        self._choice.set_base(PAPER_BASE)


class SourceTabs(Worded, QWidget):
    """This model's table, or numbers of one's own."""

    def __init__(self, choice: PositionsChoice, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._choice = choice
        self._group = QButtonGroup(self)
        self.tabs = tuple(tab_button(self._group, index) for index in range(2))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for tab in self.tabs:
            tab.setProperty("framed", True)
            row.addWidget(tab)
        self._group.idClicked.connect(self._chosen)
        choice.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show which it is."""
        self.tabs[int(self._choice.exploring)].setChecked(True)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.tabs[0].setText(self.tr("This model"))
        self.tabs[0].setToolTip(self.tr("Show the table of the model in use"))
        self.tabs[1].setText(self.tr("Other values"))
        self.tabs[1].setToolTip(self.tr("Try other bases and other d_model; the model stays as it is"))
        self.refresh()

    def _chosen(self, index: int) -> None:
        self._choice.explore(bool(index))


class ExploreBar(OverflowRow):
    """The chosen base and d_model; hidden while the model's own table is in view."""

    def __init__(
        self, choice: PositionsChoice, appearance: Appearance, parent: QWidget | None = None
    ) -> None:
        super().__init__(appearance, parent, spacing=18)
        self._choice = choice
        self.badge = label("badge")
        self.base = BaseRow(choice, appearance)
        self.dimensions = NumberRow(appearance, even=True)
        self.add(self.badge, rank=2)
        self.add(self.base, 3, rank=3)
        self.add(self.dimensions, 2)
        self.dimensions.chosen.connect(choice.set_dimensions)
        choice.changed.connect(self.refresh)
        self.retranslate()

    def refresh(self) -> None:
        """Show the chosen numbers."""
        self.setVisible(self._choice.exploring)
        self.base.refresh()
        self.dimensions.show_number(self._choice.dimensions, LEAST_DIMENSIONS, MOST_DIMENSIONS)

    def retranslate(self) -> None:
        """Take the language in force."""
        self.badge.setText(self.tr("Not this model's"))
        self.base.retranslate()
        self.dimensions.describe(self.tr("d_model"), self.tr("Number of dimensions, d_model"))
        self.refresh()
